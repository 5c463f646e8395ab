"""Stored runs over the API: the list, one whole, its figures; and those in the trash."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request

from stend.errors import UnknownName
from stend.record import Run, Status
from stend.record.run_file import to_run_file
from stend.record.text import moment_of
from stend.report.figures import Figures, figures
from stend.store import Choices, Listing, Removals, Trash
from stend.store import Query as Filters
from stend.web.api.request import BASE, LITERAL, Absent, Model, Moment, Paging, RunId, Text
from stend.web.api.route import ADMIN, READ, WRITE, ApiRoute, in_turn
from stend.web.site import Site, site_of, visitor_of

router = APIRouter(prefix=BASE, route_class=ApiRoute)


class RunsQuery(Paging):
    """Which runs: those for which all that is given holds."""

    search: Annotated[Text, Field(examples=["bench7 stream"])] = ""
    """Words, at most 16. Each is part of the run's label, its machine, its command or the name of
    one of its benchmarks, in capitals or not, or at least 4 digits of its id's beginning."""
    label: Text | Absent = None
    """It has this label."""
    host: Text | Absent = None
    """It was measured on this machine."""
    group: Text | Absent = None
    """It belongs to this session of a fleet."""
    size: Literal["quick", "full", "check"] | Absent = None
    """It has this size."""
    status: list[Annotated[Status, Field(strict=False)]] = []
    """One of its cases ended in this way; repeat for others."""
    finished: Annotated[bool, LITERAL] | Absent = None
    """It has ended."""
    benchmark: Annotated[Text, Field(examples=["stream.*"])] | Absent = None
    """A case is of this benchmark or family, or of one that a glob matches."""
    since: Moment | Absent = None
    """It began then or later."""
    until: Moment | Absent = None
    """It began before."""


class Label(Model):
    """What to call a run."""

    label: Annotated[Text, Field(examples=["before"])]
    """Empty: no more."""


class Named(msgspec.Struct):
    """A run and what it is called."""

    id: str
    label: str


class RunFile(msgspec.Struct):
    """A run file, as `stend export` writes it; docs/formats.md has every field."""

    stend: str
    """"run": what the file is."""
    schema: int
    """The version of the records."""
    run: Run


@router.get("/runs", dependencies=[READ])
def list_runs(request: Request, query: Annotated[RunsQuery, Query()]) -> Listing:
    """The stored runs, newest first.

    Page by page: `after` of the next page is `next` of this one; runs that come or go meanwhile
    move nothing.
    """
    filters = Filters(
        search=query.search,
        label=query.label,
        host=query.host,
        group=query.group,
        size=query.size,
        statuses=query.status or None,
        finished=query.finished,
        benchmark=query.benchmark,
        since=_moment(query.since),
        until=_moment(query.until),
    )
    return site_of(request).store.listing(filters, query.limit, query.after)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment_of(text)


@router.get("/runs/choices", dependencies=[READ])
def list_choices(request: Request) -> Choices:
    """The labels, machines, benchmarks and families that stored runs have."""
    return site_of(request).store.choices()


@router.patch("/runs/{run}", dependencies=[WRITE])
def relabel_run(request: Request, run: RunId, body: Label) -> Named:
    """Give a run another label."""
    site, by = site_of(request), visitor_of(request)
    return Named(site.store.relabel(_whole(site, run), body.label, by.name, by.address), body.label)


@router.delete(
    "/runs/{run}",
    dependencies=[WRITE],
    responses={409: {"description": "It may still be in progress."}},
)
def remove_run(request: Request, run: RunId) -> None:
    """Move a run to the trash.

    `POST /trash/{run}/restore` puts it back.
    """
    site, by = site_of(request), visitor_of(request)
    site.store.trash.put(_whole(site, run), by.name, by.address)


@router.get("/runs/{run}", dependencies=[READ], response_model=RunFile)
@in_turn
def get_run(request: Request, run: RunId) -> bytes:
    """A run with every sample, as a run file.

    `stend import` reads it.
    """
    site = site_of(request)
    return to_run_file(site.store.load(_whole(site, run)))


@router.get("/runs/{run}/figures", dependencies=[READ], response_model=Figures)
def get_figures(request: Request, run: RunId) -> bytes:
    """A run's figures without its samples.

    As `stend show --json` prints them.
    """
    site = site_of(request)
    found = site.store.head(_whole(site, run))

    def made() -> bytes:
        with site.turns.taken():
            return msgspec.json.encode(figures(site.store.load(found.id)))

    if found.finished is None:
        return made()
    return site.kept.get(("figures", site.store.state(found.id)), made)


def _whole(site: Site, run: str) -> str:
    """The whole id of a run, which may be damaged.

    Raises:
        UnknownName: no id begins so, or several do. A label that looks so is none.
    """
    found = site.store.id_of(run)
    if not found.startswith(run):
        raise UnknownName(f"No stored run's id begins with {run}.")
    return found


@router.get("/trash", dependencies=[READ])
def list_trash(request: Request, query: Annotated[Paging, Query()]) -> Removals:
    """The removed runs that can be put back, last removed first."""
    return site_of(request).store.trash.listing(query.limit, query.after)


@router.post("/trash/{run}/restore", dependencies=[WRITE])
def restore_run(request: Request, run: RunId) -> None:
    """Put a removed run back."""
    trash, by = site_of(request).store.trash, visitor_of(request)
    trash.restore(_whole_id(trash, run), by.name, by.address)


@router.delete("/trash/{run}", dependencies=[ADMIN])
def forget_run(request: Request, run: RunId) -> None:
    """Remove a removed run for good."""
    trash, by = site_of(request).store.trash, visitor_of(request)
    trash.empty([_whole_id(trash, run)], by.name, by.address)


def _whole_id(trash: Trash, run: str) -> str:
    """The whole id of a removed run.

    Raises:
        UnknownName: no id begins so, or several do. A label that looks so is none.
    """
    found = trash.id_of(run)
    if not found.startswith(run):
        raise UnknownName(f"No removed run's id begins with {run}.")
    return found
