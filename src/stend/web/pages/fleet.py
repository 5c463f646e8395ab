"""A fleet: its machines' figures as a table of colours, who stands apart, what is missing.

Every cell says how much better or worse than the fleet's median a machine is; its colour says the
same, blue is better and orange is worse.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.comparing import Outlier, Verdict
from stend.comparing.fleet_figures import Across, Picture, headlines, mean_speed
from stend.record import family_of
from stend.record.text import natural
from stend.report.comparison_text import harmless
from stend.report.quantities import figure, parameter, percent
from stend.store import Right
from stend.web.form import OfFleet, Text, words_of
from stend.web.guard import needs
from stend.web.site import site_of
from stend.web.verdicts import pictured

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
    figures = [row for row in picture.figures if not of or of in (row.family, row.benchmark)]
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
    properties = [_properties(row) for row in rows]
    every = [set(one.items()) for one in properties]
    shared = set.intersection(*every) if len(rows) > 1 else set()
    return [
        " ".join(
            value if name in ("benchmark", "variant") else f"{name} {value}"
            for name, value in one.items()
            if (name, value) not in shared
        )
        or row.name
        for one, row in zip(properties, rows, strict=True)
    ]


def _properties(row: Across) -> dict[str, str]:
    properties = {"benchmark": row.benchmark}
    properties |= {
        name: parameter(name, value) for name, value in row.parameters.items() if value != ""
    }
    return properties | ({"variant": row.variant} if row.variant else {})


_FEWEST = 3


def routes() -> list[BaseRoute]:
    """The page, and its figures as a file."""
    return [
        Route("/fleet", needs(Right.READ, _shown)),
        Route("/fleet.csv", needs(Right.READ, _written)),
    ]


class Words(OfFleet):
    """What the page takes."""

    of: Text = ""
    """A family or a benchmark, whose figures the map shows."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A machine, or a link, that stands apart, with all that is said of it."""

    who: str
    worse: int
    better: int
    families: str
    first: Outlier
    rest: tuple[Outlier, ...]


def _shown(asked: Request) -> Response:
    site, words = site_of(asked), words_of(asked, Words)
    found = pictured(site, words.wanted())
    fleet = found.fleet
    values = {
        "title": "Fleet",
        "words": words,
        "same": {"days": words.days, "label": words.label, "session": words.session,
                 "size": words.size},
        "picture": found,
        "few": len(found.machines) < _FEWEST,
        "standings": standings(fleet.apart),
        "families": _families(fleet.apart),
        "missing": _together((one.host, f"{one.status}: {one.reason}", one.name)
                             for one in fleet.missing),
        "undecided": _together(("", one.reason, one.name) for one in fleet.undecided),
        "headlines": headlines(found.figures),
        "earlier": {(host, row.name): found.earlier[run]
                    for row in found.figures for host, run in row.runs.items()},
        "surely": {(one.who, one.name): one for one in fleet.apart if one.of == "node"},
        "heat": heat(found, words.of),
        "kind_of": kind_of,
        "figure": figure,
        "percent": percent,
        "verdict": _verdict,
    }  # fmt: skip
    return site.page(asked, "fleet.html", values)


def standings(outliers: Sequence[Outlier]) -> list[Standing]:
    """By machine or link, those that stand apart in most first; what is said of the whole first."""
    of: dict[str, list[Outlier]] = {}
    for one in sorted(outliers, key=lambda one: one.of != "whole"):
        of.setdefault(one.who, []).append(one)
    found = [_standing(who, some) for who, some in of.items()]
    return sorted(found, key=lambda one: (-one.worse, -one.better, natural(one.who)))


def _families(outliers: Sequence[Outlier]) -> list[tuple[str, int]]:
    """How many machines stand apart in each family."""
    found = {(family_of(one.benchmark), one.who) for one in outliers if one.of == "node"}
    return Counter(family for family, _ in found).most_common()


def _standing(who: str, some: Sequence[Outlier]) -> Standing:
    single = [one for one in some if one.of != "whole"]
    families = Counter(family_of(one.benchmark) for one in single)
    return Standing(
        who=who,
        worse=sum(not one.better for one in single),
        better=sum(one.better for one in single),
        families=", ".join(f"{name} {count}" for name, count in families.most_common()),
        first=some[0],
        rest=tuple(some[1:]),
    )


def _verdict(one: Outlier) -> str:
    return (Verdict.FASTER if one.better else Verdict.SLOWER).word(one.metric)


def _together(rows: Iterator[tuple[str, str, str]]) -> list[tuple[str, str, list[str]]]:
    """Whose, why, and which: those that have one reason in common are one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for whose, why, which in rows:
        found.setdefault((whose, why), []).append(which)
    return [(whose, why, which) for (whose, why), which in found.items()]


def _written(asked: Request) -> Response:
    """One line a machine and figure."""
    words = words_of(asked, Words)
    found = pictured(site_of(asked), words.wanted())
    name = 'attachment; filename="fleet.csv"'
    return Response(in_csv(found), media_type="text/csv; charset=utf-8",
                    headers={"content-disposition": name, "cache-control": "no-store"})  # fmt: skip


def in_csv(found: Picture) -> str:
    """The figures of all machines, one a line."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(("machine", "run", "case", "metric", "unit", "better", "value", "median",
                   "times_as_good"))  # fmt: skip
    for row in found.figures:
        for host, value in row.values.items():
            metric = row.metric
            run = row.runs.get(host, found.machines[host].run)
            cells = (host, run, row.name, metric.name, metric.unit,
                     metric.better, value, row.middle, row.speed(host))  # fmt: skip
            rows.writerow([harmless(cell) for cell in cells])
    return out.getvalue()
