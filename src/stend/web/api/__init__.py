"""The REST API below /api/v1: its operations, routes and OpenAPI document."""

from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.web.api import (
    benchmarks,
    comparisons,
    fleet,
    health,
    live,
    runs,
    tokens,
    trash,
    uploads,
)
from stend.web.api.openapi import document
from stend.web.api.request import BASE
from stend.web.api.route import ApiRoute, addresses

PARTS = (runs, trash, live, comparisons, fleet, benchmarks, tokens, uploads, health)
OPERATIONS: tuple[ApiRoute, ...] = tuple(route for part in PARTS for route in part.router.routes)


def routes() -> list[BaseRoute]:
    """Every operation's, and the document's."""
    return [Route(f"{BASE}/openapi.json", _openapi), *addresses(OPERATIONS)]


def _openapi(_: Request) -> Response:
    return Response(_document(), media_type="application/json")


@cache
def _document() -> bytes:
    return msgspec.json.encode(document(OPERATIONS))
