"""Times in words and back: `12 min` of seconds, `3 h ago` of a moment, a moment of a date."""

from datetime import UTC, datetime

from stend.errors import BadValue
from stend.record.text import printable

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

SET = datetime(2000, 1, 1, tzinfo=UTC)
"""A clock that tells an earlier time was never set: 1970 and 1980 are where they begin."""


def duration(seconds: float) -> str:
    """`0.8 s`, `75 s`, `12 min` or `3.2 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def ago(moment: str, now: datetime | None = None) -> str:
    """How long before `now` a moment was, as ISO 8601 with its zone has it; old ones by their day.

    A clock that runs ahead has moments that are still to come: they are `now`.
    """
    at = datetime.fromisoformat(moment)
    seconds = ((now or datetime.now(UTC)) - at).total_seconds()
    if seconds < _MINUTE:
        return "now" if seconds < 10 else f"{seconds:.0f} s ago"
    for unit, word, until in ((_MINUTE, "min", 90), (_HOUR, "h", 36), (_DAY, "days", 14)):
        if seconds < until * unit:
            return f"{seconds / unit:.0f} {word} ago"
    return at.astimezone(UTC).date().isoformat()


def minute(moment: str) -> str:
    """`2026-03-02 08:00`, in UTC."""
    return datetime.fromisoformat(moment).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def clock(moment: str) -> str:
    """`2026-03-02 08:00 UTC`."""
    return f"{minute(moment)} UTC"


def between(begun: str, ended: str) -> str:
    """How long it took; nothing where the clock was set back meanwhile."""
    seconds = (datetime.fromisoformat(ended) - datetime.fromisoformat(begun)).total_seconds()
    return duration(seconds) if seconds >= 0 else ""


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
            f"{printable(said[:80])!r} is not a date; write it like 2026-03-02 or 2026-03-02T08:00."
        ) from None
