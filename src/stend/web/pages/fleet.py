"""A fleet: its machines' figures side by side, who stands apart, what is missing where."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.comparing import Apart, Verdict
from stend.comparing.fleet_figures import Picture, headlines
from stend.record import family_of
from stend.record.text import natural
from stend.report.comparison_text import harmless
from stend.report.quantities import figure, percent
from stend.store import Right
from stend.web.api.parameters import Text
from stend.web.caches import pictured
from stend.web.guard import needs
from stend.web.pages.heat import heat, kind_of
from stend.web.query import OfFleet, words_of
from stend.web.site import site_of

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
    first: Apart
    rest: tuple[Apart, ...]


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


def standings(apart: Sequence[Apart]) -> list[Standing]:
    """By machine or link, those that stand apart in most first; what is said of the whole first."""
    of: dict[str, list[Apart]] = {}
    for one in sorted(apart, key=lambda one: one.of != "whole"):
        of.setdefault(one.who, []).append(one)
    found = [_standing(who, some) for who, some in of.items()]
    return sorted(found, key=lambda one: (-one.worse, -one.better, natural(one.who)))


def _families(apart: Sequence[Apart]) -> list[tuple[str, int]]:
    """How many machines stand apart in each family."""
    found = {(family_of(one.benchmark), one.who) for one in apart if one.of == "node"}
    return Counter(family for family, _ in found).most_common()


def _standing(who: str, some: Sequence[Apart]) -> Standing:
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


def _verdict(one: Apart) -> str:
    return (Verdict.FASTER if one.better else Verdict.SLOWER).word(one.metric)


def _together(told: Iterator[tuple[str, str, str]]) -> list[tuple[str, str, list[str]]]:
    """Whose, why, and which: those that have one reason in common are one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for whose, why, which in told:
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
