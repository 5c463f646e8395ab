"""Uploads of run files in parts; an acknowledged part is on the disk."""

import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from stend.errors import BadValue, QuotaExceeded, UnknownName, WrongPlace
from stend.record import Record
from stend.record.text import printable
from stend.store import moments, opening
from stend.store.opening import Database
from stend.store.tables import parts, uploads

MOST_AT_ONCE = 4 << 20
"""Bytes of one part."""

MOST_EACH, MOST_BYTES_EACH = 128, 1 << 30
"""Uploads and their bytes that a sender may have under way: a fleet may share one token."""
MOST, MOST_BYTES = 1024, 4 << 30
"""The same for all senders together."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Upload(Record, frozen=True, kw_only=True):
    """How far a file is that is being sent."""

    id: str
    sender: str
    digest: str
    """SHA-256 of the bytes as they are sent, in hex."""
    bytes: int
    received: int
    """So many of its first bytes are stored; the next part begins there."""

    @property
    def whole(self) -> bool:
        """Whether all has come."""
        return self.received == self.bytes


class Uploads:
    """The files that are being sent to one store. Each verb is one transaction."""

    def __init__(self, database: Database, now: Callable[[], int] = moments.now) -> None:
        self._database, self._now = database, now

    def begin(self, sender: str, digest: str, size: int) -> Upload:
        """Begin to send a file of so many bytes, or go on with the same file of this sender.

        Raises:
            BadValue: this is no digest, or no size that a file of it can have.
            QuotaExceeded: the sender, or all together, have too much under way.
        """
        _refuse(digest, size)
        sender = printable(sender)
        own = uploads.c.sender == sender, uploads.c.digest == digest
        with self._database.writing() as connection:
            opening.take(connection, opening.Turn.UPLOADS)
            touched = update(uploads).where(*own).values(touched=self._now()).returning(uploads)
            row = connection.execute(touched).one_or_none()
            if row is None:
                _refuse_too_much(connection, sender, size)
                new = {"sender": sender, "digest": digest, "bytes": size, "received": 0}
                new |= {"id": uuid.uuid4().hex, "touched": self._now()}
                row = connection.execute(insert(uploads).values(**new).returning(uploads)).one()
        if row.bytes != size:
            raise BadValue(
                f"A file with this digest is being sent with {row.bytes:,} bytes, not {size:,}."
            )
        return _upload(row)

    def state(self, upload: str, sender: str) -> Upload:
        """How far the sender's upload of this id is.

        Raises:
            UnknownName: there is none, or none of this sender.
        """
        with self._database.reading() as connection:
            return _upload(_existing(connection, upload, sender))

    def append(self, upload: str, sender: str, first: int, content: bytes) -> int:
        """Store the bytes from the place `first` on, and tell how many of the first are there.

        Bytes that are there already change nothing.

        Raises:
            UnknownName: there is no such upload of this sender.
            WrongPlace: the bytes don't follow those that are there; it tells where to go on.
            BadValue: too many bytes, none, or others than are there.
        """
        if not 0 < len(content) <= MOST_AT_ONCE:
            raise BadValue(
                f"A part has 1 to {MOST_AT_ONCE:,} bytes, not {len(content):,}; send less at once."
            )
        with self._database.writing() as connection:
            row = _existing(connection, upload, sender, to_change=True)
            end = first + len(content)
            if first != row.received and not 0 <= first < end <= row.received:
                raise WrongPlace(
                    f"The first {row.received:,} bytes are here, so a part can't start at byte "
                    f"{first:,}; continue from byte {row.received:,}.",
                    row.received,
                )
            if end > row.bytes:
                raise BadValue(
                    f"The file was announced with {row.bytes:,} bytes, but this part ends at "
                    f"byte {end:,}."
                )
            if first < row.received:
                _refuse_others(connection, row.number, first, content)
                return int(row.received)
            new = {"upload": row.number, "first": first, "content": content}
            connection.execute(insert(parts).values(**new))
            longer = update(uploads).where(uploads.c.number == row.number)
            connection.execute(longer.values(received=end, touched=self._now()))
        return end

    def content(self, upload: str) -> Iterator[bytes]:
        """The bytes that have come, part by part, the first first.

        Raises:
            UnknownName: there is no such upload, or it ended meanwhile.
        """
        place = 0
        while True:
            with self._database.reading() as connection:
                row = _existing(connection, upload)
                here = parts.c.upload == row.number, parts.c.first == place
                part: bytes | None = connection.scalar(select(parts.c.content).where(*here))
            if part is None:
                return
            yield part
            place += len(part)

    def done(self, upload: str) -> None:
        """Forget an upload and all that has come of it, if it is there."""
        with self._database.writing() as connection:
            connection.execute(delete(uploads).where(uploads.c.id == printable(upload)))

    def forget_older(self, seconds: float) -> int:
        """Forget those of which nothing came for so long, and tell how many they were."""
        before = self._now() - round(seconds * 1e6)
        with self._database.writing() as connection:
            return connection.execute(delete(uploads).where(uploads.c.touched < before)).rowcount


def _refuse(digest: str, size: int) -> None:
    if not _DIGEST.fullmatch(digest):
        raise BadValue(
            f"{printable(digest[:80])!r} is not a SHA-256 digest, which has 64 digits of 0-9 and "
            "a-f."
        )
    if not 0 < size <= MOST_BYTES_EACH:
        raise BadValue(f"A file must have 1 to {MOST_BYTES_EACH:,} bytes, not {size:,}.")


def _refuse_too_much(connection: Connection, sender: str, size: int) -> None:
    count = func.count(), func.coalesce(func.sum(uploads.c.bytes), 0)
    number, taken = connection.execute(select(*count).where(uploads.c.sender == sender)).one()
    if number >= MOST_EACH or taken + size > MOST_BYTES_EACH:
        raise QuotaExceeded(
            f"{sender} has {number} uploads of {taken:,} bytes in progress, and may have at most "
            f"{MOST_EACH} of {MOST_BYTES_EACH:,} bytes; finish some, or try again later."
        )
    number, taken = connection.execute(select(*count)).one()
    if number >= MOST or taken + size > MOST_BYTES:
        raise QuotaExceeded(
            f"{number} uploads of {taken:,} bytes are in progress, and the server takes at most "
            f"{MOST} of {MOST_BYTES:,} bytes; try again later."
        )


def _existing(
    connection: Connection, upload: str, sender: str | None = None, to_change: bool = False
) -> Row[Any]:
    """The row; `to_change`, no other transaction changes it until this one ends."""
    found = select(uploads).where(uploads.c.id == printable(upload))
    if sender is not None:
        found = found.where(uploads.c.sender == printable(sender))
    if to_change:
        found = found.with_for_update()
    row = connection.execute(found).one_or_none()
    if row is None:
        raise UnknownName(
            f"No upload {printable(upload[:40])} is in progress: it ended, expired, or never "
            "began. Start it again."
        )
    return row


def _refuse_others(connection: Connection, number: int, first: int, content: bytes) -> None:
    """What comes again has to be what is there."""
    of = parts.c.upload == number
    begins = select(func.max(parts.c.first)).where(of, parts.c.first <= first)
    start: int = connection.scalars(begins).one()
    there = select(parts.c.content).where(of, parts.c.first >= start)
    there = there.where(parts.c.first < first + len(content)).order_by(parts.c.first)
    stored = b"".join(connection.scalars(there))
    if stored[first - start :][: len(content)] != content:
        raise BadValue(
            f"The bytes from {first:,} on are here already, but differ: the file changed while "
            "it was sent. Send it again."
        )


def _upload(row: Row[Any]) -> Upload:
    return Upload(
        id=row.id, sender=row.sender, digest=row.digest, bytes=row.bytes, received=row.received
    )
