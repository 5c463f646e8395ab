"""Figures → charts: each group of like cases is drawn by the first family that its shape fits.

A family is a file with `takes(group) -> bool` and `draw(group) -> Chart`; `dots` takes
whatever no other does, so that any benchmark has a chart. What belongs together though its
shapes differ (a processor's peaks and their frequencies) is a composition: a file with the
name of its FAMILY and a `draw(members, limits)` that takes all of its cases.
"""

from collections.abc import Sequence
from typing import Protocol

from stend.report.charts import (
    copies,
    dots,
    errors,
    grids,
    histogram,
    latency,
    linpack,
    loaded,
    noise,
    peak,
    scaling,
    sweep,
    words,
)
from stend.report.charts.chart import Chart
from stend.report.charts.group import Group, family_of, groups
from stend.report.limits import NONE, Limits
from stend.report.measured import Measured


class Family(Protocol):
    """A way to draw cases of one shape."""

    def takes(self, group: Group) -> bool:
        """Whether the group has that shape."""

    def draw(self, group: Group) -> Chart:
        """The chart of a group that it takes."""


class Composition(Protocol):
    """A way to draw all cases of one family together."""

    FAMILY: str

    def draw(self, members: Sequence[Measured], limits: Limits) -> list[Chart]:
        """Their charts; each case is behind one of them."""


FAMILIES: tuple[Family, ...] = (
    histogram, latency, loaded, errors, grids, sweep, scaling, words, dots,
)  # fmt: skip
COMPOSITIONS: tuple[Composition, ...] = (peak, linpack, noise)


def draw(measured: Sequence[Measured], limits: Limits = NONE) -> list[Chart]:
    """The charts of compositions first, then one for each group of like cases."""
    charts, taken = [], set()
    for composition in COMPOSITIONS:
        if mine := [m for m in measured if family_of(m) == composition.FAMILY]:
            charts += composition.draw(mine, limits)
            taken.add(composition.FAMILY)
    found = groups([m for m in measured if family_of(m) not in taken], limits)
    beside = {id(threads): (threads, of) for threads, of in copies.pairs(found)}
    drawn = {id(of) for _, of in beside.values()}
    return charts + [
        copies.draw(*beside[id(group)]) if id(group) in beside else _draw(group)
        for group in found
        if id(group) not in drawn
    ]


def _draw(group: Group) -> Chart:
    return next(family for family in FAMILIES if family.takes(group)).draw(group)
