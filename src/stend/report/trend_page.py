"""Charts of trends, and their page: a file that opens offline, or one of a site (frame.py)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from stend.comparing.judgement import Verdict
from stend.record.files import write_whole
from stend.record.text import minute
from stend.report import trend_sentences
from stend.report.charts.chart import Chart, Listing, Panel, Plot, bars, colour, label, marker
from stend.report.frame import Frame, render
from stend.trends.machine import Followed
from stend.trends.trend import Change, Point, Trend

_CALM, _DISTURBED, _LEVEL = (
    "a run, with its 95% interval",
    "a run whose machine was disturbed",
    "the level",
)
_COLOUR_OF_LEVEL = 7
"""Grey: the second series is of disturbed runs here, and its orange says so on other pages."""
_COLOURS = {Verdict.FASTER: "--better", Verdict.SLOWER: "--worse"}
_SHORTEST = timedelta(minutes=10)
"""Of an axis of time: its ticks are whole minutes."""
_TIMES = 5
"""Ticks of an axis of time at most, which are dates as well and have room on a phone."""
_FEW = 12
"""Ticks of an axis that can't be one of time."""


def draw(trend: Trend) -> Chart:
    """One panel; against time, or where the clock jumped in the order of the runs."""
    places = _places(trend.points)
    disturbed = [bool(trend_sentences.own_disturbances(trend, point)) for point in trend.points]
    kinds = [(_CALM, False), (_DISTURBED, True)] if any(disturbed) else [(_CALM, False)]
    traces = [
        _runs(trend, [i for i, one in enumerate(disturbed) if one is kind], places, series)
        for series, (_, kind) in enumerate(kinds)
    ]
    layout: Plot = {
        "xaxis": _axis(trend.points, places),
        "yaxis": {
            "title": {"text": label(f"{trend.metric.name}, {trend_sentences.unit_of(trend)[1]}")}
        },
        "height": 340,
        "hovermode": "closest",
        "shapes": [_line(change, places) for change in trend.changes],
        "annotations": [_name(trend, change, places) for change in trend.changes],
        "margin": {"l": 56, "r": 16, "t": 28, "b": 44},
    }
    return Chart(
        title=trend.name,
        says=f"{trend_sentences.direction(trend)}. {trend_sentences.outcome(trend)}",
        panels=(Panel([*traces, _levels(trend, places)], layout),),
        columns=("begun (UTC)", "run", "label", trend.metric.name, "disturbed by", "cautions"),
        rows=tuple(_row(trend, point) for point in trend.points),
        legend=(*(name for name, _ in kinds), _LEVEL),
        swatches=(*range(len(kinds)), _COLOUR_OF_LEVEL),
        listing=_changes(trend),
        notes=tuple(_notes(trend)),
        across=1,
    )


def _places(points: Sequence[Point]) -> list[str] | list[int]:
    """Where each run stands: its time of day, or its number where times go back."""
    times = [datetime.fromisoformat(point.started) for point in points]
    if all(a <= b for a, b in pairwise(times)):
        return [point.started[:19].replace("T", " ") for point in points]
    return list(range(len(points)))


