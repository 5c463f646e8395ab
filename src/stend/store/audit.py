"""The audit log: who changed what, when and from where. Rows are added, never changed."""

from sqlalchemy import Connection, insert, select

from stend.record import Record
from stend.record.text import printable
from stend.store import moments
from stend.store.opening import Database
from stend.store.tables import audit

_LARGEST = 2**63 - 1
"""A number of a row."""


class Entry(Record, frozen=True, kw_only=True):
    """One deed."""

    number: int
    """Of two entries the later one has the larger."""
    at: str
    who: str
    """A token's name, or how somebody without a token is called."""
    address: str
    """From where; empty for what was done on the store's own machine."""
    did: str
    """In a few words that are the same for every such deed: `token revoke`."""
    to: str
    """What it was done to: a run's id, a token's name."""
    said: str
    """What else is to be known of it."""


def note(
    connection: Connection, who: str | None, address: str, did: str, to: str = "", said: str = ""
) -> None:
    """Add an entry in the transaction of what it tells of: both are stored, or neither is.

    What nobody is named for, as by Python's users, is not noted.
    """
    if who is None:
        return
    texts = {"who": who, "address": address, "did": did, "to": to, "said": said}
    row = {name: printable(words) for name, words in texts.items()}
    connection.execute(insert(audit).values(at=moments.now(), **row))


class Audit:
    """The log of one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, who: str, address: str, did: str, to: str = "", said: str = "") -> None:
        """Add an entry; of each text at most 1,000 characters, control characters as escapes.

        The store's verbs that take who does it note it themselves, in their own transactions.
        """
        with self._database.writing() as connection:
            note(connection, who, address, did, to, said)

    def read(
        self,
        limit: int,
        before: int | None = None,
        *,
        who: str | None = None,
        did: str | None = None,
    ) -> list[Entry]:
        """The newest entries, newest first; those `before` the one of that number."""
        chosen = select(audit).order_by(audit.c.number.desc()).limit(limit)
        if before is not None:
            chosen = chosen.where(audit.c.number < min(before, _LARGEST))
        if who is not None:
            chosen = chosen.where(audit.c.who == printable(who))
        if did is not None:
            chosen = chosen.where(audit.c.did == printable(did))
        with self._database.reading() as connection:
            rows = connection.execute(chosen).mappings().all()
        return [Entry(**{**row, "at": moments.shown(row["at"])}) for row in rows]
