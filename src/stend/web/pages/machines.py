"""Small charts of trends without a script: a dot a run, a line at each change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import log

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.comparing.roster import roster, state_of
from stend.errors import UnknownName
from stend.record.text import minute
from stend.report import facts, trend_sentences
from stend.report.quantities import binary, figure
from stend.store import Filter, Right
from stend.trends.machine import facts_changed, headline_trends
from stend.trends.trend import Trend
from stend.web.addresses import name_of
from stend.web.guard import needs
from stend.web.site import site_of

WIDTH, HEIGHT = 240, 48
"""Of the drawing, in its own units."""
_ROOM = 5
_LEAST = 0.04
"""What the height spans at least, as a logarithm: noise of 1% should look like little."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A change."""

    x: float
    verdict: str
    said: str


@dataclass(frozen=True, slots=True)
class Spark:
    """What the template draws."""

    trend: Trend
    dots: tuple[tuple[float, float, str], ...]
    """Where each run stands, and what it is."""
    levels: tuple[tuple[float, float, float], ...]
    """From, to, at."""
    marks: tuple[Mark, ...]
    latest: str
    said: str


def spark(trend: Trend) -> Spark:
    """Draw one; the runs stand evenly, in the order of time."""
    values = [point.value for point in trend.points]
    heights = _heights(values)
    count = len(values)
    unit = trend.metric.unit
    return Spark(
        trend=trend,
        dots=tuple(
            (_x(i, count), heights[i], f"{minute(p.started)}: {trend_sentences.shown(p, unit)}")
            for i, p in enumerate(trend.points)
        ),
        levels=tuple(
            (_x(one.first, count), _x(one.last, count), _height_of(one.value, values, heights))
            for one in trend.levels
        ),
        marks=tuple(
            Mark(_x(change.index - 0.5, count), change.verdict.value,
                 trend_sentences.change_said(trend, change))
            for change in trend.changes
        ),
        latest=figure(values[-1], unit),
        said=trend_sentences.outcome(trend),
    )  # fmt: skip


def _x(place: float, count: int) -> float:
    return round(_ROOM + (WIDTH - 2 * _ROOM) * (place / (count - 1) if count > 1 else 0.5), 1)


def _heights(values: Sequence[float]) -> list[float]:
    low, span = _range(values)
    scaled = _scaled(values)
    return [round(HEIGHT - _ROOM - (HEIGHT - 2 * _ROOM) * (y - low) / span, 1) for y in scaled]


def _height_of(value: float, values: Sequence[float], heights: Sequence[float]) -> float:
    """Of a level: that of the run nearest to it, which is its median or beside it."""
    nearest = min(range(len(values)), key=lambda i: abs(values[i] - value))
    return heights[nearest]


def _scaled(values: Sequence[float]) -> list[float]:
    return [log(one) for one in values] if min(values) > 0 else list(values)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Where the height begins, and what it spans; the middle of the values is in its middle."""
    scaled = _scaled(values)
    low, high = min(scaled), max(scaled)
    least = _LEAST if min(values) > 0 else 1e-12
    span = max(high - low, least)
    return (low + high - span) / 2, span


_LOOKED_BACK = 200
"""Runs in which changes of facts are looked for."""
_FOLLOWED = 60
"""Runs that the small charts are of."""
_LISTED = 20


def routes() -> list[BaseRoute]:
    """The list, and one; a name that no path can have comes as a word."""
    return [
        Route("/machines", needs(Right.READ, _listed)),
        Route("/machines/{host}", needs(Right.READ, _named)),
        Route("/machine", needs(Right.READ, _asked)),
    ]


def _listed(asked: Request) -> Response:
    site = site_of(asked)
    found = roster(site.store)
    values = {"title": "Machines", "roster": found, "binary": binary}
    return site.page(asked, "machines.html", values)


def _named(asked: Request) -> Response:
    return _one(asked, asked.path_params["host"])


def _asked(asked: Request) -> Response:
    return _one(asked, asked.query_params.get("host"))


def _one(asked: Request, host: str | None) -> Response:
    site = site_of(asked)
    heads = site.store.heads(Filter(hosts=[host], limit=_LOOKED_BACK))
    if not heads:
        raise UnknownName(
            "No machine of this name has a stored run; the page of machines lists them."
        )
    newest = heads[0]
    with site.turns.taken():
        trends = headline_trends(site.store, host, _FOLLOWED, datetime.now(UTC))
    values = {
        "title": name_of(host),
        "host": host,
        "newest": newest,
        "state": state_of(newest, site.store.statuses([newest.id]).get(newest.id, {})),
        "facts": facts.facts(newest.machine),
        "headline": facts.headline(newest.machine),
        "unknown": facts.unknown(newest.machine),
        "changes": facts_changed(heads[::-1]),
        "looked_back": len(heads),
        "sparks": [spark(one) for one in trends],
        "runs": heads[:_LISTED],
        "trended": trend_sentences,
    }
    return site.page(asked, "one_machine.html", values)
