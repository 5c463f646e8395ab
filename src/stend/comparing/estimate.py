"""The figure of a case with its interval, in the unit of its metric, from its samples.

A neighbour on the other hardware thread slows what it meets, comes and goes within a process, and
can meet all processes of a run alike: they agree then, and only their repetitions show it.
"""

from collections.abc import Iterable
from math import log
from statistics import median
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stend.record import CaseRecord, Metric, Published, Record, Sample, Work
from stend.record.cautions import Caution
from stend.statistics import (
    finite,
    median_interval,
    middle,
    over_processes,
    quantile,
    two_modes,
    within,
)

Values = NDArray[np.float64]


def work_of(metric: Metric, work: Work) -> float | None:
    """What one execution does, in what the metric counts; None: it declares none."""
    return {
        "B/s": work.bytes,
        "FLOP/s": work.flops,
        "op/s": work.operations,
        "block/s": work.blocks,
        "s/slice": work.operations,
    }.get(metric.unit)


def from_seconds(seconds: Values, metric: Metric, work: Work) -> Values:
    """Turn seconds an execution into the metric's unit.

    A rate is the work of one execution over its time, infinite where the clock saw no time
    pass; a time each is its inverse. NaN where the case declares no such work, or where the unit
    is one that only the kernel itself can report.
    """
    if metric.unit == "s":
        return seconds
    amount = work_of(metric, work)
    if amount is None:
        return np.full_like(seconds, np.nan)
    if metric.unit == "s/slice":
        return seconds / amount
    with np.errstate(divide="ignore", invalid="ignore"):
        return amount / seconds


def seconds_of(sample: Sample) -> Values:
    """Seconds an execution, for each repetition."""
    return np.asarray(sample.ticks, dtype=np.float64) / (sample.hz * sample.batch)


def values_of(case: CaseRecord, sample: Sample) -> Values:
    """Each repetition's value in the metric's unit; what a kernel reported itself is kept."""
    if sample.values is not None:
        return np.asarray(sample.values, dtype=np.float64)
    return from_seconds(seconds_of(sample), case.metric, case.work)


FASTER = 0.1
"""The share of a process's repetitions that are as fast as this or faster."""
_FEWEST = 5
"""Repetitions of a process that have such a share."""


def unrest(processes: Iterable[Values], metric: Metric) -> float:
    """From the faster repetitions of a process to its median, as a logarithm: the middle process.

    0 where no process has repetitions enough to tell, or where values aren't positive.
    """
    share = 1 - FASTER if metric.better == "higher" else FASTER
    ends = [(within(v, share), middle(v)) for v in processes if len(v) >= _FEWEST]
    distances = [abs(log(usual / faster)) for faster, usual in ends if min(usual, faster) > 0]
    return median(distances) if distances else 0.0


CONFIDENCE = 0.95


class Interval(Record, frozen=True, kw_only=True):
    """Where the median lies, at a confidence."""

    low: float
    high: float
    confidence: float
    over: Literal["runs", "processes", "repetitions"]
    """What it holds for another of. Repetitions: only within the one process that was measured."""


class Mode(Record, frozen=True, kw_only=True):
    """One of two values that the repetitions jump between."""

    value: float
    weight: float
    """Its share of the repetitions."""


class Estimate(Record, frozen=True, kw_only=True):
    """What a case's samples say, in `unit`."""

    unit: str
    value: float
    """The median over the medians of the processes."""
    interval: Interval | None
    """None where there is too little for one: `why` says what is lacking."""
    why: str = ""
    medians: dict[int, float]
    """The median of each process, by process."""
    processes: int
    """0 of a published figure."""
    repetitions: int
    spread: tuple[float, float]
    """The 5th and the 95th percentile of all repetitions."""
    also: dict[str, float] = {}
    """The median of each further column, whose name ends with its unit: "user s"."""
    modes: tuple[Mode, ...] = ()
    unrest: float = 0.0
    """How far its processes were from their own faster repetitions: `unrest.unrest`."""
    mean: float | None = None
    """With the rule "rounds": the mean of the accepted rounds, over the processes."""

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval as two values."""
        return None if self.interval is None else (self.interval.low, self.interval.high)


def estimate(case: CaseRecord) -> Estimate | None:
    """The figure of a case; None where no repetition gave a finite value.

    With several processes the interval is over their medians, since what differs between
    processes (page placement, address layout) is part of the answer; with one it is the
    interval of the median within it, and says so. A published figure has no interval.
    """
    if case.published:
        return _as_published(case.metric.unit, case.published)
    values = {s.process: v for s in case.samples if len(v := finite(values_of(case, s)))}
    if not values:
        return None
    everything = np.concatenate(list(values.values()))
    ordered = np.sort(everything)
    medians = {process: middle(v) for process, v in values.items()}
    interval, why = _interval(case, list(medians.values()), everything)
    return Estimate(
        unit=case.metric.unit,
        value=median(medians.values()),
        interval=interval,
        why=why,
        medians=medians,
        processes=len(values),
        repetitions=len(everything),
        spread=(quantile(ordered, 0.05), quantile(ordered, 0.95)),
        also=_also(case),
        modes=_modes(case, everything),
        unrest=unrest(values.values(), case.metric),
        mean=_mean(case),
    )


def _as_published(unit: str, figure: Published) -> Estimate:
    ends = (figure.low, figure.high)
    return Estimate(
        unit=unit,
        value=figure.value,
        interval=None,
        why="It is a single published figure; how much such figures vary is unknown.",
        medians={},
        processes=0,
        repetitions=0,
        spread=(
            figure.value if ends[0] is None else ends[0],
            figure.value if ends[1] is None else ends[1],
        ),
    )


def _interval(
    case: CaseRecord, medians: list[float], everything: Values
) -> tuple[Interval | None, str]:
    one = len(medians) == 1
    found = (
        median_interval(everything, CONFIDENCE)
        if one
        else over_processes(medians, CONFIDENCE, share=case.metric.unit == "share")
    )
    if found.low is None or found.high is None:
        return None, found.reason
    over: Literal["processes", "repetitions"]
    over = "repetitions" if one and not case.is_program else "processes"
    return Interval(low=found.low, high=found.high, confidence=CONFIDENCE, over=over), ""


def _also(case: CaseRecord) -> dict[str, float]:
    """User and system time and memory of a program, for instance."""
    columns: dict[str, list[float]] = {}
    for sample in case.samples:
        for name, column in sample.also.items():
            columns.setdefault(name, []).extend(column)
    known = {name: finite(column) for name, column in columns.items()}
    return {name: float(np.median(x)) for name, x in known.items() if len(x)}


def _modes(case: CaseRecord, everything: Values) -> tuple[Mode, ...]:
    """The two modes, where its processes were found to have them."""
    seen = any(sample.cautions for sample in case.samples)
    if not seen or Caution.TWO_MODES not in case.cautions:
        return ()
    return tuple(Mode(value=m.value, weight=m.weight) for m in two_modes(everything) or ())


def _mean(case: CaseRecord) -> float | None:
    means = [m for s in case.samples if (m := _mean_of(case, s)) is not None]
    return float(np.mean(means)) if means else None


def _mean_of(case: CaseRecord, sample: Sample) -> float | None:
    if sample.stop.criterion not in {"normal", "tight", "interval"}:
        return None
    if sample.stop.mean is None or sample.values is not None:
        return sample.stop.mean
    seconds = np.array([sample.stop.mean])
    return float(from_seconds(seconds, case.metric, case.work)[0])
