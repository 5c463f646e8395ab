"""The REST API below /api/v1: operations in, routes and their OpenAPI document out."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.web.api import live, runs
from stend.web.api.openapi import document
from stend.web.api.operation import BASE, Operation, route

OPERATIONS: tuple[Operation, ...] = (*runs.OPERATIONS, *live.OPERATIONS)


def routes() -> list[BaseRoute]:
    """Every operation's, and the document's."""
    described = document(OPERATIONS)

    def openapi(_: Request) -> Response:
        return Response(described, media_type="application/json")

    return [*map(route, OPERATIONS), Route(f"{BASE}/openapi.json", openapi)]
