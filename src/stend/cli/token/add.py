"""`stend token add`: a token for a machine or a person."""

import re
import sys
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from stend.cli.options import Store


class Rights(StrEnum):
    """A name of a right that a token can give."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


def _moment(said: str | None) -> datetime | None:
    """When `90d` from now is, or a date begins."""
    if said is None:
        return None
    try:
        if days := re.fullmatch(r"([0-9]{1,5})d", said):
            return datetime.now(UTC) + timedelta(days=int(days[1]))
        found = datetime.fromisoformat(said)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise typer.BadParameter(
            f"{said!r} is no time; it looks like 90d, 2027-03-02 or 2027-03-02T08:00."
        ) from None


def verb(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The machine or the person.")],
    *,
    rights: Annotated[
        Rights,
        typer.Option(
            "--rights",
            help="read: see the runs; write: send, label and remove runs, too; admin: also tokens, "
            "the audit log, and runs for good.",
        ),
    ],
    expires: Annotated[
        str | None,
        typer.Option(
            "--expires",
            metavar="WHEN",
            help="From when on it is worth nothing: 90d, or a date or time in UTC. Default: never.",
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Make a token and print it: the only time that it can be seen.

    The store keeps a hash of it. Only the token is on standard output. Examples:
    `stend token add bench7 --rights write --expires 90d > token`,
    `stend token add maria --rights admin`.
    """
    from stend.cli.whoever import whoever
    from stend.store import Right
    from stend.store import Store as Runs

    until = _moment(expires)
    with Runs.open(store) as runs:
        token, text = runs.access.add(name, Right(rights.value), until, whoever())
    print(text)
    end = f"until {token.expires}" if token.expires else f"until `stend token revoke {token.id}`"
    print(
        f"{token.name} has the right {token.right} {end}, at servers of the store {runs.name}. "
        "The token is not shown again: keep it where only its user can read it.",
        file=sys.stderr,
    )
