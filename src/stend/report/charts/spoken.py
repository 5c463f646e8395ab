"""A chart → what a screen reader says of it: each series with where it begins, ends, and lies."""

import base64
import re
from collections.abc import Iterator
from html import unescape

import numpy as np
import numpy.typing as npt

from stend.report.charts.chart import Chart, Panel, Plot

_MOST = 12
"""Series of which each is told; more are a list that nobody listens to."""

Values = npt.NDArray[np.float64]


def spoken(chart: Chart) -> str:
    """The chart in words; its table has the figures."""
    told = [said for panel in chart.panels for said in _panel(panel, chart.legend)]
    more = [f"And {len(told) - _MOST} series more."] if len(told) > _MOST else []
    end = "The figures are in the table that follows."
    return " ".join([f"{chart.title}.", *told[:_MOST], *more, end])


def _panel(panel: Panel, legend: tuple[str, ...]) -> Iterator[str]:
    unit = _title(panel.layout, "yaxis")
    for trace in panel.traces:
        along = "x" if trace.get("orientation") == "h" else "z" if "z" in trace else "y"
        values = _numbers(trace.get(along))
        if values.size:
            names = (panel.title, _name(trace, legend))
            said = _span(values, _title(panel.layout, "xaxis") if along == "x" else unit)
            yield f"{', '.join(filter(None, map(_plain, names))) or 'One series'}: {said}."


def _span(values: Values, unit: str) -> str:
    unit = f" ({_plain(unit)})" if unit else ""
    if values.size == 1:
        return f"{values[0]:.3g}{unit}"
    return (
        f"{values.size} points from {values[0]:.3g} to {values[-1]:.3g}, "
        f"lowest {values.min():.3g}, highest {values.max():.3g}{unit}"
    )


def _name(trace: Plot, legend: tuple[str, ...]) -> str:
    if trace.get("name"):
        return str(trace["name"])
    colour = (trace.get("line") or trace.get("marker") or {}).get("color", "")
    series = re.fullmatch(r"--s(\d)", colour) if isinstance(colour, str) else None
    return legend[int(series[1])] if series and int(series[1]) < len(legend) else ""


def _title(layout: Plot, axis: str) -> str:
    return str(layout.get(axis, {}).get("title", {}).get("text", ""))


def _plain(text: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", text)).strip()


def _numbers(values: object) -> Values:
    """The finite numbers among a trace's values, which may be packed, or words."""
    if isinstance(values, dict):
        packed = base64.b64decode(values["bdata"])
        found = np.frombuffer(packed, f"<{values['dtype']}").astype(np.float64)
    else:
        rows = values if isinstance(values, list | tuple) else []
        flat = [v for row in rows for v in (row if isinstance(row, list | tuple) else [row])]
        found = np.array([v for v in flat if isinstance(v, int | float)], dtype=np.float64)
    return found[np.isfinite(found)]
