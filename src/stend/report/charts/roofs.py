"""Roofs and points → the panel of a roofline: both axes logarithmic, a name at each roof.

A bandwidth's name stands on its slope, and hides what crosses it; a peak's name stands in the right
margin, where no line comes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from stend.report.charts.chart import Panel, Plot, colour, decades, label, marker
from stend.report.charts.group import stem_of
from stend.report.measured import Measured
from stend.report.quantities import Scale, counted, figure, number, scale, share_in_words

_HEIGHT = 420
_LINE = 16
"""Pixels of the height: roofs that lie nearer to each other than a line of text share one."""
_MARGIN = 102
"""Pixels right of the panel for the names of peaks."""


@dataclass(frozen=True, slots=True)
class Roof:
    """One limit: FLOP/s if it is of the processor, B/s if it is of a level of memory."""

    name: str
    value: float
    of: str = ""
    """The case that reached the bandwidth of memory."""


@dataclass(frozen=True, slots=True)
class Point:
    """A case under the roofs."""

    measured: Measured
    intensity: float
    """FLOP/B."""
    rate: float
    """FLOP/s."""


@dataclass(frozen=True, slots=True)
class House:
    """All roofs and points of one number of threads."""

    threads: int
    peaks: tuple[Roof, ...]
    """By instruction set, the highest first."""
    bandwidths: tuple[Roof, ...]
    """Memory first, then the caches outwards in."""
    points: tuple[Point, ...]

    @property
    def ridge(self) -> float:
        """FLOP/B from which on not the memory but the processor is the limit."""
        return self.peaks[0].value / self.bandwidths[0].value

    def share(self, p: Point) -> float:
        """What the point reaches of the roof that memory and processor are over it."""
        return p.rate / min(self.peaks[0].value, self.bandwidths[0].value * p.intensity)


def panel(h: House, stems: Sequence[str]) -> Panel:
    """The roofs of a number of threads, and its points in the colours of their stems."""
    at = [p.intensity for p in h.points]
    x = (min([*at, h.ridge]) / 8, max([*at, h.ridge]) * 4)
    by = scale(h.peaks[0].value, "FLOP/s")
    low = min([p.rate for p in h.points] + [h.bandwidths[0].value * x[0]]) / 2
    heights = [log10(low * by.factor), log10(1.6 * h.peaks[0].value * by.factor)]
    line = 10 ** (_LINE / _HEIGHT * (heights[1] - heights[0]))
    traces = [_slope(r, h, x[0], by.factor) for r in h.bandwidths]
    traces += [_level(r, h, x, by.factor) for r in h.peaks]
    traces.append(_ridge(h, by.factor))
    traces += [_dots(h, ps, stems.index(s), by.factor) for s, ps in _by_stem(h.points).items()]
    layout: Plot = {
        "xaxis": {
            "title": {"text": "FLOP/B"},
            "type": "log",
            "dtick": 1,
            "range": [log10(end) for end in x],
        },
        "yaxis": decades([low, h.peaks[0].value], by, "FLOP/s")
        | {"title": {"text": label(by.unit)}, "range": heights},
        "margin": {"l": 56, "r": _MARGIN, "t": 8, "b": 44},
        "annotations": [
            *(_on_slope(near, x[0], by.factor) for near in _together(h.bandwidths, line)),
            *(_beside(near, by) for near in _together(h.peaks, line)),
        ],
        "height": _HEIGHT,
    }
    return Panel(traces, layout, counted(h.threads, "threads"))


def _by_stem(points: Sequence[Point]) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for p in points:
        found.setdefault(stem_of(p.measured), []).append(p)
    return found


def _together(roofs: Sequence[Roof], line: float) -> list[list[Roof]]:
    """Roofs that lie within a line of text below another one, with that one; the highest first."""
    found: list[list[Roof]] = []
    for roof in sorted(roofs, key=lambda r: -r.value):
        if found and roof.value * line ** len(found[-1]) > found[-1][0].value:
            found[-1].append(roof)
        else:
            found.append([roof])
    return found


def _on_slope(near: Sequence[Roof], x0: float, factor: float) -> Plot:
    """`L3 61.3, memory 20.1 GB/s`, from the left edge on."""
    by = scale(near[0].value, "B/s")
    words = ", ".join(f"{r.name} {number(r.value, by)}" for r in near) + f" {by.unit}"
    y = near[0].value * x0 * factor
    return _words(words) | {"x": log10(x0), "y": log10(y), "xshift": 4, "bgcolor": "--card"}


def _beside(near: Sequence[Roof], by: Scale) -> Plot:
    """A line for each peak, the highest where it is."""
    words = "<br>".join(label(f"{r.name} {number(r.value, by)}") for r in near)
    y = near[0].value * by.factor
    at = {"x": 1, "xref": "paper", "y": log10(y), "xshift": 4, "align": "left"}
    return _words("") | at | {"text": words, "yanchor": "top", "yshift": _LINE / 2}


def _words(text: str) -> Plot:
    return {
        "text": label(text), "xanchor": "left", "showarrow": False,
        "font": {"size": 11, "color": "--ink"},
    }  # fmt: skip


def _slope(roof: Roof, h: House, x0: float, factor: float) -> Plot:
    """B·x from the left edge up to the highest peak."""
    end = h.peaks[0].value / roof.value
    y = [roof.value * x0 * factor, h.peaks[0].value * factor]
    said = f"{label(roof.name)} {figure(roof.value, 'B/s')}"
    return _line([x0, end], y, said, roof is h.bandwidths[0])


def _level(roof: Roof, h: House, ends: tuple[float, float], factor: float) -> Plot:
    """P from the fastest memory's slope to the right edge."""
    start = max(ends[0], roof.value / max(r.value for r in h.bandwidths))
    said = f"{label(roof.name)} {figure(roof.value, 'FLOP/s')}"
    return _line([start, ends[1]], [roof.value * factor] * 2, said, roof is h.peaks[0])


def _line(x: Sequence[float], y: Sequence[float], said: str, thick: bool) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(x),
        "y": list(y),
        "line": {"color": "--ink" if thick else "--quiet", "width": 2.5 if thick else 1.2},
        "hovertemplate": f"{said}<extra></extra>",
    }


def _ridge(h: House, factor: float) -> Plot:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [h.ridge],
        "y": [h.peaks[0].value * factor],
        "marker": {"color": "--ink", "symbol": "diamond", "size": 9},
        "hovertemplate": f"ridge {h.ridge:.3g} FLOP/B<extra></extra>",
    }


def _dots(h: House, points: Sequence[Point], series: int, factor: float) -> Plot:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [p.intensity for p in points],
        "y": [p.rate * factor for p in points],
        "marker": marker(series) | {"color": colour(series)},
        "text": [
            f"{label(p.measured.case.name)}<br><b>{figure(p.rate, 'FLOP/s')}</b> at "
            f"{p.intensity:.3g} FLOP/B, {share_in_words(h.share(p))} of its roof"
            for p in points
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }
