"""The benchmarks that this stend has."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stend.benchmarks.catalogue import Catalogue, Described, catalogue, described
from stend.benchmarks.pages import page
from stend.benchmarks.registry import find, load, named
from stend.store import Right
from stend.web.api.operation import Asked, Operation, Text


class Patterns(msgspec.Struct):
    """Which ones."""

    pattern: Annotated[
        list[Text],
        Meta(
            max_length=50,
            description="A name, a family, a suite or a glob; several times for several. "
            "Default: all.",
            examples=[["stream", "memory.*"]],
        ),
    ] = []


class Page(msgspec.Struct):
    """A benchmark and its documentation."""

    benchmark: Described
    page: str
    """Markdown, without its title."""


def _listed(asked: Asked) -> Catalogue:
    return catalogue(find(asked.query.pattern), load()[1])


def _one(asked: Asked) -> Page:
    found = named(asked.path["benchmark"])
    return Page(described(found), page(found))


OPERATIONS = (
    Operation(
        "list_benchmarks", "GET", "/benchmarks",
        "The benchmarks that the server's stend has\n\nAs `stend list --json` prints them.",
        Right.READ, _listed, Catalogue, Patterns,
    ),
    Operation(
        "get_benchmark", "GET", "/benchmarks/{benchmark}",
        "A benchmark with its page", Right.READ, _one, Page,
    ),
)  # fmt: skip
