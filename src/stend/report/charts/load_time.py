"""The loads of one workload → their common time axis: round after round, without what lay between.

Rounds of all workloads are measured in turn, so between two of one workload lie those of others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.comparing.values import Values
from stend.loads import Beside, FioRun, Load
from stend.report.charts.chart import Plot
from stend.report.charts.load_columns import Course
from stend.report.quantities import Scale

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
    beside: tuple[Beside, ...]


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
