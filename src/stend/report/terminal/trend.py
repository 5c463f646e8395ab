"""Trends → printed: a line a run with its place between the least and the most, and the changes."""

from collections.abc import Sequence

from rich.padding import Padding
from rich.text import Text

from stend.comparing.following import Followed
from stend.comparing.judgement import Verdict
from stend.comparing.trend import Change, Trend
from stend.console import Console
from stend.report import trended
from stend.report.terminal.grid import Line, print_grid
from stend.report.terminal.words import BAD, GOOD, SOFT, text

_EACH = 8
"""Of more trends a line each is printed instead of a line a run."""
_BAR = 20
"""Columns of the bar; a wide terminal has twice as many."""
_WIDE = 110
_SPARKS = "▁▂▃▄▅▆▇█"
_SPARK_COLUMNS = 12
"""Of a wide terminal twice as many."""
_SIGNS = {Verdict.FASTER: ("▲", GOOD), Verdict.SLOWER: ("▼", BAD)}


def print_trends(followed: Followed, console: Console | None = None) -> None:
    """All trends of a metric, then the runs whose figures or times don't count."""
    out = console or Console()
    out.print(
        Text.assemble(text(followed.metric, "bold"), "  ", text(trended.heading(followed), SOFT))
    )
    if len(followed.trends) > _EACH:
        _print_overview(out, followed.trends)
    else:
        for trend in followed.trends:
            out.print()
            _print_one(out, trend)
    for said in followed.doubts:
        out.print(text(said, BAD))
    if any(trend.changes for trend in followed.trends):
        out.print(text(
            "\nThat there is a change is told at 99% for each case alone; how large it is, at 95%. "
            "Changes under 1% don't matter.", SOFT))  # fmt: skip


def _print_one(out: Console, trend: Trend) -> None:
    out.print(text(trend.name, "bold"))
    out.print(text(trended.direction(trend), SOFT))
    labels = any(point.label for point in trend.points)
    heads = ["begun (UTC)", *(["label"] if labels else []), trend.metric.name, "", _ends(trend)]
    new = {change.index: change for change in trend.changes}
    wide = _BAR * (1 + (out.width >= _WIDE))
    lines = []
    for i, point in enumerate(trend.points):
        cells = [text(trended.minute(point.started)), *([text(point.label)] if labels else [])]
        cells += [text(trended.shown(point, trend.metric.unit), "bold"), _sign(new.get(i))]
        cells += [_bar(trend, point.value, wide)]
        lines.append(Line(tuple(cells), trended.mark(trend, point)))
    print_grid(out, heads, lines, right=[1 + labels])
    if kinds := trended.always(trend):
        out.print(text(f"  disturbed in all runs: {', '.join(kinds)}", SOFT))
    for level in trend.levels if len(trend.levels) > 1 else ():
        since = trended.minute(trend.points[level.first].started)
        out.print(text(f"  level since {since}: {trended.level_said(trend, level)}", SOFT))
    _print_outcome(out, trend)


def _ends(trend: Trend) -> str:
    values = [point.value for point in trend.points]
    factor, unit = trended.unit_of(trend)
    return f"{min(values) * factor:.4g} to {max(values) * factor:.4g} {unit}"


def _sign(change: Change | None) -> Text:
    return text(*_SIGNS[change.verdict]) if change else text("")


def _bar(trend: Trend, value: float, wide: int) -> Text:
    """Where the value stands between the least and the most."""
    values = [point.value for point in trend.points]
    span = max(values) - min(values)
    at = round((wide - 1) * (value - min(values)) / span) if span else (wide - 1) // 2
    return Text.assemble(text("·" * at, SOFT), "●", text("·" * (wide - 1 - at), SOFT))


def _print_outcome(out: Console, trend: Trend) -> None:
    out.print(text(trended.outcome(trend)))
    for change in trend.changes:
        sign, style = _SIGNS[change.verdict]
        said = trended.change_said(trend, change)
        out.print(Padding(Text.assemble(text(f"{sign} ", style), text(said, "bold")), (0, 0, 0, 2)))
        out.print(Padding(text(trended.causes(trend, change), SOFT), (0, 0, 0, 4)))
    for left in trend.left_out:
        out.print(
            text(f"Left out: {trended.minute(left.started)}, {left.run[:8]}. {left.reason}", BAD)
        )


def _print_overview(out: Console, trends: Sequence[Trend]) -> None:
    count = _SPARK_COLUMNS * (1 + (out.width >= _WIDE))
    lines = []
    for trend in trends:
        last = trend.changes[-1] if trend.changes else None
        latest = trended.level_said(trend, trend.levels[-1])
        note = trended.change_said(trend, last) if last else ""
        cells = (text(trend.name), _sign(last), text(_sparks(trend, count)), text(latest))
        lines.append(Line(cells, note))
    out.print()
    print_grid(out, ["case", "", "latest runs", "latest level"], lines)
    out.print(text("Fewer cases are shown run by run: `stend trend NAME PARAMETER=VALUE`.", SOFT))


def _sparks(trend: Trend, count: int) -> str:
    """A character for each of the last runs."""
    values = [point.value for point in trend.points][-count:]
    low, span = min(values), max(values) - min(values)
    top = len(_SPARKS) - 1
    return "".join(_SPARKS[round(top * (v - low) / span) if span else top // 2] for v in values)
