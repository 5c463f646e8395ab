"""Who may do what on this server, and what was done."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from stend.record.times import moment_of
from stend.store import Entry, Right, Token
from stend.web.api.operation import Asked, Date, Operation


class Tokens(msgspec.Struct):
    """All tokens, those that are expired or revoked too, the newest first."""

    tokens: list[Token]


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    """Whose it is, and what it allows."""

    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["bench7"])]
    """Of a machine or a person; no other valid token may have it."""
    right: Literal["read", "write", "admin"]
    expires: Date | None = None
    """When the token expires; null: never."""


class MadeToken(msgspec.Struct):
    """A token, and its text."""

    token: Token
    text: str
    """What to send as `Authorization: Bearer …`; it can't be shown again."""


class Entries(msgspec.Struct):
    """What was done, newest first."""

    entries: list[Entry]


class Which(msgspec.Struct):
    """Which entries of the log."""

    limit: Annotated[int, Meta(ge=1, le=1000, description="At most this many.")] = 100
    before: Annotated[int, Meta(ge=1, description="Only those before this number.")] | None = None


def _listed(asked: Asked) -> Tokens:
    return Tokens(asked.site.store.access.tokens())


def _added(asked: Asked) -> MadeToken:
    new, visitor = asked.body, asked.visitor
    expires = moment_of(new.expires) if new.expires else None
    access = asked.site.store.access
    return MadeToken(
        *access.add(new.name, Right(new.right), expires, visitor.name, visitor.address)
    )


def _revoked(asked: Asked) -> Token:
    visitor = asked.visitor
    return asked.site.store.access.revoke(asked.path["token"], visitor.name, visitor.address)


def _read(asked: Asked) -> Entries:
    return Entries(asked.site.store.audit.read(asked.query.limit, asked.query.before))


OPERATIONS = (
    Operation(
        "list_tokens", "GET", "/tokens", "The tokens, without their texts",
        Right.ADMIN, _listed, Tokens,
    ),
    Operation(
        "add_token", "POST", "/tokens",
        "Make a token\n\nIts text is in this answer and nowhere else.",
        Right.ADMIN, _added, MadeToken, body=NewToken, status=201,
    ),
    Operation(
        "revoke_token", "DELETE", "/tokens/{token}",
        "Revoke a token, and sign out all browsers that used it",
        Right.ADMIN, _revoked, Token,
    ),
    Operation(
        "read_audit", "GET", "/audit", "What was done to runs and tokens, newest first",
        Right.ADMIN, _read, Entries, Which,
    ),
)  # fmt: skip
