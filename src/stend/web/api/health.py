"""Whether the server can do its work."""

from typing import Literal

import msgspec
from fastapi import APIRouter
from starlette.requests import Request

from stend import __version__
from stend.store import Right
from stend.web.api.request import BASE
from stend.web.api.route import ApiRoute
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
