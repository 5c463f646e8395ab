"""A case's repetitions, which a run's page fetches when they are asked for."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.report.page import distribution_of
from stend.store import Right
from stend.web.addresses import of_history
from stend.web.guard import needs
from stend.web.site import DISTRIBUTION, site_of


def routes() -> list[BaseRoute]:
    """Beside the page of its run."""
    return [Route(DISTRIBUTION.format("{id}", "{place:int}"), needs(Right.READ, _distribution))]


def _distribution(asked: Request) -> Response:
    site = site_of(asked)
    with site.turns.taken():
        run = site.store.load(asked.path_params["id"])
        place = asked.path_params["place"]
        shown = distribution_of(run, place)
    case = run.cases[place]
    history = of_history(case.benchmark, case.parameters, case.variant, run.machine.host)
    return Response(
        msgspec.json.encode(shown | {"history": history}),
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )
