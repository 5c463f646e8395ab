"""Active runs over the API: their progress, and what came since the last request."""

import platform
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request

from stend.comparing import estimate
from stend.errors import UnknownName
from stend.record import CaseRecord, Status
from stend.record.text import clock
from stend.report.quantities import figure
from stend.store import ActiveRun, Cursor, Store
from stend.web.api.request import BASE, Model, RunId
from stend.web.api.route import READ, ApiRoute
from stend.web.compute_slots import Load
from stend.web.site import site_of

router = APIRouter(prefix=BASE, route_class=ApiRoute)

AT_ONCE = 30
"""Cases that are told together: the newest."""


class Running(ActiveRun, frozen=True, kw_only=True):
    """A run in progress, and how long it goes on."""

    here: bool
    """Whether it measures the machine that this server is on."""
    seconds: float
    """Since it began."""
    left: float | None
    """Seconds that it may still take, where enough is done to tell."""
    silent: float | None
    """Seconds since it last told how far it is."""
    said: str
    """What it does now, or that nobody knows."""


class Live(msgspec.Struct):
    """All runs in progress."""

    runs: list[Running]
    load: Load | None
    """Of the server's own machine; None where it can't be read."""


class Line(msgspec.Struct):
    """A case and what is known of it so far."""

    key: str
    """The same when it is told again."""
    name: str
    status: str
    figure: str
    """Empty where there is none."""
    said: str
    """Why there is none, or what to beware of."""
    processes: int


class News(msgspec.Struct):
    """What came of one run since."""

    run: Running | None
    """None when it has ended."""
    lines: list[Line]
    """The newest last."""
    after: str
    """To ask for what comes next."""
    load: Load | None


class Since(Model):
    """From where to go on."""

    after: Annotated[str, Field(pattern="^[0-9]{1,18}-[0-9]{1,18}$")] = "0-0"
    """`after` of the last."""


def running(one: ActiveRun) -> Running:
    """A run in progress, as it is now."""
    now = datetime.now(UTC)
    seconds = (now - datetime.fromisoformat(one.started)).total_seconds()
    silent = None
    if one.heard is not None:
        silent = max(0.0, (now - datetime.fromisoformat(one.heard)).total_seconds())
    return Running(
        **msgspec.structs.asdict(one),
        here=one.host == platform.node(),
        seconds=max(0.0, seconds),
        left=_left(one.share, seconds - (silent or 0.0)),
        silent=silent,
        said=_state_in_words(one),
    )


def _state_in_words(one: ActiveRun) -> str:
    if one.killed:
        since = f" since {clock(one.heard)}" if one.heard else ""
        return f"It has been silent{since}; what it measured before is stored."
    return one.doing if one.heard else "It has not reported its progress."


_ENOUGH = 0.05
"""Share of a run before which nobody can say how long it takes."""


def _left(share: float, seconds: float) -> float | None:
    """As long as what was done took; the first pass over the cases is like the others."""
    return seconds * (1 - share) / share if share >= _ENOUGH and seconds > 0 else None


def under_way(store: Store) -> list[Running]:
    """Those that go on before those that were killed, and of these those of this machine first."""
    found = map(running, store.progress.under_way())
    return sorted(found, key=lambda one: (one.killed, not one.here))


@router.get("/live", dependencies=[READ])
def list_live(request: Request) -> Live:
    """The runs in progress."""
    site = site_of(request)
    return Live(under_way(site.store), site.cpu_load.now())


@router.get("/live/{run}", dependencies=[READ])
def get_live(request: Request, run: RunId, query: Annotated[Since, Query()]) -> News:
    """New figures of a run in progress."""
    site = site_of(request)
    case, sample = map(int, query.after.split("-"))
    news = site.store.news(run, Cursor(case, sample), AT_ONCE)
    found = next((one for one in site.store.progress.under_way() if one.id == run), None)
    if found is None and not news.cases and (case, sample) == (0, 0):
        raise UnknownName(f"No run {run} is in progress; `stend runs` lists those that ended.")
    return News(
        run=None if found is None else running(found),
        lines=[line(case) for case in news.cases],
        after=f"{news.place.case}-{news.place.sample}",
        load=site.cpu_load.now(),
    )


def line(case: CaseRecord) -> Line:
    """What is known of a case so far."""
    found = estimate(case) if case.has_figure else None
    cautions = ", ".join(case.cautions)
    return Line(
        key=f"{case.side} {case.key}".strip(),
        name=f"{case.side} {case.name}".strip(),
        status=case.status.value,
        figure=figure(found.value, found.unit, found.ends) if found else "",
        said=cautions if case.status is Status.MEASURED else case.reason or cautions,
        processes=len(case.samples),
    )
