"""A metric over the runs of a machine: the report's page of trends in the site's frame."""

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
from stend.report.trend_page import page
from stend.store import Right
from stend.trends.machine import UNKNOWN, follow, machines_that_have
from stend.web.caches import shown
from stend.web.guard import needs
from stend.web.query import Text, words_of
from stend.web.site import site_of

_MOST_CHARTS = 60
"""On one page: a pattern such as * means thousands of cases."""


def routes() -> list[BaseRoute]:
    """One page."""
    return [Route("/history", needs(Right.READ, _answer))]


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
