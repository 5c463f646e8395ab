"""Moments as the store counts them, microseconds since 1970, and as they are shown."""

import time
from datetime import UTC, datetime, timedelta

MINUTE = 60_000_000
"""Microseconds."""
DAY = 24 * 60 * MINUTE

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


def counted(moment: datetime) -> int:
    """Microseconds since 1970 at a moment whose zone is known."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def shown(moment: int) -> str:
    """`2026-11-23T10:00:00Z`."""
    at = _EPOCH + timedelta(microseconds=moment)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
