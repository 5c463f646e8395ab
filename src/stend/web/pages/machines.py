"""All machines, and one: its facts, its runs, how its figures went."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.comparing.roster import roster, state_of
from stend.errors import UnknownName
from stend.report import facts, trend_sentences
from stend.report.quantities import binary
from stend.store import Filter, Right
from stend.trends.machine import facts_changed, headline_trends
from stend.web.addresses import name_of
from stend.web.guard import needs
from stend.web.pages.sparks import spark
from stend.web.site import site_of

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
            "No stored run is of a machine of this name; the page of machines lists those there "
            "are."
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
