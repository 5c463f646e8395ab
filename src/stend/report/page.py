"""Runs → one HTML file that opens offline: everything it needs is in it.

Nothing of a record becomes markup: the template escapes, the data for the scripts is JSON
without a character that HTML could read, and the page's own policy lets no script run but
the two that are in it, and no request leave it.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from stend.comparing import Comparison, Verdict, compare, has_sides
from stend.errors import UsageError
from stend.files import write_whole
from stend.record import Conditions, Run
from stend.report import compared, facts, views
from stend.report.card import Card, card
from stend.report.charts import draw, loads
from stend.report.charts.chart import Chart, Listing, Panel
from stend.report.charts.ratios import ratios
from stend.report.charts.roofline import roofline
from stend.report.charts.watched import watched
from stend.report.distribution import distribution
from stend.report.limits import limits
from stend.report.quantities import figure, percent
from stend.report.speedup import speedups
from stend.report.two_systems import systems
from stend.report.workloads import workloads

BEGINNING = b"<!doctype html>"

POINTS = 100_000
"""Points of all time courses together: about 1 MB of the file."""
_POINTS_OF_A_CASE = (300, 4000)

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """One run in the page."""

    id: str
    run: Run
    tables: tuple[views.Table, ...]
    charts: tuple[tuple[str, Chart], ...]
    """Each with its id in the page."""
    card: Card | None
    speedups: Listing | None


def write(runs: Sequence[Run], path: Path) -> None:
    """Write the page; a file of that name is replaced only when the new one is complete."""
    if not runs:
        raise UsageError("a report needs at least one run; name one, see `stend runs`.")
    write_whole(path, page(runs).encode(errors="replace"), BEGINNING)


def page(runs: Sequence[Run]) -> str:
    """The whole file as text."""
    sections = [_section(i, run) for i, run in enumerate(runs)]
    comparisons = [(f"comparison-{i}", c, ratios(c)) for i, c in enumerate(_comparisons(runs))]
    charts = [pair for section in sections for pair in section.charts]
    charts += [(id, chart) for id, _, chart in comparisons if chart]
    style, script = (_part(name) for name in ("style.css", "page.js"))
    plotly = _plotly()
    environment = Environment(
        loader=PackageLoader("stend.report", "template"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": _prose, "dotted": _dotted}
    environment.globals |= {
        "facts": facts, "views": views, "figure": figure, "percent": percent, "Verdict": Verdict,
        "compared_tables": compared.tables, "alone": compared.alone, "reasons": compared.reasons,
        "systems": systems, "workloads": workloads,
    }  # fmt: skip
    return environment.get_template("report.html").render(
        title=_title(runs),
        sections=sections,
        compared=comparisons,
        style=Markup(style),
        plotly=Markup(plotly),
        script=Markup(script),
        hashes=[_hash(plotly), _hash(script)],
        charts=_json({id: list(map(_panel, chart.panels)) for id, chart in charts}),
        distributions=_distributions(sections),
    )


def _prose(text: str) -> Markup:
    """A sentence whose `words in backticks` are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _dotted(name: str) -> Markup:
    """A benchmark's name that a narrow window breaks after its dots and nowhere else."""
    return Markup("<wbr>").join(re.split(r"(?<=\.)", name))


def _title(runs: Sequence[Run]) -> str:
    names = [run.label or run.machine.host or run.id[:8] for run in runs]
    return " and ".join(names) if len(names) < 4 else f"{names[0]} and {len(names) - 1} more"


def _section(i: int, run: Run) -> Section:
    tables = views.tables(run, f"run-{i}-")
    measured = [row.measured for table in tables for row in table.rows]
    bounds = limits(run.machine, measured)
    roofs = roofline(measured, bounds)
    charts = draw(measured, bounds) + loads.ended_badly(run.cases) + ([roofs] if roofs else [])
    seen = watched(run)
    named = [(f"run-{i}-chart-{n}", chart) for n, chart in enumerate(charts)]
    named += [(f"run-{i}-watched", seen)] if seen else []
    return Section(
        f"run-{i}", run, tables, tuple(named), card(measured, bounds), speedups(measured)
    )


def _comparisons(runs: Sequence[Run]) -> list[Comparison]:
    within = [compare(run, run) for run in runs if has_sides(run)]
    return within + [compare(runs[0], other) for other in runs[1:]]


def _distributions(sections: Sequence[Section]) -> list[tuple[str, Markup]]:
    rows = [(s.run.conditions, row) for s in sections for t in s.tables for row in t.rows]
    least, most = _POINTS_OF_A_CASE
    points = min(max(POINTS // max(1, len(rows)), least), most)
    return [(row.id, _json(_case(row, conditions, points))) for conditions, row in rows]


def _case(row: views.Row, conditions: Conditions, points: int) -> Data:
    m = row.measured
    drawn = distribution(m.case, m.estimate, conditions, points)
    proofs = dict.fromkeys(s.proof.said for s in m.case.samples)
    return {
        "name": row.name,
        "facts": [
            [m.case.metric.name, row.shown],
            ["5% to 95% of the repetitions", row.spread],
            ["processes × repetitions", row.repetitions],
            ["stopped by", row.stopped],
            *([["no interval", m.estimate.why]] if m.estimate.why else []),
            *(["note", note] for note in (row.modes, *row.notes) if note),
            *([["ran", m.case.detail["about"]]] if "about" in m.case.detail else []),
            ["proof", "; ".join(proofs)],
            *([f"caution: {c}", c.advice] for c in row.cautions),
        ],
        "panels": list(map(_panel, drawn.panels)),
        "said": list(drawn.said),
    }


def _panel(panel: Panel) -> Data:
    return {"title": panel.title, "data": panel.traces, "layout": panel.layout}


def _json(value: Any) -> Markup:
    """JSON in which no character could end the script or begin markup."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def _part(name: str) -> str:
    return (files("stend.report") / "template" / name).read_text("utf-8")


def _plotly() -> str:
    """Plotly.js as its package ships it (MIT licence)."""
    text = (files("plotly") / "package_data" / "plotly.min.js").read_text("utf-8")
    assert "</script" not in text.lower(), "it would end the page's script"
    return text
