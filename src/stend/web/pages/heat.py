"""A fleet's picture → a table of colours: machines downwards, families, benchmarks or cases across.

Every cell says how much better or worse than the fleet's median a machine is; its colour says the
same, blue is better and orange is worse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from stend.comparing.fleet_figures import Across, Picture, mean_speed
from stend.report.quantities import figure, parameter, percent

MOST = 60
"""Columns: of a family with more figures its benchmarks stand in their stead."""
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.4)
"""From which on a colour is the next stronger one; below the first there is none."""


@dataclass(frozen=True, slots=True)
class Column:
    """What stands above a column."""

    name: str
    whole: str
    """The name that says all of it."""
    of: str
    """Of what to show the parts instead; empty where it has none."""
    row: Across | None
    """The figure, where it is one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One machine in one column; all empty where it has nothing there."""

    kind: str
    """The class that colours it: b1 to b5 better, w1 to w5 worse."""
    said: str
    """`+12%`."""
    figure: str
    """With its unit and the fleet's median, where it is of one figure."""
    run: str = ""
    """The id of the run that it is of, where that is not its machine's newest."""


@dataclass(frozen=True, slots=True)
class Heat:
    """The whole table."""

    of: str
    """A family or a benchmark; empty: all families."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    """By host."""
    left_out: int = 0
    """Figures beyond the last column."""


def heat(picture: Picture, of: str) -> Heat | None:
    """The table of a family or a benchmark, or of all families; None where nobody has such."""
    figures = [row for row in picture.figures if _is_of(row, of)]
    if not figures:
        return None
    groups = _groups(figures, of)
    if groups is not None:
        columns = [Column(name, name, name, None) for name in groups]
        speeds = [_means(rows, picture.machines) for rows in groups.values()]
        cells = [[_mean(one) for one in column] for column in speeds]
    else:
        shown = figures[:MOST]
        names = _names(shown)
        columns = [Column(n, row.name, "", row) for n, row in zip(names, shown, strict=True)]
        cells = [[_cell(row, host) for host in picture.machines] for row in shown]
    return Heat(
        of=of,
        columns=tuple(columns),
        rows=tuple(
            (host, tuple(column[i] for column in cells)) for i, host in enumerate(picture.machines)
        ),
        left_out=0 if groups is not None else max(0, len(figures) - MOST),
    )


def _is_of(row: Across, of: str) -> bool:
    return not of or of in (row.family, row.benchmark)


def _groups(figures: Sequence[Across], of: str) -> dict[str, list[Across]] | None:
    """What the columns stand for where it is several figures each."""
    if not of:
        return _by(figures, [row.family for row in figures])
    groups = _by(figures, [row.benchmark for row in figures])
    return groups if len(figures) > MOST and len(groups) > 1 else None


def _by(figures: Sequence[Across], names: Sequence[str]) -> dict[str, list[Across]]:
    found: dict[str, list[Across]] = {}
    for name, row in zip(names, figures, strict=True):
        found.setdefault(name, []).append(row)
    return found


def _means(rows: Sequence[Across], hosts: Mapping[str, object]) -> list[float | None]:
    return [mean_speed((row.benchmark, row.speed(host)) for row in rows) for host in hosts]


def _mean(speed: float | None) -> Cell:
    return Cell("", "", "") if speed is None else Cell(kind_of(speed), percent(speed), "")


def _cell(row: Across, host: str) -> Cell:
    value, speed = row.values.get(host), row.speed(host)
    if value is None:
        return Cell("", "", "")
    unit = row.metric.unit
    said = f"{figure(value, unit)}; the median {figure(row.middle, unit)}"
    return Cell("" if speed is None else kind_of(speed), "0" if speed is None else percent(speed),
                said, row.runs.get(host, ""))  # fmt: skip


def kind_of(speed: float) -> str:
    """The class of a cell that is so many times as good as the median."""
    step = sum(abs(log(speed)) >= log(1 + one) for one in _STEPS)
    return "" if not step else f"{'b' if speed > 1 else 'w'}{step}"


def _names(rows: Sequence[Across]) -> list[str]:
    """What tells each from the others; all of it where nothing does."""
    told = [_told(row) for row in rows]
    every = [set(one.items()) for one in told]
    shared = set.intersection(*every) if len(rows) > 1 else set()
    return [
        " ".join(
            value if name in ("benchmark", "variant") else f"{name} {value}"
            for name, value in one.items()
            if (name, value) not in shared
        )
        or row.name
        for one, row in zip(told, rows, strict=True)
    ]


def _told(row: Across) -> dict[str, str]:
    told = {"benchmark": row.benchmark}
    told |= {name: parameter(name, value) for name, value in row.parameters.items() if value != ""}
    return told | ({"variant": row.variant} if row.variant else {})
