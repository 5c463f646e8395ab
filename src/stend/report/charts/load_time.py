"""The common time axis of one workload's loads, at as many points as a picture has columns.

Rates are averaged over time, latencies over operations, and histograms are merged by adding bins:
a percentile is taken of the sum, never averaged.

Rounds of all workloads are measured in turn, so between two of one workload lie those of others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from stend.comparing.estimate import Values
from stend.record.loads import FioRun, Flow, HostSamples, Load
from stend.report.charts.chart import Plot
from stend.report.quantities import Scale
from stend.storage.fio.load_case import BEYOND
from stend.storage.fio.results import added, of_bins, percentiles

COLUMNS = 600
"""A picture's points along the time axis at most, about one a pixel or two."""
PERCENTS = (50.0, 90.0, 99.0, 99.9)
_GAP = 1.5
"""Times the usual interval from which on something is lacking between two readings."""

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Course:
    """Points in order of time; NaN separates what does not hang together."""

    at: Values
    """Seconds on the axis of the picture."""
    values: Values


def every(lengths: Sequence[int]) -> int:
    """How many readings one point is made of, so that all of them fit into the picture."""
    return max(1, -(-sum(lengths) // COLUMNS))


def rates(flow: Flow, start: float, k: int, of: Sequence[float]) -> Course:
    """A rate, each point averaged over the time of its `k` intervals; `start` is of the run."""
    at, lasted, groups = _intervals(flow, start, k)
    return _from(start, _merged(at, np.asarray(of, dtype=np.float64), lasted, groups))


def latencies(flow: Flow, start: float, k: int) -> Course:
    """The mean latency, each point averaged over its operations."""
    at, lasted, groups = _intervals(flow, start, k)
    mean = np.asarray(flow.latency, dtype=np.float64)
    done = np.nan_to_num(np.asarray(flow.iops, dtype=np.float64) * lasted)
    return _from(start, _merged(at, mean, done, groups))


def bands(run: FioRun, start: float, k: int) -> list[Course]:
    """The percentiles of all directions together; of too few operations for one, NaN."""
    flows = [flow for flow in run.flows if len(flow.interval)]
    if not flows:
        return []
    ends = np.unique(np.concatenate([np.asarray(flow.at) for flow in flows]))
    groups = _groups(ends, k)
    which, ns, counts = (np.concatenate(parts) for parts in zip(
        *(_placed(flow, ends, groups) for flow in flows), strict=True))  # fmt: skip
    order = np.argsort(which, kind="stable")
    which, ns, counts = which[order], ns[order], counts[order]
    starts = np.searchsorted(which, np.arange(groups[-1] + 2))
    shown = np.array([_percentiles(ns[a:b], counts[a:b]) for a, b in pairwise(starts)])
    at = start + ends / 1e9
    return [_from(start, _broken(at, shown[:, i], groups)) for i in range(len(PERCENTS))]


def sampled_course(machine: HostSamples, shift: float, k: int, column: Sequence[float]) -> Course:
    """A column of a sampled machine, its clock shifted to the axis.

    A point of which every reading is lacking is a gap.
    """
    at = np.asarray(machine.at, dtype=np.int64)
    values = np.asarray(column, dtype=np.float64)
    if not len(at) or len(values) != len(at):
        return Course(np.empty(0), np.empty(0))
    return _merged(at / 1e9 + shift, values, np.ones(len(at)), _groups(at, k))


def enough(operations: int, percent: float) -> bool:
    """Whether enough operations lie beyond a percentile for it to be more than their maximum."""
    return operations * (100 - percent) >= 100 * BEYOND * (1 - 1e-9)  # 100 - 99.9 is not 0.1


def joined(courses: Sequence[Course]) -> Course:
    """One after another, with a gap between each two."""
    parts = [course for course in courses if len(course.at)]
    if not parts:
        return Course(np.empty(0), np.empty(0))
    at = [np.append(c.at, c.at[-1]) for c in parts]
    values = [np.append(c.values, np.nan) for c in parts]
    return Course(np.concatenate(at)[:-1], np.concatenate(values)[:-1])


def stretches(course: Course) -> list[slice]:
    """The parts of it without a gap."""
    known = np.isfinite(course.values).astype(np.int8)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], known, [0]])))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _intervals(flow: Flow, start: float, k: int) -> tuple[Values, Values, Whole]:
    """When each interval ended, how long it was, and which point it belongs to."""
    ends = np.asarray(flow.at, dtype=np.int64)
    lasted = np.diff(ends, prepend=0) / 1e9
    if len(lasted):
        lasted = np.minimum(lasted, _GAP * np.median(lasted))
    return start + ends / 1e9, lasted, _groups(ends, k)


def _from(start: float, course: Course) -> Course:
    """The same from the beginning of the run on, over whose first interval it holds too."""
    if not len(course.at):
        return course
    return Course(np.append(start, course.at), np.append(course.values[0], course.values))


