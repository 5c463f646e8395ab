"""How long to go on when a connection breaks or a server has no time: pauses that grow."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

LONGEST = 30.0
"""Seconds of a pause."""


@dataclass
class Patience:
    """Ends when nothing got through for so many seconds."""

    seconds: float = 300.0
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    _failures: int = 0
    _since: float = 0.0
    """When the first of the failures was."""

    def got_through(self) -> None:
        """Begin anew."""
        self._failures = 0

    def pause(self, asked: float = 0.0) -> bool:
        """Wait before the next attempt, `asked` seconds at least; False: there is to be none.

        A pause can be twice as long as the one before, and has any length from half of that on:
        machines that lost their server don't all come back to it at once.
        """
        now = self.now()
        if not self._failures:
            self._since = now
        wait = asked + min(LONGEST, 0.5 * 2**self._failures) * (1 + self.chance()) / 2
        if now + wait - self._since > self.seconds:
            return False
        self._failures = min(self._failures + 1, 10)
        self.sleep(wait)
        return True
