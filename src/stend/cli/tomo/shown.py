"""Shows on stderr how far slices are: a bar with speed and time left on a terminal, else lines."""

import time

from stend.cli.progress import Lines

BETWEEN = 10.0
"""Seconds between lines where no bar is drawn."""


class SlicesShown(Lines):
    """A progress display over slices, or `what` else; used as a context manager."""

    def __init__(self, doing: str, total: int, what: str = "slices") -> None:
        super().__init__()
        self._doing, self._what, self._said = doing, what, time.monotonic()
        self._task = self._bar.add_task(doing, total=total)

    def reached(self, done: int, of: int, rate: float) -> None:
        """Say that so many slices are there, at how many a second."""
        left = (of - done) / rate if rate > 0 else 0.0
        said = f"{self._doing} {done:,} of {of:,}, {rate:.3g} {self._what}/s, {duration(left)} left"
        self._bar.update(self._task, completed=done, description=said)
        now = time.monotonic()
        if not self._console.is_terminal and done < of and now - self._said >= BETWEEN:
            self._said = now
            self.line(said)


def duration(seconds: float) -> str:
    """`0.8 s`, `75 s`, `12 min` or `3.2 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
