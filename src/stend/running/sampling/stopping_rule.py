"""When a sample is large enough: the rules `precision`, `rounds` and `once`.

A rule is immutable and has no clock: it is handed the values in the order of time and the
seconds they took, and says how many more it wants, or why it stops. METHODOLOGY.md has their
known weaknesses; peers/measuring measures them.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import msgspec
import numpy as np

from stend.benchmarks.runner import Rule
from stend.record import Stop
from stend.statistics import (
    Floats,
    finite,
    interval_normal,
    median_interval,
    pearson_normal,
    tight,
)

_FOREVER = float("inf")


class StoppingRule(Protocol):
    """Decides when to stop."""

    @property
    def prepares(self) -> bool:
        """Whether the work is batched and warmed up before the first repetition."""

    def wants(self, n: int, seconds: float) -> tuple[int, float]:
        """How many repetitions more, or for how many seconds more, before the next look.

        `n` have been made, which took `seconds`.
        """

    def look(self, values: Floats, seconds: float) -> Stop | None:
        """Why to stop now, or None to go on."""

    def out_of_time(self, values: Floats) -> Stop:
        """What was reached when the budget was spent."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Stop when the 95% interval of the median is narrow enough, and known well enough.

    Narrow: its half-width is at most `target` of the median, now and for the first two
    thirds of the repetitions, so that a lucky moment is not enough. Known: at least
    `effective` independent repetitions' worth, since τ is underestimated from fewer, and
    at least `floor` seconds. `most` bounds memory and analysis.
    """

    target: float = 0.01
    floor: float = 0.25
    effective: float = 128.0
    most: int = 16384
    prepares: ClassVar[bool] = True

    def wants(self, n: int, seconds: float) -> tuple[int, float]:
        """All that fits into the floor; then up to `effective`; then half as many again."""
        if seconds < self.floor and n < self.most:
            return self.most - n, self.floor - seconds
        size = min(self.most, max(int(np.ceil(self.effective)), n + (n + 1) // 2))
        return max(1, size - n), _FOREVER

    def look(self, values: Floats, seconds: float) -> Stop | None:
        """Criterion "precision", or "repetition limit" at `most` repetitions."""
        full = len(values) >= self.most
        if len(values) < self.effective or (seconds < self.floor and not full):
            return None
        if self._reached(values):
            return _stop("precision", "precision", values)
        return _stop("precision", "repetition limit", values) if full else None

    def out_of_time(self, values: Floats) -> Stop:
        """Criterion "time limit", or "precision" when that was just reached."""
        criterion = "precision" if self._reached(values) else "time limit"
        return _stop("precision", criterion, values)

    def _reached(self, values: Floats) -> bool:
        now = median_interval(values)
        if now.effective < self.effective or not self._narrow(now.half_width):
            return False
        return self._narrow(median_interval(values[: 2 * len(values) // 3]).half_width)

    def _narrow(self, half_width: float | None) -> bool:
        return half_width is not None and half_width <= self.target


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rule of Golenkov et al. 2015: double the round until a criterion accepts it.

    A round of N new repetitions is accepted on the first that holds of: "normal" (Pearson's
    χ² test at `level`), "tight" (the range is within 2% of the mean), "interval" (the
    shortest interval that holds 80% passes Pearson's test). Otherwise N doubles; after
    `rounds` rounds it starts again from `first`, at most `restarts` times, and then says
    "not reproducible". The original is unbounded, and never ends on two equal modes.
    """

    first: int = 32
    rounds: int = 6
    restarts: int = 3
    level: float = 0.05
    prepares: ClassVar[bool] = True

    def wants(self, n: int, seconds: float) -> tuple[int, float]:
        """The rest of the round under way."""
        start, _, index = self._place(n)
        return start + self.first * 2**index - n, _FOREVER

    def look(self, values: Floats, seconds: float) -> Stop | None:
        """Judge the last round, once it is complete."""
        n = len(values)
        start, restart, index = self._place(n - 1)
        if n < start + self.first * 2**index:
            return None
        criterion = self._accepts(values[start:])
        if criterion is None and (restart, index) == (self.restarts, self.rounds - 1):
            return self._stop("not reproducible", values)
        return self._stop(criterion, values) if criterion else None

    def out_of_time(self, values: Floats) -> Stop:
        """Criterion "time limit", with the mean of the round under way."""
        return self._stop("time limit", values)

    def _accepts(self, x: Floats) -> str | None:
        if (pearson_normal(x) or 0.0) > self.level:
            return "normal"
        if tight(x):
            return "tight"
        return "interval" if (interval_normal(x) or 0.0) > self.level else None

    def _place(self, n: int) -> tuple[int, int, int]:
        """Where repetition `n` lies: its round's first repetition, its restart, its round."""
        restart, within = divmod(n, self.first * (2**self.rounds - 1))
        index = (within // self.first + 1).bit_length() - 1
        return n - within + self.first * (2**index - 1), restart, index

    def _stop(self, criterion: str, values: Floats) -> Stop:
        start, restart, index = self._place(len(values) - 1)
        last = finite(values[start:])
        return msgspec.structs.replace(
            _stop("rounds", criterion, values),
            rounds=index + 1,
            restarts=restart,
            mean=float(last.mean()) if len(last) else None,
            accepted_from=start,
        )


@dataclass(frozen=True, slots=True)
class Once:
    """One repetition of one execution, unprepared."""

    prepares: ClassVar[bool] = False

    def wants(self, n: int, seconds: float) -> tuple[int, float]:
        """One."""
        return 1, _FOREVER

    def look(self, values: Floats, seconds: float) -> Stop | None:
        """Criterion "once"."""
        return _stop("once", "once", values)

    def out_of_time(self, values: Floats) -> Stop:
        """Criterion "once": it was made all the same."""
        return _stop("once", "once", values)


def stopping_rule(rule: Rule) -> StoppingRule:
    """Give the stopping rule that a worker's rule names."""
    if rule.name == "rounds":
        return Rounds()
    return Precision(target=rule.target) if rule.name == "precision" else Once()


def _stop(rule: Literal["precision", "rounds", "once"], criterion: str, values: Floats) -> Stop:
    reached = median_interval(values)
    return Stop(
        rule=rule,
        criterion=criterion,
        half_width=reached.half_width,
        effective=reached.effective,
    )
