"""The REST API below /api/v1: its operations, routes and OpenAPI document, and its health."""

from functools import cache
from typing import Literal

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend import __version__
from stend.store import Right
from stend.web.api import comparisons, live, runs, server, uploads
from stend.web.api.openapi import document
from stend.web.api.request import BASE
from stend.web.api.route import ApiRoute, addresses
from stend.web.site import site_of, visitor_of

router = APIRouter(prefix=BASE, route_class=ApiRoute)


class Health(msgspec.Struct, omit_defaults=True):
    """Both the server and its store answer; else the status is 503."""

    status: Literal["ok"]
    stend: str | msgspec.UnsetType = msgspec.UNSET
    """The server's version, for those who may read."""


@router.get("/health")
def health(request: Request) -> Health:
    """Whether the server and its store answer."""
    site_of(request).store.find(limit=1)
    may_read = visitor_of(request).right.includes(Right.READ)
    return Health("ok", __version__ if may_read else msgspec.UNSET)


ROUTERS = (*(part.router for part in (runs, live, comparisons, server, uploads)), router)
OPERATIONS: tuple[ApiRoute, ...] = tuple(route for one in ROUTERS for route in one.routes)


def routes() -> list[BaseRoute]:
    """Every operation's, and the document's."""
    return [Route(f"{BASE}/openapi.json", _openapi), *addresses(OPERATIONS)]


def _openapi(_: Request) -> Response:
    return Response(_document(), media_type="application/json")


@cache
def _document() -> bytes:
    return msgspec.json.encode(document(OPERATIONS))
