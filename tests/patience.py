"""How long a test waits for an event: only a hang takes longer, even on a busy machine."""

import time
from collections.abc import Callable

PATIENCE = 240.0
"""Seconds."""


def comes_true(claim: Callable[[], object], within: float = PATIENCE) -> bool:
    """Whether something becomes true in time (s)."""
    over = time.monotonic() + within
    while not claim():
        if time.monotonic() > over:
            return False
        time.sleep(0.01)
    return True
