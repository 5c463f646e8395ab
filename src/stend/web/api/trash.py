"""Runs that were removed over the API: the list, put back, gone for good."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request

from stend.errors import UnknownName
from stend.store import Removals, Trash
from stend.web.api.parameters import Paging, RunId
from stend.web.api.request import BASE
from stend.web.api.route import ADMIN, READ, WRITE, ApiRoute
from stend.web.site import site_of, visitor_of

router = APIRouter(prefix=BASE, route_class=ApiRoute)


@router.get("/trash", dependencies=[READ])
def list_trash(request: Request, query: Annotated[Paging, Query()]) -> Removals:
    """The removed runs that can be put back, last removed first."""
    return site_of(request).store.trash.listing(query.limit, query.after)


@router.post("/trash/{run}/restore", dependencies=[WRITE])
def restore_run(request: Request, run: RunId) -> None:
    """Put a removed run back."""
    trash, by = site_of(request).store.trash, visitor_of(request)
    trash.restore(_whole(trash, run), by.name, by.address)


@router.delete("/trash/{run}", dependencies=[ADMIN])
def forget_run(request: Request, run: RunId) -> None:
    """Remove a removed run for good."""
    trash, by = site_of(request).store.trash, visitor_of(request)
    trash.empty([_whole(trash, run)], by.name, by.address)


def _whole(trash: Trash, run: str) -> str:
    """The whole id of a removed run.

    Raises:
        UnknownName: no id begins so, or several do. A label that looks so is none.
    """
    found = trash.id_of(run)
    if not found.startswith(run):
        raise UnknownName(f"No removed run's id begins with {run}.")
    return found