def _groups(ends: Whole, k: int) -> Whole:
    """The point that each reading belongs to, `k` to one; none reaches over a gap."""
    distances = np.diff(ends)
    breaks = distances > _GAP * np.median(distances) if len(distances) else np.zeros(0, dtype=bool)
    stretch = np.concatenate([[0], np.cumsum(breaks)])[: len(ends)]
    first = np.searchsorted(stretch, stretch)
    place = (np.arange(len(ends)) - first) // k
    new = (np.diff(stretch, prepend=-1) != 0) | (np.diff(place, prepend=-1) != 0)
    # A stretch counts as one more, so that consecutive numbers lack one at each gap.
    return np.asarray(np.cumsum(new) - 1 + stretch, dtype=np.int64)


def _merged(at: Values, values: Values, weights: Values, groups: Whole) -> Course:
    """Weighted means by group; NaN of groups without a value, and of numbers that are lacking."""
    if not len(at):
        return Course(np.empty(0), np.empty(0))
    known = np.isfinite(values)
    count = int(groups[-1]) + 1
    weighed = np.bincount(groups, np.where(known, weights, 0.0), count)
    sums = np.bincount(groups, np.where(known, values, 0.0) * weights, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / weighed
    return _broken(at, means, groups)


def _broken(at: Values, by_group: Values, groups: Whole) -> Course:
    """A point at the last reading of each group; a group that has none is a gap."""
    last = np.searchsorted(groups, np.arange(int(groups[-1]) + 1), side="right") - 1
    return Course(at[last], np.asarray(by_group, dtype=np.float64))


def _placed(flow: Flow, ends: Whole, groups: Whole) -> tuple[Whole, Whole, Whole]:
    """The bins of all intervals, and the point that each belongs to."""
    of = np.searchsorted(ends, np.asarray(flow.at, dtype=np.int64))
    which = groups[of[np.asarray(flow.interval, dtype=np.int64)]]
    return which, np.asarray(flow.ns, dtype=np.int64), np.asarray(flow.counts, dtype=np.int64)


def _percentiles(ns: Whole, counts: Whole) -> list[float]:
    if not len(ns):
        return [np.nan] * len(PERCENTS)
    found = percentiles(of_bins("total", *added(ns, counts)), PERCENTS)
    done = int(counts.sum())
    return [
        value if enough(done, percent) else np.nan
        for percent, value in zip(PERCENTS, found, strict=True)
    ]


_BETWEEN = 0.02
"""Of all their time, between two loads."""
_MINUTES_FROM = 600.0
_NARROW = 240
"""Pixels of the axis in a narrow window, in which the name of a phase has to fit."""
_LETTER = 6


@dataclass(frozen=True, slots=True)
class Placed:
    """One load on the axis."""

    runs: tuple[tuple[FioRun, float], ...]
    """Each with its beginning, s."""
    shift: float
    """From CLOCK_MONOTONIC to the axis, s."""
    host_samples: tuple[HostSamples, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """Seconds or minutes of this workload."""

    loads: tuple[Placed, ...]
    span: float
    """Seconds."""

    @property
    def runs(self) -> list[tuple[FioRun, float]]:
        """All runs of fio with their beginnings."""
        return [pair for load in self.loads for pair in load.runs]

    @property
    def unit(self) -> Scale:
        """What the axis counts in."""
        return Scale(1 / 60, "minutes") if self.span >= _MINUTES_FROM else Scale(1.0, "seconds")

    def along(self, course: Course) -> Values:
        """Where its points lie."""
        x: Values = course.at * self.unit.factor
        return x

    def shades(self) -> Iterator[Plot]:
        """A ground for each run before what was measured."""
        for run, start in self.runs:
            if run.phase != "measure":
                yield {
                    "type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1,
                    "layer": "below", "x0": start * self.unit.factor,
                    "x1": (start + run.lasted) * self.unit.factor,
                    "line": {"width": 0}, "fillcolor": "--band",
                }  # fmt: skip

    def names(self) -> Iterator[tuple[str, float]]:
        """The phases and their middles on the axis, where there is room for the name.

        Those alike in a row have one name.
        """
        spells: list[tuple[str, float, float]] = []
        for run, start in self.runs:
            name = {"measure": "measured", "round": "rounds"}.get(run.phase, run.phase)
            first = start
            if spells and spells[-1][0] == name:
                first = spells.pop()[1]
            spells.append((name, first, start + run.lasted))
        for name, start, end in spells:
            if (end - start) / self.span * _NARROW >= _LETTER * len(name):
                yield name, (start + end) / 2 * self.unit.factor


def axis(loads: Sequence[Load]) -> Axis | None:
    """Place the runs of each load as they lay in time; None without any run."""
    lengths = [_length(load) for load in loads]
    between = _BETWEEN * sum(lengths)
    placed: list[Placed] = []
    start = 0.0
    for load, length in zip(loads, lengths, strict=True):
        if load.runs:
            shift = start - load.runs[0].began / 1e9
            runs = ((run, start + at) for run, at in _within(load))
            placed.append(Placed(tuple(runs), shift, load.beside))
            start += length + between
    return Axis(tuple(placed), max(start - between, 1e-9)) if placed else None


def _within(load: Load) -> Iterator[tuple[FioRun, float]]:
    """When each run began, from the first; imported ones don't know it and follow one another."""
    end = 0.0
    for run in load.runs:
        at = (run.began - load.runs[0].began) / 1e9 if run.began else end
        yield run, at
        end = max(end, at + run.lasted)


def _length(load: Load) -> float:
    return max((at + run.lasted for run, at in _within(load)), default=0.0)
