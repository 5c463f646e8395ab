"""What only one transaction may do at a time, such as counting rows before it adds one."""

from enum import IntEnum

from sqlalchemy import Connection, text


class Turn(IntEnum):
    """What is taken in turns; the numbers are the same in every version of stend."""

    TOKENS = 1
    UPLOADS = 2
    TRASH = 3


_OURS = 0x7374656E
""""sten" in ASCII: the first half of the keys of PostgreSQL's advisory locks."""


def take(connection: Connection, turn: Turn) -> None:
    """Wait until no other transaction has this turn; it ends with the transaction.

    SQLite has one writing transaction at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        keys = {"ours": _OURS, "turn": int(turn)}
        connection.execute(text("select pg_advisory_xact_lock(:ours, :turn)"), keys)
