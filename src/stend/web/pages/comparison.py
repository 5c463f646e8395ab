"""The page of a comparison: B against A, the runs of both sides, and its files."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.comparing import Comparison, publications
from stend.comparing.selection import LABEL
from stend.errors import Damaged, StendError, UnknownName, UsageError
from stend.record.text import ago, printable
from stend.report import comparison_page, comparison_text
from stend.report.frame import Frame
from stend.store import Query, Right, Store, Summary
from stend.web.addresses import name_of, of_comparison
from stend.web.guard import needs
from stend.web.site import site_of
from stend.web.verdicts import PUBLISHED, compared, shown

RECENT = 30
"""Runs that a side's field offers."""
_ID = re.compile("[0-9a-f]{32}")
_FILES: dict[str, tuple[str, Callable[[Comparison], str]]] = {
    "md": ("text/markdown", lambda one: comparison_text.to_markdown(["B"], [one])),
    "csv": ("text/csv", lambda one: comparison_text.to_csv([one])),
}
"""By how the address ends."""


def routes() -> list[BaseRoute]:
    """The page, and the same as a file."""
    return [
        Route("/compare", needs(Right.READ, _page)),
        Route("/compare.{ending}", needs(Right.READ, _file)),
    ]


def _page(asked: Request) -> Response:
    store = site_of(asked).store
    picked = asked.query_params.getlist("run")
    if picked:
        return RedirectResponse(of_comparison(*_sides_of(store, picked)), 303)
    a, b = _names(asked)
    if not a or (not b and "b" in asked.query_params):
        return _choosing(asked, a, b)

    def make(frame: Frame) -> str:
        comparison = compared(store, a, b)
        values = frame.values | {"chosen": _chosen(store, a, b)}
        own_frame = replace(frame, template="compare.html", values=values)
        return comparison_page.to_html(["B"], [comparison], own_frame)

    try:
        return shown(asked, make)
    except (UsageError, Damaged) as error:
        return _choosing(asked, a, b, error)


def _choosing(
    asked: Request, a: Sequence[str], b: Sequence[str], error: StendError | None = None
) -> Response:
    """The same page without an answer: a side is missing, or wrong."""
    site = site_of(asked)
    values = {
        "title": "Compare",
        "chosen": _chosen(site.store, a, b),
        "sentence": str(error) if error else "",
    }
    status = 200 if error is None else 404 if isinstance(error, UnknownName) else 400
    return site.page(asked, "comparing.html", values, status)


def _file(asked: Request) -> Response:
    ending = asked.path_params["ending"]
    if ending not in _FILES:
        raise UnknownName(
            f"A comparison can't be a .{printable(ending[:20])} file; use .md or .csv."
        )
    kind, write = _FILES[ending]
    site = site_of(asked)
    with site.turns.taken():
        text = write(compared(site.store, *_names(asked)))
    headers = {"content-disposition": f'attachment; filename="comparison.{ending}"'}
    return Response(text, media_type=kind, headers=headers)


def _names(asked: Request) -> tuple[list[str], list[str]]:
    a, b = (asked.query_params.getlist(side) for side in "ab")
    return [name for name in a if name], [name for name in b if name]


def _sides_of(store: Store, picked: Sequence[str]) -> tuple[list[str], list[str]]:
    """Put picked runs on sides: by their labels where there are two, else the oldest is A."""
    runs = sorted((store.head(name) for name in dict.fromkeys(picked)), key=lambda run: run.started)
    labels = list(dict.fromkeys(run.label for run in runs))
    a = [run.id for run in runs if run.label == labels[0]] if len(labels) == 2 else [runs[0].id]
    return a, [run.id for run in runs if run.id not in a]


def _chosen(store: Store, a: Sequence[str], b: Sequence[str]) -> Mapping[str, Any]:
    """What the form of the sides shows and offers."""
    return {
        "sides": {"a": a, "b": b},
        "told": {name: _description(store, name) for name in (*a, *b)},
        "offered": _offered(store),
    }


def _description(store: Store, name: str) -> str:
    """What a name is that only programs read: an id."""
    if not _ID.fullmatch(name):
        return ""
    found = store.listing(Query(search=name), 1).runs
    return _words(found[0]) if found else ""


def _words(run: Summary) -> str:
    return ", ".join(filter(None, (run.label, name_of(run.host), ago(run.started))))


def _offered(store: Store) -> list[tuple[str, str]]:
    """Names to choose from, each with what it is."""
    return [
        *((run.id, _words(run)) for run in store.listing(Query(), RECENT).runs),
        *((LABEL + label, "all runs of the label") for label in store.choices().labels),
        *((PUBLISHED + name, "published") for name in publications.names()),
    ]
