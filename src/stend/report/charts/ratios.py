"""Chart of a comparison: each family's and case's ratio with its interval, better rightwards."""

from collections.abc import Sequence
from dataclasses import dataclass

from stend.comparing import Comparison, Judgement, Verdict
from stend.report import comparison_view
from stend.report.answer import family_word, moved, tally
from stend.report.charts.chart import Chart, Panel, Plot, label
from stend.report.comparison_view import tables_of
from stend.report.quantities import percent, span

MOST = 60
"""So many cases are drawn; of more, those that moved most."""
_WIDE = 10
"""Over more than this, half as good would stand far nearer to 1 than twice as good does."""
_VERY_WIDE = 20
"""Over more than this a narrow screen has room for the powers of ten alone."""
_LOOK = {
    Verdict.FASTER: ("--better", "triangle-right"),
    Verdict.SLOWER: ("--worse", "triangle-left"),
    Verdict.SAME: ("--quiet", "circle"),
    Verdict.CANNOT_TELL: ("--quiet", "circle-open"),
}


@dataclass(frozen=True, slots=True)
class _Mark:
    """How many times as good B is, with an interval."""

    name: str
    whole: str
    """What it is called where there is room."""
    low: float
    speed: float
    high: float
    verdict: Verdict
    word: str
    change: str


def families(comparison: Comparison, b: str) -> Chart | None:
    """The geometric mean of each family; None where each is one case. `b` is what B is called."""
    found = [f for f in comparison.families if f.cases]
    if all(one.cases < 2 for one in found):
        return None
    words = {one.name: family_word(comparison, one) for one in found}
    marks = [
        _Mark(
            label(f.name), f.name, f.low, f.speed, f.high, f.verdict, words[f.name],
            percent(f.speed),
        )
        for f in found
        if f.speed and f.low and f.high
    ]  # fmt: skip
    by = comparison_view.columns(found, comparison.smallest)
    return Chart(
        title=f"{b} against A, by family",
        says=f"How many times as good {b} is: the geometric mean over a family's cases, with "
        f"{comparison.confidence:.0%} intervals; within the band, ±{comparison.smallest:.0%}, a "
        "difference does not matter.",
        panels=(_panel(marks, comparison.smallest),) if marks else (),
        columns=("family", "cases", "better by", "interval", *by, f"{b} is", "of its cases"),
        rows=tuple(
            (
                f.name,
                str(f.cases),
                percent(f.speed) if f.speed else "–",
                span(f.low, f.high) if f.low and f.high else "–",
                *(comparison_view.cell(f, name) for name in by),
                words[f.name],
                tally(f),
            )
            for f in found
        ),
        legend=(),
    )


def ratios(comparison: Comparison, b: str = "B") -> Chart | None:
    """Drawn as B's speed over A's, so that right is better for every metric; None without any."""
    rows = [row for row in comparison.rows if row.speed and row.low and row.high]
    every = len(rows) <= MOST
    rows = rows if every else moved(rows)[:MOST]
    if not rows:
        return None
    names = _names(rows)
    marks = [
        _Mark(
            names[row.name], row.name, *_better(row), row.verdict, row.verdict.word(row.metric),
            percent(row.ratio or 0),
        )
        for row in rows
    ]  # fmt: skip
    return Chart(
        title=f"{b} against A" if every else f"{b} against A: what moved most",
        says=f"How many times as good {b} is, with {comparison.confidence:.0%} intervals; within "
        f"the band, ±{comparison.smallest:.0%}, a difference does not matter.",
        panels=(_panel(marks, comparison.smallest),),
        columns=("case", "change", "verdict"),
        rows=tuple((one.whole, one.change, one.word) for one in marks),
        legend=(),
    )


def _names(rows: Sequence[Judgement]) -> dict[str, str]:
    """Each case in few words; as it is stored where these would not tell two apart."""
    found = {
        row.judgement.name: label(" · ".join(filter(None, [table.benchmark, row.where])))
        for table in tables_of(rows)
        for row in table.rows
    }
    alike = len(set(found.values())) < len(found)
    return {name: label(name) for name in found} if alike else found


def _better(row: Judgement) -> tuple[float, float, float]:
    """Low, ratio and high with more meaning better."""
    assert row.ratio is not None
    assert row.low is not None
    assert row.high is not None
    if row.metric.better == "higher":
        return row.low, row.ratio, row.high
    return 1 / row.high, 1 / row.ratio, 1 / row.low


def _panel(marks: Sequence[_Mark], smallest: float) -> Panel:
    names = [mark.name for mark in marks]
    layout = _layout(names, smallest)
    reach = max(mark.high for mark in marks) / min(mark.low for mark in marks)
    if reach > _WIDE:
        layout["xaxis"] |= {"type": "log", "dtick": 1 if reach > _VERY_WIDE else "D2"}
    return Panel([_trace(marks, verdict) for verdict in _LOOK], layout)


def _trace(marks: Sequence[_Mark], verdict: Verdict) -> Plot:
    colour, symbol = _LOOK[verdict]
    mine = [mark for mark in marks if mark.verdict is verdict]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mark.speed for mark in mine],
        "y": [mark.name for mark in mine],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [mark.high - mark.speed for mark in mine],
            "arrayminus": [mark.speed - mark.low for mark in mine],
            "color": colour,
            "thickness": 1.5,
            "width": 4,
        },
        "marker": {"color": colour, "symbol": symbol, "size": 10},
        "text": [
            f"{label(mark.whole)}<br><b>{label(mark.word)}</b>, {mark.change}" for mark in mine
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _layout(names: Sequence[str], smallest: float) -> Plot:
    band = {
        "type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
        "x0": 1 / (1 + smallest), "x1": 1 + smallest, "line": {"width": 0},
        "fillcolor": "--band",
    }  # fmt: skip
    categories = list(dict.fromkeys(names))[::-1]
    return {
        "xaxis": {"title": {"text": "times A"}, "tickformat": ".4~g"},
        "yaxis": {
            "type": "category",
            "categoryarray": categories,
            "range": [-0.7, len(categories) - 0.3],
            "automargin": True,
            "showgrid": True,
        },
        "shapes": [band],
        "meta": {"rows": len(categories)},
        "height": 90 + 24 * max(2, len(names)),
    }
