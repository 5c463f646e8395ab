"""The report of a run that is being measured: written between two processes, now and then."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from stend.errors import StendError
from stend.record.text import duration
from stend.report.page import Live, write
from stend.running.session import now

if TYPE_CHECKING:
    from stend.laboratory import Growth

INTERVAL = 20.0
"""Seconds between two pages, at least."""
SHARE = 0.05
"""Of a run's time that its pages may take: the budget of a run allows for as much."""


class LivePage:
    """A file that `stend.laboratory` has written anew while a run grows."""

    def __init__(
        self,
        path: Path,
        shown: Callable[[], None] = lambda: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`shown` is called once, when the first page is there."""
        self.path = path
        self._shown = shown
        self._now = now
        self._due: float | None = None
        """When the next page is to be written; None: at once, the first one."""

    def between(self, growth: "Growth") -> None:
        """Write the page if it is due. Only the first one may fail: figures matter more."""
        began = self._now()
        if self._due is not None and began < self._due:
            return
        first = self._due is None
        try:
            left = duration(growth.left())
            live = Live(
                growth.measured,
                growth.planned,
                growth.left_out,
                left,
                written=now(),
                every=INTERVAL,
            )
            write([growth.load()], self.path, live=live)
        except StendError:
            if first:
                raise
        took = self._now() - began
        if first:
            self._shown()
        self._due = self._now() + max(INTERVAL, took / SHARE)
