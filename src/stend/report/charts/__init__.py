"""Charts: each group of like cases is drawn by the first chart that its shape fits.

A family is a file with `takes(group) -> bool` and `draw(group) -> Chart`; `dots` takes
whatever no other does, so that any benchmark has a chart. What belongs together though its
shapes differ (a processor's peaks and their frequencies) is a composition: a file with
`takes(case) -> bool` and a `draw(members, limits)` that draws all that it takes together.
"""

from collections.abc import Sequence
from typing import Protocol

from stend.report.charts import (
    ciphers,
    cores,
    dots,
    errors,
    grids,
    histogram,
    latency,
    linpack,
    loaded_latency,
    loads,
    mpi,
    noise,
    numa,
    peak,
    scaling,
    sweep,
    threads,
    unet,
    volumes,
)
from stend.report.charts.chart import Chart
from stend.report.charts.group import Group, first_lines, groups, shortened
from stend.report.measured_case import NONE, Limits, Measured


class Family(Protocol):
    """A way to draw cases of one shape."""

    def takes(self, group: Group) -> bool:
        """Whether the group has that shape."""

    def draw(self, group: Group) -> Chart:
        """The chart of a group that it takes."""


class Composition(Protocol):
    """A way to draw all cases of one family together."""

    def takes(self, m: Measured) -> bool:
        """Whether the case is one of them."""

    def draw(self, members: Sequence[Measured], limits: Limits) -> list[Chart]:
        """Their charts; each case is behind one of them."""


FAMILIES: tuple[Family, ...] = (
    histogram, latency, loaded_latency, errors, grids, sweep, scaling, dots,
)  # fmt: skip
OPENING: tuple[Composition, ...] = (peak, linpack, noise)
CLOSING: tuple[Composition, ...] = (ciphers, volumes, unet, threads, cores, numa, mpi, loads)


def draw(measured: Sequence[Measured], limits: Limits = NONE) -> list[Chart]:
    """The processor's compositions, one chart for each group of like cases, all others' ones."""
    taken: set[int] = set()
    first = [chart for of in OPENING for chart in _composed(of, measured, limits, taken)]
    last = [chart for of in CLOSING for chart in _composed(of, measured, limits, taken)]
    return [*first, *_alike([m for m in measured if m.index not in taken], limits), *last]


def _composed(
    of: Composition, measured: Sequence[Measured], limits: Limits, taken: set[int]
) -> list[Chart]:
    """The charts of what it takes, whose places in the run become `taken`."""
    mine = [m for m in measured if of.takes(m)]
    taken.update(m.index for m in mine)
    return of.draw(mine, limits) if mine else []


def _alike(measured: Sequence[Measured], limits: Limits) -> list[Chart]:
    found = groups(measured, limits)
    pairs = {id(counted): (counted, of) for counted, of in scaling.pairs(found)}
    drawn = {id(of) for _, of in pairs.values()}
    return [
        scaling.draw_pair(*pairs[id(group)]) if id(group) in pairs else _draw(group)
        for group in found
        if id(group) not in drawn
    ]


def _draw(group: Group) -> Chart:
    shown, said = first_lines(group, _along(group))
    family = next(family for family in FAMILIES if family.takes(shown))
    return shortened(family.draw(shown), said)


def _along(group: Group) -> tuple[str, ...]:
    """The parameters that run along the axis, so that a line has all of their values."""
    if latency.takes(group):
        return ("size",)
    return (sweep.swept(group) or "", group.workers, *grids.SIDES)
