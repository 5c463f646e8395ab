"""`stend backup`, `restore`, `audit` and `token`: what an operator does with a store."""

import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import Json, Store, print_json, size_of


def backup_verb(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A new file; an existing one is never replaced.")
    ],
    store: Store = None,
) -> None:
    """Write a consistent copy of a store to a file, while others use it.

    The file is a store itself: every verb reads it with --store. It has the runs, removed runs that
    can be put back, tokens (with hashes of their secrets) and the audit log; only its owner can
    read it. Example: `stend backup stend-2026-11-23.db --store postgresql:///stend`.
    """
    from stend.cli.progress import Steps
    from stend.record.text import printable
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs, Steps() as steps:
        done = runs.back_up(file, steps.reached)
    print(f"Wrote {done.said} to {printable(str(file))}{size_of(file)}.")


def restore_verb(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A backup that `stend backup` wrote, or another store's file."
        ),
    ],
    store: Store = None,
) -> None:
    """Restore a backup into an empty store, completely or not at all.

    Every row is read back and compared, and every run is loaded. Example:
    `stend restore stend-2026-11-23.db --store postgresql:///stend`.
    """
    from stend.cli.options import whoever
    from stend.cli.progress import Steps
    from stend.record.text import printable
    from stend.store import Store as Runs

    with Runs.open(store) as runs:
        with Steps() as steps:
            done = runs.restore(file, steps.reached, whoever())
        damaged = runs.damaged()
    print(f"Restored {done.said} from {printable(str(file))}.")
    if damaged:
        print(f"Damaged in the backup, and so here; they can't be shown: {', '.join(damaged)}.")
    if done.tokens:
        print(
            "Tokens are as they were when the backup was made: revoke again those revoked since "
            "(`stend token list`)."
        )


def audit_verb(
    limit: Annotated[
        int,
        typer.Option(
            "-n", "--limit", metavar="N", min=1, max=1_000_000, help="At most this many entries."
        ),
    ] = 20,
    store: Store = None,
    json: Json = False,
) -> None:
    """List what was done to the runs and tokens of a server, the newest first."""
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        found = runs.audit.read(limit)
    if json:
        print_json(found)
    else:
        from stend.report import terminal

        terminal.print_audit(found)


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
            f"{said!r} is not a time; write it like 90d, 2027-03-02 or 2027-03-02T08:00."
        ) from None


def add_token(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Name of the machine or person that gets the token."),
    ],
    *,
    rights: Annotated[
        Rights,
        typer.Option(
            "--rights",
            help="read: see runs; write: also send, label and remove them; admin: also "
            "manage tokens, read the audit log, and remove runs for good.",
        ),
    ],
    expires: Annotated[
        str | None,
        typer.Option(
            "--expires",
            metavar="WHEN",
            help="When the token expires: 90d, or a UTC date or time. Default: never.",
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Make a token and print it, which is the only time it can be seen.

    The store keeps a hash of it. Only the token is on standard output. Examples:
    `stend token add bench7 --rights write --expires 90d > token`,
    `stend token add maria --rights admin`.
    """
    from stend.cli.options import whoever
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


def list_token(store: Store = None, json: Json = False) -> None:
    """List the tokens, newest first, including expired and revoked ones.

    The store has no token's text, so it can't be shown.
    """
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        found = runs.access.tokens()
    if json:
        print_json(found)
    else:
        from stend.report import terminal

        terminal.print_tokens(found)


def revoke_token(
    which: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Its name or its id, as `stend token list` shows it."),
    ],
    store: Store = None,
) -> None:
    """Revoke a token, and sign out all browsers that used it.

    It stays in the list. Example: `stend token revoke bench7`.
    """
    from stend.cli.options import whoever
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        token = runs.access.revoke(which, whoever())
    print(f"The token {token.id} of {token.name} was revoked at {token.revoked}.")


TOKEN_HELP = (
    "Tokens: who may use a server with this store, and with which right.\n\n`add` makes one for "
    "a machine or a person and prints it, once; `list` shows what there is, and `revoke` ends "
    "one at once."
)

TOKEN_VERBS: dict[str, Callable[..., None]] = {
    "add": add_token,
    "list": list_token,
    "revoke": revoke_token,
}
