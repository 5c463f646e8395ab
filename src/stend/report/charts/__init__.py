"""Figures → charts: each group of like cases is drawn by the first family that its shape fits.

A family is a file with `takes(group) -> bool` and `draw(group) -> Chart`; `dots` takes
whatever no other does, so that any benchmark has a chart.
"""

from collections.abc import Sequence
from typing import Protocol

from stend.report.charts import dots, errors, histogram, scaling, sweep, words
from stend.report.charts.chart import Chart
from stend.report.charts.group import Group, Measured, groups


class Family(Protocol):
    """A way to draw cases of one shape."""

    def takes(self, group: Group) -> bool:
        """Whether the group has that shape."""

    def draw(self, group: Group) -> Chart:
        """The chart of a group that it takes."""


FAMILIES: tuple[Family, ...] = (histogram, scaling, errors, sweep, words, dots)


def draw(measured: Sequence[Measured]) -> list[Chart]:
    """One chart for each group of cases that share a family and a unit."""
    return [_draw(group) for group in groups(measured)]


def _draw(group: Group) -> Chart:
    return next(family for family in FAMILIES if family.takes(group)).draw(group)
