"""A date as people write it → a moment with its zone."""

from datetime import UTC, datetime

from stend.errors import BadValue
from stend.printable import printable


def moment_of(said: str) -> datetime:
    """The moment of `2026-03-02` or `2026-03-02T08:00`, in UTC where it names no zone.

    Raises:
        BadValue: it is no date.
    """
    try:
        found = datetime.fromisoformat(said)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadValue(
            f"{printable(said[:80])!r} is no date; it looks like 2026-03-02 or 2026-03-02T08:00."
        ) from None
