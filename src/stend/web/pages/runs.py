"""The stored runs as a list: searched, narrowed, labelled, compared; and those in the trash."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.errors import BadValue
from stend.record import HARMLESS, Status
from stend.record.text import printable
from stend.report.facts import RunRow
from stend.store import Query, Right
from stend.trends.machine import UNKNOWN
from stend.web.addresses import with_words
from stend.web.form import Form, led_back, own_address, removed_ids, taking
from stend.web.guard import needs
from stend.web.site import site_of, visitor_of

AT_ONCE = 50
"""Runs that a page lists."""


def routes() -> list[BaseRoute]:
    """The list of runs, where one begins, and the trash; what is done with their runs."""
    return [
        Route("/", lambda _: RedirectResponse("/runs", 303)),
        Route("/runs", needs(Right.READ, _listed)),
        Route("/runs/label", taking(Right.WRITE, _relabel), methods=["POST"]),
        Route("/runs/remove", taking(Right.WRITE, _remove), methods=["POST"]),
        Route("/trash", needs(Right.READ, _trash)),
        Route("/trash/restore", taking(Right.WRITE, _restore), methods=["POST"]),
        Route("/trash/forget", taking(Right.ADMIN, _forget), methods=["POST"]),
    ]


FIELDS = ("search", "host", "label", "benchmark", "size", "trouble", "since", "until")
"""What the list is narrowed by."""
_SIZES = [("quick", "quick"), ("full", "full"), ("check", "check")]
_WRONG = {"any": [status for status in Status if status not in HARMLESS]} | {
    status.value: [status] for status in Status if status not in HARMLESS
}
"""By what the form says: the statuses of which a case has one."""
_NOT_ENDED = "not ended"
_TROUBLES = [
    ("any", "something"),
    *((name, name) for name in _WRONG if name != "any"),
    (_NOT_ENDED, "it has not ended"),
]


def _listed(asked: Request) -> Response:
    store = site_of(asked).store
    said = {name: asked.query_params.get(name, "").strip() for name in (*FIELDS, "after", "before")}
    choices = store.choices()
    query = _query(said, choices.hosts)
    listing = store.listing(query, AT_ONCE, said["after"] or None, said["before"] or None)
    narrowed = {name: said[name] for name in FIELDS if said[name]}
    values = {
        "title": "Runs",
        "listing": listing,
        "rows": list(map(RunRow, listing.runs)),
        "sent": any(run.sender for run in listing.runs),
        "empty": not listing.total and not narrowed,
        "narrowed": bool(narrowed),
        "asked": said,
        "choices": choices,
        "hosts": [(host, host) for host in _with(said["host"], choices.hosts)],
        "benchmarks": [*choices.families, *choices.benchmarks],
        "sizes": _SIZES,
        "troubles": _TROUBLES,
        "may_write": visitor_of(asked).right.includes(Right.WRITE),
        "here": own_address(asked),
        "newest": with_words("/runs", **narrowed),
        "newer": with_words("/runs", **narrowed, before=listing.previous),
        "older": with_words("/runs", **narrowed, after=listing.next),
        "removed": store.trash.known(removed_ids(asked)),
        "trashed": bool(store.trash.listing(1).runs),
    }
    return site_of(asked).page(asked, "runs.html", values)


def _with(chosen: str, known: tuple[str, ...]) -> list[str]:
    """What a menu offers: also what is chosen already, and not among the first five hundred."""
    return [*known, *([chosen] if chosen and chosen not in known else [])]


def _query(said: Mapping[str, str], hosts: Collection[str]) -> Query:
    """What the fields of the form ask for; an empty one asks for nothing.

    An unknown machine is any that told no name, unless one of `hosts` calls itself so.

    Raises:
        BadValue: one says what it can't.
    """
    trouble = said["trouble"]
    if trouble and trouble not in (*_WRONG, _NOT_ENDED):
        raise BadValue(f"{printable(trouble[:40])!r} is not a kind of failure.")
    until = _day(said["until"])
    nameless = said["host"] == UNKNOWN and UNKNOWN not in hosts
    return Query(
        search=said["search"],
        host=None if nameless else said["host"] or None,
        nameless=nameless,
        label=said["label"] or None,
        benchmark=said["benchmark"] or None,
        size=said["size"] or None,
        statuses=_WRONG.get(trouble),
        finished=False if trouble == _NOT_ENDED else None,
        since=_day(said["since"]),
        until=until and until + timedelta(days=1),
    )


def _day(text: str) -> datetime | None:
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        _ = day + timedelta(days=1)  # the end of the last day that there is can't be told
    except (ValueError, OverflowError) as error:
        said = printable(text[:40])
        raise BadValue(f"{said!r} is not a day; write it as 2026-03-02.") from error
    return day


def _relabel(asked: Request, form: Form) -> Response:
    by = visitor_of(asked)
    label = form.one("label").strip()
    site_of(asked).store.relabel(form.one("run"), label, by.name, by.address)
    return led_back(asked)


def _remove(asked: Request, form: Form) -> Response:
    """Where one of the names is wrong no run is removed."""
    store, by = site_of(asked).store, visitor_of(asked)
    ids = [store.id_of(name) for name in form.runs()]
    return led_back(asked, [store.trash.put(id, by.name, by.address) for id in ids])


def _trash(asked: Request) -> Response:
    site, right = site_of(asked), visitor_of(asked).right
    after = asked.query_params.get("after")
    values = {
        "title": "Removed runs",
        "listing": site.store.trash.listing(AT_ONCE, after),
        "after": after,
        "here": own_address(asked),
        "may_write": right.includes(Right.WRITE),
        "may_forget": right.includes(Right.ADMIN),
    }
    return site.page(asked, "trash.html", values)


def _restore(asked: Request, form: Form) -> Response:
    """Where one of the names is wrong no run is put back."""
    trash, by = site_of(asked).store.trash, visitor_of(asked)
    for id in [trash.id_of(name) for name in form.runs()]:
        trash.restore(id, by.name, by.address)
    return led_back(asked)


def _forget(asked: Request, form: Form) -> Response:
    by = visitor_of(asked)
    site_of(asked).store.trash.empty(form.runs(), by.name, by.address)
    return led_back(asked)
