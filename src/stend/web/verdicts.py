"""Pages and verdicts of stored runs: figures of fleets, changes, comparisons, made once.

What these are made of never changes, so dear ones are kept. A page about runs takes some tenths of
a second, and only who looks at it and what they may do varies from one visitor to the next.
"""

import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stend.comparing import (
    Comparison,
    Judgement,
    Verdict,
    compare,
    compare_sides,
    has_sides,
    publications,
    stored_history,
)
from stend.comparing.fleet_figures import Picture, Wanted, fingerprint, picture
from stend.comparing.selection import named, refuse_twice
from stend.errors import BadValue, UsageError
from stend.record import Record, Run
from stend.report.answer import answer
from stend.report.frame import Frame
from stend.report.quantities import percent
from stend.store import Store
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


MOST_A_SIDE = 20
"""Runs: what more of them add to an interval is little, and each has all its samples."""
PUBLISHED = "published:"


def find_run(store: Store, name: str) -> Run:
    """The run that a name means, as for every verb but that it is no file.

    Raises:
        UnknownName: there is none.
        Damaged: it can't be read.
    """
    return publications.run(name) if name.startswith(PUBLISHED) else store.load(name)


def compared(store: Store, a: Sequence[str], b: Sequence[str]) -> Comparison:
    """B against A; without b, the two sides of a run that was measured with --versus.

    Raises:
        UnknownName: no run has one of the names.
        UsageError: a run is named twice, too many are, or one alone has no sides.
    """
    first, second = _side(store, a), _side(store, b)
    if second:
        refuse_twice({"A": first, "B": second})
        return compare(first, second, history=stored_history(store, (*first, *second)))
    if len(first) > 1:
        raise UsageError(f"a names {len(first)} runs, and b none; name what to compare them with.")
    if not has_sides(first[0]):
        raise UsageError(
            f"The run {first[0].id[:8]} was not measured with --versus, so it has no sides; name "
            "another one as b."
        )
    return compare_sides(first[0])


def _side(store: Store, names: Sequence[str]) -> tuple[Run, ...]:
    def labelled(label: str) -> tuple[Run, ...]:
        found = store.find(label=label, limit=MOST_A_SIDE + 1)
        _refuse_many(len(found))
        return tuple(store.load(summary.id) for summary in reversed(found))

    found: list[Run] = []
    for name in names:
        found += named(name, lambda one: find_run(store, one), labelled)
        _refuse_many(len(found))
    return tuple(found)


def _refuse_many(count: int) -> None:
    if count > MOST_A_SIDE:
        raise BadValue(f"A side has at most {MOST_A_SIDE} runs here; name fewer, or use the verb.")


_LARGEST = 5


class Moved(Record, frozen=True, kw_only=True):
    """A figure that surely moved."""

    name: str
    word: str
    """"faster", "slower", "longer"…"""
    better: bool
    by: str
    """Its change: `−7.2%`."""


class Judged(Record, frozen=True, kw_only=True):
    """What a comparison says, in short."""

    before: str
    """The id of the earlier run."""
    after: str
    said: str
    """The answer in a sentence or two; the later run is B."""
    counts: dict[str, int]
    """Verdict → how many figures got it."""
    largest: tuple[Moved, ...]
    """The figures that surely moved most."""


def judged(store: Store, before: str, after: str) -> Judged:
    """Compare a machine's later run with its earlier one.

    Raises:
        UnknownName: there is no such run.
    """
    a, b = store.load(before), store.load(after)
    found = compare(a, b, history=stored_history(store, [a, b]))
    moved = [row for row in found.rows if row.verdict in (Verdict.FASTER, Verdict.SLOWER)]
    moved.sort(key=lambda row: -abs((row.ratio or 1.0) - 1))
    return Judged(
        before=a.id,
        after=b.id,
        said=answer(found),
        counts={verdict.value: n for verdict in Verdict if (n := found.count(verdict))},
        largest=tuple(map(_moved, moved[:_LARGEST])),
    )


def _moved(row: Judgement) -> Moved:
    return Moved(
        name=row.name,
        word=row.verdict.word(row.metric),
        better=row.verdict is Verdict.FASTER,
        by=percent(row.ratio or 1.0),
    )
