"""Trends on the terminal: a line a run with its place between least and most, and changes."""

from collections.abc import Sequence

from rich.padding import Padding
from rich.text import Text

from stend.comparing.judgement import Verdict
from stend.record.text import minute
from stend.report import trend_sentences
from stend.report.terminal.console import (
    BAD,
    GAP,
    GOOD,
    NARROWEST,
    SOFT,
    Console,
    Line,
    print_grid,
    text,
)
from stend.trends.machine import Followed
from stend.trends.trend import Change, Trend

_EACH = 8
"""Of more trends a line each is printed instead of a line a run."""
_BAR = 20
"""Columns of the bar; a wide terminal has twice as many."""
_SHORTEST = 8
"""To which it shrinks where the figures leave less, before it is left out."""
_FIGURE, _SIGN = 2, 3
"""Places of the columns of figures and of what changed; the bar stands behind them."""
_LABEL = "label"
"""The column whose words fold before anything else gives way."""
_WIDE = 110
_SPARKS = "▁▂▃▄▅▆▇█"
_SPARK_COLUMNS = 12
"""Of a wide terminal twice as many."""
LETTERS = {
    "load": "l",
    "processes": "p",
    "steal": "s",
    "hypervisor": "v",
    "governor": "g",
    "turbo": "t",
    "frequency": "f",
    "throttling": "h",
    "swap": "w",
    "memory": "m",
    "quota": "q",
    "smt": "x",
    "huge pages": "u",
    "battery": "b",
    "clock": "c",
}
"""What stands for a kind of disturbance beside a run; those that are shown are told below."""
_OTHER = "o"
"""A kind that only another version of stend knows."""
_SIGNS = {Verdict.FASTER: ("▲", GOOD), Verdict.SLOWER: ("▼", BAD)}


def print_trends(followed: Followed, console: Console | None = None) -> None:
    """All trends of a metric, then the runs whose figures or times don't count."""
    out = console or Console()
    out.print(
        Text.assemble(
            text(followed.metric, "bold"), "  ", text(trend_sentences.heading(followed), SOFT)
        )
    )
    if len(followed.trends) > _EACH:
        _print_overview(out, followed.trends)
    else:
        for trend in followed.trends:
            out.print()
            _print_one(out, trend)
        _print_letters(out, followed.trends)
    for said in followed.doubts:
        out.print(text(said, BAD))
    if any(trend.changes for trend in followed.trends):
        out.print(text(
            "\nA change is found at 99% for each case by itself; its size is given at 95%. "
            "Changes under 1% don't matter.", SOFT))  # fmt: skip


def _print_one(out: Console, trend: Trend) -> None:
    out.print(text(trend.name, "bold"))
    out.print(text(trend_sentences.direction(trend), SOFT))
    heads = ["begun (UTC)", _LABEL, trend.metric.name, "", "disturbed"]
    rows = _rows(trend)
    filled = [i for i in range(len(heads)) if any(cells[i].plain for cells in rows)]
    heads, rows = [heads[i] for i in filled], [[cells[i] for i in filled] for cells in rows]
    if wide := _room(out, [[*map(text, heads)], *rows]):
        at = sum(i <= _SIGN for i in filled)
        heads.insert(at, _ends(trend))
        for cells, point in zip(rows, trend.points, strict=True):
            cells.insert(at, _bar(trend, point.value, wide))
    print_grid(
        out,
        heads,
        [Line(tuple(cells)) for cells in rows],
        right=[filled.index(_FIGURE)],
        typed=[i for i, head in enumerate(heads) if head != _LABEL],
    )
    if usual := trend_sentences.always(trend):
        out.print(text(f"  disturbed in all runs: {', '.join(usual)}", SOFT))
    for level in trend.levels:
        since = minute(trend.points[level.first].started)
        out.print(text(f"  level since {since}: {trend_sentences.level_said(trend, level)}", SOFT))
    _print_outcome(out, trend)


def _rows(trend: Trend) -> list[list[Text]]:
    """All of each run's line but its bar."""
    kinds = _kinds([trend])
    new = {change.index: change for change in trend.changes}
    return [
        [
            text(minute(point.started)),
            text(point.label),
            text(trend_sentences.shown(point, trend.metric.unit), "bold"),
            _sign(new.get(i)),
            _letters(kinds, trend_sentences.own_disturbances(trend, point)),
        ]
        for i, point in enumerate(trend.points)
    ]


def _room(out: Console, rows: Sequence[Sequence[Text]]) -> int:
    """What the other columns leave for the bar; 0 where that is too little for one."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    if rows[0][1].plain == _LABEL:
        widths[1] = min(widths[1], NARROWEST)
    taken = sum(widths) + GAP * len(widths)
    room = min(_BAR * (1 + (out.width >= _WIDE)), out.width - taken)
    return room if room >= _SHORTEST else 0


def _kinds(trends: Sequence[Trend]) -> list[str]:
    """What disturbed some runs of a trend and not all, in the order of the letters."""
    seen = {
        k
        for trend in trends
        for point in trend.points
        for k in trend_sentences.own_disturbances(trend, point)
    }
    order = list(LETTERS)
    return sorted(seen, key=lambda k: (order.index(k) if k in LETTERS else len(order), k))


def _letters(kinds: Sequence[str], met: Sequence[str]) -> Text:
    """Each kind in a column of its own."""
    shown = [LETTERS.get(kind, _OTHER) if kind in met else " " for kind in kinds]
    return text(" ".join(shown).rstrip(), BAD)


def _print_letters(out: Console, trends: Sequence[Trend]) -> None:
    """What the letters beside the runs stand for."""
    letters = [f"{LETTERS.get(kind, _OTHER)} {kind}" for kind in _kinds(trends)]
    if letters:
        out.print(text(f"\nDisturbed by: {', '.join(letters)}", SOFT))


def _ends(trend: Trend) -> str:
    values = [point.value for point in trend.points]
    factor, unit = trend_sentences.unit_of(trend)
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
    out.print(text(trend_sentences.outcome(trend)))
    for change in trend.changes:
        sign, style = _SIGNS[change.verdict]
        said = trend_sentences.change_said(trend, change)
        out.print(Padding(Text.assemble(text(f"{sign} ", style), text(said, "bold")), (0, 0, 0, 2)))
        out.print(Padding(text(trend_sentences.causes(trend, change), SOFT), (0, 0, 0, 4)))
    for left in trend.left_out:
        out.print(text(f"Left out: {minute(left.started)}, {left.run[:8]}. {left.reason}", BAD))


def _print_overview(out: Console, trends: Sequence[Trend]) -> None:
    count = _SPARK_COLUMNS * (1 + (out.width >= _WIDE))
    lines = []
    for trend in trends:
        last = trend.changes[-1] if trend.changes else None
        latest = trend_sentences.level_said(trend, trend.levels[-1])
        note = trend_sentences.change_said(trend, last) if last else ""
        cells = (text(trend.name), _sign(last), text(_sparks(trend, count)), text(latest))
        lines.append(Line(cells, note))
    out.print()
    print_grid(out, ["case", "", "latest runs", "latest level"], lines)
    out.print(
        text("To see single runs, select fewer cases: `stend trend NAME PARAMETER=VALUE`.", SOFT)
    )


def _sparks(trend: Trend, count: int) -> str:
    """A character for each of the last runs."""
    values = [point.value for point in trend.points][-count:]
    low, span = min(values), max(values) - min(values)
    top = len(_SPARKS) - 1
    return "".join(_SPARKS[round(top * (v - low) / span) if span else top // 2] for v in values)
