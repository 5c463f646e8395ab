"""The report's pages on the site: made once for everybody, with each visitor's own parts put in.

A page about runs takes some tenths of a second, and only who looks at it and what they may do
varies from one visitor to the next.
"""

import secrets
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stend.report.frame import Frame
from stend.web.site import site_of

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
