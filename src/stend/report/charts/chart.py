"""What a chart is: panels that Plotly draws, a legend and the table behind them.

Colours are names of the page's variables ("--s0"), which the page's script resolves when it
draws, so that one figure serves light, dark and print. Plotly reads a little markup in its
texts: whatever comes from a record goes through `label`.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from math import ceil, floor, log10
from typing import Any

import numpy as np
import numpy.typing as npt

from stend.report.quantities import Scale, figure

SERIES = 8
"""How many series colours (--s0 …) the page has."""
_FEW_DECADES = 1.5
_PART_OF_ONE = 0.3
SYMBOLS = (
    "circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star", "hexagon",
)  # fmt: skip

_THIN = "\u202f"
"""Between the digits of a number by threes."""

Plot = dict[str, Any]
"""A part of a Plotly figure: its schema is at plotly.com/javascript/reference."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One Plotly figure."""

    traces: list[Plot]
    layout: Plot
    title: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of words that is shown beside a chart."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """One or more panels side by side, their legend, and the same figures as a table."""

    title: str
    says: str
    """One sentence: what is drawn, and how to read it."""
    panels: tuple[Panel, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: tuple[str, ...] = field(default=())
    """A name for each series, in the order of their colours."""
    swatches: tuple[int, ...] = ()
    """Which colour each of these names has, where they are not the first ones in their order."""
    listing: Listing | None = None
    """What was read from the chart, as a table."""
    notes: tuple[str, ...] = ()
    """What else is to be said of it: sentences, shown as a list."""
    across: int = 4
    """The most panels side by side."""
    detail: bool = False
    """Whether a page of many figures folds it: others, or the figures, say the most of it."""


def label(text: str) -> str:
    """A record's text as Plotly shows it literally, shortened to what an axis can hold."""
    text = "".join(c if c.isprintable() or c == _THIN else "·" for c in text)
    return escape(text if len(text) <= 60 else text[:59] + "…", quote=False)


def column(values: npt.ArrayLike) -> Plot:
    """Numbers as Plotly's base64 typed array: float32, a third of their size as text.

    Numbers that a float32 can't hold are float64; NaN is a gap.
    """
    exact = np.ascontiguousarray(values, dtype="<f8")
    kind = "f8" if np.any(np.abs(exact) >= np.finfo("<f4").max) else "f4"
    return {"dtype": kind, "bdata": base64.b64encode(exact.astype(f"<{kind}").tobytes()).decode()}


def table(values: npt.NDArray[np.float64]) -> Plot:
    """Rows × columns of numbers as `column` has one; NaN is a blank."""
    kind = column(np.nan_to_num(values))["dtype"]
    rows, columns = values.shape
    return {
        "dtype": kind,
        "bdata": base64.b64encode(values.astype(f"<{kind}").tobytes()).decode(),
        "shape": f"{rows}, {columns}",
    }


def colour(series: int) -> str:
    """The page's variable for a series."""
    return f"--s{series % SERIES}"


def marker(series: int, size: float = 9) -> Plot:
    """Colour and shape of a series; the shape tells it apart without colour.

    All but the first are hollow and a little larger, so that what lies beneath is seen.
    """
    shape = SYMBOLS[series % len(SYMBOLS)]
    if series == 0:
        return {"color": colour(series), "symbol": shape, "size": size}
    hollow = {"symbol": f"{shape}-open", "size": size + 2, "line": {"width": 2}}
    return {"color": colour(series)} | hollow


def bars(low: Sequence[float | None], high: Sequence[float | None], series: int) -> Plot:
    """Error bars from each value down by `low` and up by `high`; None draws none."""
    return {
        "type": "data",
        "symmetric": False,
        "array": list(high),
        "arrayminus": list(low),
        "color": colour(series),
        "thickness": 1.5,
        "width": 4,
    }


def decades(values: Sequence[float], by: Scale, unit: str) -> Plot:
    """A log axis for positive values in `unit`, drawn scaled by `by`, a tick a power of ten.

    Where the values span little more than one, 2 and 5 times each power have ticks as well, and
    all digits where they span a part of one.
    """
    low, high = log10(min(values)), log10(max(values))
    few = (1, 2, 5) if high - low < _FEW_DECADES else (1,)
    steps = range(1, 10) if high - low < _PART_OF_ONE else few
    ticks = [n * 10.0**p for p in range(floor(low) - 1, ceil(high) + 2) for n in steps]
    return {
        "type": "log",
        "tickvals": [tick * by.factor for tick in ticks],
        "ticktext": [
            label(figure(tick, unit).replace(".00", "").replace(".0", "")) for tick in ticks
        ],
    }


def reaching(low: float, high: float, by: Scale) -> list[float]:
    """The ends of a log axis that shows all from `low` to `high`, with a little room."""
    room = 0.06 * max(log10(high / low), 0.5)
    return [log10(low * by.factor) - room, log10(high * by.factor) + room]


_MOST = 12
"""Series of which each is told; more are a list that nobody listens to."""

Values = npt.NDArray[np.float64]


def spoken(chart: Chart) -> str:
    """The chart in words; its table has the figures."""
    sentences = [said for panel in chart.panels for said in _panel(panel, chart.legend)]
    more = [f"And {len(sentences) - _MOST} series more."] if len(sentences) > _MOST else []
    end = "The figures are in the table that follows."
    return " ".join([f"{chart.title}.", *sentences[:_MOST], *more, end])


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
