"""A metric over the runs of a machine, and what changed between two days."""

import platform
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.comparing.selection import asked as read
from stend.report.frame import Frame
from stend.report.quantities import percent
from stend.report.trend_page import page
from stend.store import Right
from stend.trends.machine import UNKNOWN, follow, machines_that_have
from stend.trends.two_days import NOTED, Between
from stend.web.form import Size, Text, words_of
from stend.web.guard import needs
from stend.web.pages.fleet import kind_of
from stend.web.site import site_of
from stend.web.verdicts import changed, shown

_MOST_CHARTS = 60
"""On one page: a pattern such as * means thousands of cases."""


def routes() -> list[BaseRoute]:
    """One page of each."""
    return [
        Route("/history", needs(Right.READ, _answer)),
        Route("/changes", needs(Right.READ, _changes)),
    ]


class Words(msgspec.Struct):
    """What the page takes."""

    metric: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    """A benchmark or a pattern, then words that its cases must have."""
    host: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    label: Text | None = None
    since: date | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100


def _answer(asked: Request) -> Response:
    site, words = site_of(asked), words_of(asked, Words)
    if not words.metric.strip():
        benchmarks = site.store.benchmarks()
        values = {"title": "History", "words": words, "benchmarks": benchmarks, "hosts": {}}
        return site.page(asked, "history_begin.html", values)
    metric = read([words.metric])
    hosts = machines_that_have(site.store, metric)

    def made(frame: Frame) -> str:
        followed = follow(
            site.store,
            metric,
            here=platform.node(),
            host=words.host or _one_of(hosts),
            label=words.label,
            since=datetime.combine(words.since, time(), UTC) if words.since else None,
            limit=words.limit,
            now=datetime.now(UTC),
        )
        drawn = msgspec.structs.replace(followed, trends=followed.trends[:_MOST_CHARTS], others={})
        more = {
            "words": words,
            "hosts": hosts,
            "benchmarks": site.store.benchmarks(),
            "chosen": followed.host,
            "left_out": len(followed.trends) - len(drawn.trends),
        }
        return page(drawn, replace(frame, values=frame.values | more), "history.html")

    return shown(asked, made)


def _one_of(hosts: dict[str | None, int]) -> str | None:
    """This machine where it has runs, else the one that has most; None: `follow` chooses."""
    if not hosts or platform.node() in hosts:
        return None
    most = max(hosts, key=lambda host: hosts[host])
    return UNKNOWN if most is None else most


_BACK = 7
"""Days."""


class Days(msgspec.Struct, rename={"first": "from", "last": "to"}):
    """What the page takes."""

    first: date | None = None
    last: date | None = None
    label: Text | None = None
    size: Size | None = None

    def between(self) -> Between:
        """The days; of a week that ends today, where none are named."""
        last = self.last or datetime.now(UTC).date()
        first = self.first or date.fromordinal(max(1, last.toordinal() - _BACK))
        return Between(first, last, self.label, self.size)


def _changes(asked: Request) -> Response:
    site = site_of(asked)
    between = words_of(asked, Days).between()
    found = changed(site, between)
    families = dict.fromkeys(name for step in found.steps for name in step.families)
    moved = sorted(found.steps, key=lambda step: -(step.worse + step.better))
    values = {
        "title": "What changed",
        "between": between,
        "changes": found,
        "steps": moved,
        "families": families,
        "noted": NOTED,
        "kind_of": kind_of,
        "percent": percent,
    }
    return site.page(asked, "changes.html", values)
