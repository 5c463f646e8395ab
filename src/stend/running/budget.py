"""A run's time budget: what each case costs, by its processes so far, which fit, what is left.

A case that begins gets the least number of processes that gives an interval. It therefore begins
only if that many fit next to those that other cases are still due.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Protocol

from stend.record import family_of
from stend.record.text import duration

SLACK = 1.05
"""For what happens between cases, such as pages that are written: a twentieth of the time."""
MANY = 600
"""Seconds from which on a budget is told in minutes."""
STARTING = 0.7
"""Seconds of a process beside its measuring time, until the first ones have shown it."""


class Costly(Protocol):
    """A case as a budget sees it."""

    @property
    def benchmark(self) -> str:
        """Its benchmark's name."""

    @property
    def made(self) -> int:
        """Its processes so far."""

    @property
    def due(self) -> int:
        """Processes that are missing to the least number; none of a case that ended."""

    @property
    def cost(self) -> float:
        """Seconds of its last process; 0 before the first."""


class Budget:
    """The seconds of a run, from now on; None: as many as it takes."""

    def __init__(
        self,
        seconds: float | None = None,
        command: Callable[[Sequence[str]], str] = lambda them: f"stend run {' '.join(them)}",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to count; `command` measures families that did not fit."""
        self.seconds = seconds
        self._command = command
        self._now = now
        self._began = now()
        self._first = STARTING
        self._cases: Sequence[Costly] = ()

    def plan(self, cases: Sequence[Costly], measuring: float) -> None:
        """Take note of all cases, and of the measuring time of one process."""
        self._cases = cases
        self._first = STARTING + measuring

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return self._now() - self._began

    def fits(self, case: Costly) -> bool:
        """Whether another process of a case may begin; those that are due to it are promised."""
        if self.seconds is None or (case.made and case.due):
            return True
        if not any(each.made for each in self._cases):  # nobody knows yet what anything takes
            return self.elapsed < self.seconds
        promised = sum(each.due * each.cost for each in self._cases if each.made)
        wanted = max(1, case.due) * self._cost(case)
        return self.elapsed + SLACK * (promised + wanted) <= self.seconds

    @property
    def left(self) -> float:
        """About how many seconds all that is due takes, or what is left of the budget."""
        due = SLACK * sum(each.due * self._cost(each) for each in self._cases)
        return due if self.seconds is None else max(0.0, min(due, self.seconds - self.elapsed))

    def refusal(self, cases: Iterable[Costly]) -> str:
        """Why these are left out, and the command that measures them."""
        seconds = self.seconds or 0.0
        families = list(dict.fromkeys(family_of(case.benchmark) for case in cases))
        within = f"{seconds:g} s" if seconds < MANY else duration(seconds)
        return f"It did not fit into {within}; measure it with `{self._command(families)}`."

    def _cost(self, case: Costly) -> float:
        """As its last process; before the first, as those of its benchmark or family.

        Of a new family little is known: the guess before all counts as much as one case, or the
        first slow case would leave out all that is quick.
        """
        if case.made:
            return case.cost
        known = [each for each in self._cases if each.cost]
        benchmark = [each.cost for each in known if each.benchmark == case.benchmark]
        family = family_of(case.benchmark)
        related = [each.cost for each in known if family_of(each.benchmark) == family]
        return fmean(benchmark or related or [self._first, *(each.cost for each in known)])
