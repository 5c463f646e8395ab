"""The benchmarks that this stend has."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request

from stend.benchmarks.catalogue import Catalogue, Described, catalogue, described
from stend.benchmarks.pages import page
from stend.benchmarks.registry import find, load, named
from stend.web.api.parameters import Model, Text
from stend.web.api.request import BASE
from stend.web.api.route import READ, ApiRoute

router = APIRouter(prefix=BASE, route_class=ApiRoute)

BenchmarkName = Annotated[
    str,
    Path(
        pattern="^[A-Za-z0-9_.-]{1,100}$",
        description="Its whole name.",
        examples=["stream.triad"],
    ),
]


class Patterns(Model):
    """Which ones."""

    pattern: Annotated[list[Text], Field(max_length=50, examples=[["stream", "memory.*"]])] = []
    """A name, a family, a suite or a glob; several times for several. Default: all."""


class Page(msgspec.Struct):
    """A benchmark and its documentation."""

    benchmark: Described
    page: str
    """Markdown, without its title."""


@router.get("/benchmarks", dependencies=[READ])
def list_benchmarks(request: Request, query: Annotated[Patterns, Query()]) -> Catalogue:
    """The benchmarks that the server's stend has.

    As `stend list --json` prints them.
    """
    return catalogue(find(query.pattern), load()[1])


@router.get("/benchmarks/{benchmark}", dependencies=[READ])
def get_benchmark(request: Request, benchmark: BenchmarkName) -> Page:
    """A benchmark with its page."""
    found = named(benchmark)
    return Page(described(found), page(found))
