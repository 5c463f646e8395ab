"""A comparison → every ratio with its interval, better to the right."""

from stend.comparing import Comparison, Judgement, Verdict
from stend.report.charts.chart import Chart, Panel, Plot, label
from stend.report.compared import tables
from stend.report.quantities import percent

_LOOK = {
    Verdict.FASTER: ("--better", "triangle-right"),
    Verdict.SLOWER: ("--worse", "triangle-left"),
    Verdict.SAME: ("--quiet", "circle"),
    Verdict.CANNOT_TELL: ("--quiet", "circle-open"),
}


def ratios(comparison: Comparison) -> Chart | None:
    """Drawn as B's speed over A's, so that right is better for every metric; None without any."""
    rows = [row for row in comparison.rows if row.ratio and row.low and row.high]
    if not rows:
        return None
    names = _names(comparison)
    return Chart(
        title="B beside A",
        says=f"How many times better B is, with {comparison.confidence:.0%} intervals; within "
        f"the band, ±{comparison.smallest:.0%}, a difference does not matter.",
        panels=(
            Panel(
                [_trace(rows, names, verdict) for verdict in _LOOK],
                _layout([names[row.name] for row in rows], comparison.smallest),
            ),
        ),
        columns=("case", "change", "verdict"),
        rows=tuple((r.name, percent(r.ratio or 0), r.verdict.word(r.metric)) for r in rows),
        legend=(),
    )


def _names(comparison: Comparison) -> dict[str, str]:
    """Each case in few words; as it is stored where these would not tell two apart."""
    found = {
        row.judgement.name: label(" · ".join(filter(None, [table.benchmark, *row.cells])))
        for table in tables(comparison)
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


def _trace(rows: list[Judgement], names: dict[str, str], verdict: Verdict) -> Plot:
    colour, symbol = _LOOK[verdict]
    mine = [(names[row.name], row, _better(row)) for row in rows if row.verdict is verdict]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [ratio for _, _, (_, ratio, _) in mine],
        "y": [name for name, _, _ in mine],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - ratio for _, _, (_, ratio, high) in mine],
            "arrayminus": [ratio - low for _, _, (low, ratio, _) in mine],
            "color": colour,
            "thickness": 1.5,
            "width": 4,
        },
        "marker": {"color": colour, "symbol": symbol, "size": 10},
        "text": [
            f"{label(row.name)}<br><b>{label(row.verdict.word(row.metric))}</b>, "
            f"{percent(row.ratio or 0)}"
            for _, row, _ in mine
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _layout(names: list[str], smallest: float) -> Plot:
    band = {
        "type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
        "x0": 1 / (1 + smallest), "x1": 1 + smallest, "line": {"width": 0},
        "fillcolor": "--band",
    }  # fmt: skip
    return {
        "xaxis": {"title": {"text": "times A, right is better"}, "tickformat": ".4~g"},
        "yaxis": {
            "type": "category",
            "categoryarray": list(dict.fromkeys(names))[::-1],
            "automargin": True,
            "showgrid": True,
        },
        "shapes": [band],
        "height": 90 + 24 * max(2, len(names)),
    }
