"""The runs that are stored."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.store import Right
from stend.web.rights import needs
from stend.web.site import site_of

AT_ONCE = 50
"""Runs that a page lists."""


def routes() -> list[BaseRoute]:
    """The list of runs is where one begins."""
    return [
        Route("/", lambda _: RedirectResponse("/runs", 303)),
        Route("/runs", needs(Right.READ, _listed)),
    ]


def _listed(asked: Request) -> Response:
    site = site_of(asked)
    found = site.store.find(limit=AT_ONCE)
    return site.page(asked, "runs.html", {"title": "Runs", "runs": found})
