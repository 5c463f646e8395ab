"""What changed between two days: on which machines, in which facts, in which figures."""

from datetime import UTC, date, datetime

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.report.quantities import percent
from stend.store import Right
from stend.trends.two_days import NOTED, Between
from stend.web.caches import changed
from stend.web.guard import needs
from stend.web.pages.fleet import kind_of
from stend.web.query import Size, Text, words_of
from stend.web.site import site_of

_BACK = 7
"""Days."""


def routes() -> list[BaseRoute]:
    """One page."""
    return [Route("/changes", needs(Right.READ, _shown))]


class Words(msgspec.Struct, rename={"first": "from", "last": "to"}):
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


def _shown(asked: Request) -> Response:
    site = site_of(asked)
    between = words_of(asked, Words).between()
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
