"""Shows on stderr how far slices are: a bar with speed and time left on a terminal, else lines."""

import time

from stend.cli.progress import Lines
from stend.times import duration

BETWEEN = 10.0
"""Seconds between lines where no bar is drawn."""


class SlicesShown(Lines):
    """A progress display over slices, or `what` else; used as a context manager."""

    def __init__(self, doing: str, total: int, what: str = "slices") -> None:
        super().__init__()
        self._doing, self._total, self._what = doing, total, what
        self._said = time.monotonic()
        self._at_first: tuple[float, float] | None = None
        self._task = self._bar.add_task(doing, total=total)

    def reached(self, done: int, of: int, rate: float) -> None:
        """Say that so many slices are there, at how many a second."""
        self._say(done, of, rate)

    def iterated(self, done: int, of: int, residual: float) -> None:
        """Say how far iterations are, of those of all slices, and what projections are missed by.

        The speed is of iterations, those of slices that are not there yet included.
        """
        slices, now = self._total * done / of, time.monotonic()
        self._at_first = began, before = self._at_first or (now, slices)
        rate = (slices - before) / (now - began) if now > began else 0.0
        self._say(slices, self._total, rate, f", residual {residual:.3g}")

    def _say(self, done: float, of: int, rate: float, more: str = "") -> None:
        speed = f", {rate:.3g} {self._what}/s, {duration((of - done) / rate)} left" if rate else ""
        said = f"{self._doing} {int(done):,} of {of:,}{speed}{more}"
        self._bar.update(self._task, completed=done, description=said)
        now = time.monotonic()
        if not self._console.is_terminal and done < of and now - self._said >= BETWEEN:
            self._said = now
            self.line(said)
