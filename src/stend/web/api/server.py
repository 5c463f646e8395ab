"""The server over the API: its benchmarks, who may do what on it, and what was done."""

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request

from stend.benchmarks.catalogue import Catalogue, Described, catalogue, described
from stend.benchmarks.pages import page
from stend.benchmarks.registry import find, load, named
from stend.record.text import moment_of
from stend.store import Entry, Right, Token
from stend.web.api.request import BASE, LITERAL, Absent, Model, Moment, Text
from stend.web.api.route import ADMIN, READ, ApiRoute
from stend.web.site import site_of, visitor_of

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


TokenId = Annotated[
    str, Path(pattern="^[A-Za-z0-9]{12}$", description="The token's id, which is no secret.")
]


class Tokens(msgspec.Struct):
    """All tokens, those that are expired or revoked too, the newest first."""

    tokens: list[Token]


class NewToken(Model):
    """Whose it is, and what it allows."""

    name: Annotated[str, Field(min_length=1, max_length=100, examples=["bench7"])]
    """Of a machine or a person; no other valid token may have it."""
    right: Literal["read", "write", "admin"]
    expires: Moment | None = None
    """When the token expires; null: never."""


class MadeToken(msgspec.Struct):
    """A token, and its text."""

    token: Token
    text: str
    """What to send as `Authorization: Bearer …`; it can't be shown again."""


class Entries(msgspec.Struct):
    """What was done, newest first."""

    entries: list[Entry]


class AuditQuery(Model):
    """Which entries of the log."""

    limit: Annotated[int, Field(ge=1, le=1000), LITERAL] = 100
    """At most this many."""
    before: Annotated[int, Field(ge=1), LITERAL] | Absent = None
    """Only those before this number."""


@router.get("/tokens", dependencies=[ADMIN])
def list_tokens(request: Request) -> Tokens:
    """The tokens, without their texts."""
    return Tokens(site_of(request).store.access.tokens())


@router.post("/tokens", dependencies=[ADMIN], status_code=201)
def add_token(request: Request, body: NewToken) -> MadeToken:
    """Make a token.

    Its text is in this answer and nowhere else.
    """
    access, by = site_of(request).store.access, visitor_of(request)
    expires = moment_of(body.expires) if body.expires else None
    return MadeToken(*access.add(body.name, Right(body.right), expires, by.name, by.address))


@router.delete("/tokens/{token}", dependencies=[ADMIN])
def revoke_token(request: Request, token: TokenId) -> Token:
    """Revoke a token, and sign out all browsers that used it."""
    by = visitor_of(request)
    return site_of(request).store.access.revoke(token, by.name, by.address)


@router.get("/audit", dependencies=[ADMIN])
def read_audit(request: Request, query: Annotated[AuditQuery, Query()]) -> Entries:
    """What was done to runs and tokens, newest first."""
    return Entries(site_of(request).store.audit.read(query.limit, query.before))
