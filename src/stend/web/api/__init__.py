"""The REST API below /api/v1: its operations, routes and OpenAPI document."""

from functools import cache

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
from stend.web.api.endpoints import routes_of
from stend.web.api.openapi import document
from stend.web.api.operation import BASE, Operation

OPERATIONS: tuple[Operation, ...] = (
    *runs.OPERATIONS,
    *trash.OPERATIONS,
    *live.OPERATIONS,
    *comparisons.OPERATIONS,
    *fleet.OPERATIONS,
    *benchmarks.OPERATIONS,
    *tokens.OPERATIONS,
    *uploads.OPERATIONS,
    *health.OPERATIONS,
)


def routes() -> list[BaseRoute]:
    """Every operation's, and the document's."""
    return [Route(f"{BASE}/openapi.json", _openapi), *routes_of(OPERATIONS)]


def _openapi(_: Request) -> Response:
    return Response(_described(), media_type="application/json")


@cache
def _described() -> bytes:
    return document(OPERATIONS)
