"""Pages of reports and figures of fleets, made once: what they are made of never changes.

A page about runs takes some tenths of a second, and only who looks at it and what they may do
varies from one visitor to the next.
"""

import secrets
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stend.comparing.fleet_figures import Picture, Wanted, fingerprint, picture
from stend.report.frame import Frame
from stend.trends.two_days import Between, Changes, changes_of, paired
from stend.web.site import Site, site_of


def pictured(site: Site, wanted: Wanted) -> Picture:
    """The picture of the runs that are wanted now."""
    now = datetime.now(UTC)

    def made() -> bytes:
        with site.turns.taken():
            return msgspec.json.encode(picture(site.store, wanted, now))

    if wanted.group is not None:  # other runs of the session count, too
        return msgspec.json.decode(made(), type=Picture)
    of = ("fleet", replace(wanted, days=None), fingerprint(site.store, wanted, now))
    return msgspec.json.decode(site.kept.get(of, made), type=Picture)


def changed(site: Site, between: Between) -> Changes:
    """What changed between two days."""
    runs = paired(site.store, between)

    def made() -> bytes:
        with site.turns.taken():
            return msgspec.json.encode(changes_of(site.store, between, runs))

    return msgspec.json.decode(site.kept.get(("changes", between, runs), made), type=Changes)


_WHO, _ACTIONS = (f"<!-- {secrets.token_hex(16)} -->" for _ in range(2))
"""Stand in a page for what is put in: nobody can guess them, so no record has them."""


def shown(asked: Request, make: Callable[[Frame], str]) -> Response:
    """Answer with the page that `make` gives for the site's frame, in its turn."""
    site = site_of(asked)
    with site.turns.taken():
        return _answer(make(site.frame(asked)).encode(errors="replace"))


def shown_kept(
    asked: Request,
    of: Hashable | None,
    make: Callable[[Frame], str],
    actions: str,
    values: Mapping[str, Any],
) -> Response:
    """The same of a page that depends on `of` alone, with `actions`, a template, in it.

    It is kept for who asks next; None: it is not.
    """
    site = site_of(asked)
    own = site.frame(asked)
    shared = replace(own, template="kept.html", values=own.values | _PLACES)

    def made() -> bytes:
        with site.turns.taken():
            return make(shared).encode(errors="replace")

    text = made() if of is None else site.kept.get(("page", of), made)
    for mark, template in ((_WHO, "who.html"), (_ACTIONS, actions)):
        part = own.environment.get_template(template).render({**own.values, **values})
        text = text.replace(mark.encode(), part.encode(errors="replace"))
    return _answer(text)


def _answer(text: bytes) -> Response:
    return HTMLResponse(text, headers={"cache-control": "no-store"})


_PLACES = {"who_place": Markup(_WHO), "actions_place": Markup(_ACTIONS)}