def _axis(points: Sequence[Point], places: Sequence[str | int]) -> Plot:
    if isinstance(places[0], str):
        return {"type": "date", "title": {"text": "begun (UTC)"}, "autotickangles": [0],
                "nticks": _TIMES, **_span(places)}  # fmt: skip
    shown = range(0, len(points), 1 + len(points) // _FEW)
    return {
        "title": {"text": "runs in their order; their clock jumped"},
        "tickvals": list(shown),
        "ticktext": [points[i].started[:10] for i in shown],
    }


def _span(places: Sequence[str | int]) -> Plot:
    """What is drawn of runs so near to each other that ticks would be fractions of a second."""
    first, last = (datetime.fromisoformat(str(places[i])) for i in (0, -1))
    if last - first >= _SHORTEST:
        return {}
    room = (_SHORTEST - (last - first)) / 2
    ends = (first - room, last + room)
    return {"range": [f"{end:%Y-%m-%d %H:%M:%S}" for end in ends]}


def _runs(trend: Trend, some: Sequence[int], places: Sequence[str | int], series: int) -> Plot:
    factor, _ = trend_sentences.unit_of(trend)
    points = [trend.points[i] for i in some]
    down = [(p.value - p.ends[0]) * factor if p.ends else None for p in points]
    up = [(p.ends[1] - p.value) * factor if p.ends else None for p in points]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [places[i] for i in some],
        "y": [p.value * factor for p in points],
        "error_y": bars(down, up, series) | {"width": 0},
        "marker": marker(series, 6),
        "text": [label(_in_words(trend, p)) for p in points],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _in_words(trend: Trend, point: Point) -> str:
    words = [minute(point.started), trend_sentences.shown(point, trend.metric.unit), point.label]
    return " · ".join(filter(None, words))


def _levels(trend: Trend, places: Sequence[str | int]) -> Plot:
    """A line along each level, with a gap between two."""
    factor, _ = trend_sentences.unit_of(trend)
    x: list[str | int | None] = []
    y: list[float | None] = []
    for level in trend.levels:
        x += [places[level.first], places[level.last], None]
        y += [level.value * factor, level.value * factor, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "connectgaps": False,
        "line": {"color": colour(_COLOUR_OF_LEVEL), "width": 2.5},
        "hoverinfo": "skip",
    }


def _line(change: Change, places: Sequence[str | int]) -> Plot:
    at = _between(change, places)
    line = {"color": _COLOURS[change.verdict], "width": 1.5, "dash": "dash"}
    return {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": line}


def _between(change: Change, places: Sequence[str | int]) -> str | float:
    """The middle of the two runs on both sides of it."""
    a, b = places[change.index - 1], places[change.index]
    if isinstance(a, str) and isinstance(b, str):
        first, second = datetime.fromisoformat(a), datetime.fromisoformat(b)
        return (first + (second - first) / 2).strftime("%Y-%m-%d %H:%M:%S")
    return change.index - 0.5


def _name(trend: Trend, change: Change, places: Sequence[str | int]) -> Plot:
    said = f"{change.verdict.word(trend.metric)} {trend_sentences.by_how_much(trend, change)}"
    return {
        "x": _between(change, places),
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "text": label(said.partition(" (")[0] if " by " in said else said),
        "font": {"color": _COLOURS[change.verdict]},
    }


def _row(trend: Trend, point: Point) -> tuple[str, ...]:
    return (
        minute(point.started),
        point.run[:8],
        point.label,
        trend_sentences.shown(point, trend.metric.unit),
        ", ".join(point.disturbed),
        ", ".join(point.cautions),
    )


def _changes(trend: Trend) -> Listing | None:
    if not trend.changes:
        return None
    return Listing(
        caption="Changes",
        columns=("between", "change", "what changed with it"),
        rows=tuple(
            (
                trend_sentences.dates(change),
                f"{change.verdict.word(trend.metric)} {trend_sentences.by_how_much(trend, change)}",
                trend_sentences.causes(trend, change, most=50),
            )
            for change in trend.changes
        ),
    )


def _notes(trend: Trend) -> list[str]:
    levels = [
        f"Level since {minute(trend.points[level.first].started)}: "
        f"{trend_sentences.level_said(trend, level)}."
        for level in trend.levels
    ]
    usual = trend_sentences.always(trend)
    left = [
        f"Left out: {minute(one.started)}, {one.run[:8]}. {one.reason}" for one in trend.left_out
    ]
    return [*levels, *([f"Disturbed in all runs: {', '.join(usual)}."] if usual else []), *left]


BEGINNING = b"<!doctype html>"


def write(followed: Followed, path: Path) -> None:
    """Write the page; a file of that name is replaced only when the new one is complete.

    Raises:
        OutputError: the file can't be written.
    """
    write_whole(path, page(followed).encode(errors="replace"), BEGINNING)


def page(followed: Followed, frame: Frame | None = None, template: str = "trend.html") -> str:
    """The whole page as text: a file, or in a site's frame, of a template that extends ours."""
    charts = [(f"trend-{i}", draw(one)) for i, one in enumerate(followed.trends)]
    values = {"followed": followed, "drawings": charts, "trended": trend_sentences}
    return render(template, followed.metric, charts, values, frame)
