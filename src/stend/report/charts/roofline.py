"""The panel of a roofline: both axes logarithmic, a name at each roof.

A bandwidth's name stands on its slope, and hides what crosses it; a peak's name stands in the right
margin, where no line comes.

Williams, Waterman, Patterson 2009, "Roofline: an insightful visual performance model for
multicore architectures". Of B bytes a second and P operations a second, a case with x
operations a byte can reach min(P, B·x); where the two meet is the ridge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10

from stend.comparing.limits import flop_rate, footprint, threads_of, undisturbed
from stend.report.charts.chart import Chart, Panel, Plot, colour, decades, label, marker
from stend.report.charts.group import by_series, stem_of
from stend.report.measured_case import Limits, Measured
from stend.report.memory_levels import name_of
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
            *(_peak_names(near, by) for near in _together(h.peaks, line)),
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


def _peak_names(near: Sequence[Roof], by: Scale) -> Plot:
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


_READ = "memory.bandwidth.read"
_OF_MEMORY = {"memory", "stream"}
"""First words of the benchmarks whose B/s are those of memory."""
_SIBLINGS = 2
"""Hardware threads that share a cache which each core has its own of."""


def roofline(measured: Sequence[Measured], limits: Limits) -> Chart | None:
    """A panel for one thread and one for all; None where a peak or a bandwidth is missing."""
    counts = sorted({t for _, t in limits.peaks})
    found = [house(measured, limits, t) for t in dict.fromkeys([*counts[:1], *counts[-1:]])]
    houses = [h for h in found if h]
    if not houses:
        return None
    stems = list(dict.fromkeys(stem_of(p.measured) for h in houses for p in h.points))
    return Chart(
        title="Roofline: what bounds each case",
        says="Operations a second against operations for each byte moved, both axes "
        "logarithmic. Left of the ridge (◆) the memory is the limit, right of it the "
        "processor; a case near its roof has little room to improve. The roofs are "
        "measured in this run, for float64.",
        panels=tuple(panel(h, stems) for h in houses),
        columns=("case", "FLOP/B", "FLOP/s", "of its roof"),
        rows=tuple(
            (
                p.measured.case.name,
                f"{p.intensity:.3g}",
                figure(p.rate, "FLOP/s"),
                f"{share_in_words(h.share(p))} of the "
                f"{'memory' if p.intensity < h.ridge else 'peak'}",
            )
            for h in houses
            for p in h.points
        ),
        legend=tuple(stems),
        notes=tuple(_sentence(h) for h in houses),
    )


def house(measured: Sequence[Measured], limits: Limits, threads: int) -> House | None:
    """The roofs and points of so many threads; None where one of both kinds of roof is missing."""
    mine = [m for m in measured if threads_of(m.case) == threads]
    peaks = [m for m in mine if m.case.benchmark == "peak.float64"]
    best = by_series(peaks, [m.variant or "peak" for m in peaks])
    heights = [Roof(n, max(map(undisturbed, ms))) for n, ms in best.items()]
    bandwidths = [*_memory(mine, limits), *_caches(mine, limits, threads)]
    heights = [r for r in heights if 0 < r.value < inf]
    if not heights or not bandwidths or not any(r.name == "memory" for r in bandwidths):
        return None
    heights.sort(key=lambda r: -r.value)
    return House(threads, tuple(heights), tuple(bandwidths), tuple(_points(mine)))


def _memory(mine: Sequence[Measured], limits: Limits) -> list[Roof]:
    """The fastest that anything read, wrote or streamed what no cache holds.

    Of each benchmark only what touched the most memory counts: of a little more than the caches
    hold, they still hold most. Where the caches are unknown, nothing else tells.
    """
    rates = [
        m
        for m in mine
        if m.case.family in _OF_MEMORY
        and m.case.metric.unit == "B/s"
        and 0 < m.estimate.value < inf
        and (limits.caches is None or limits.in_memory(m.case))
    ]
    best = max(_largest(rates), key=lambda m: m.estimate.value, default=None)
    return [Roof("memory", best.estimate.value, best.case.name)] if best else []


def _largest(rates: Sequence[Measured]) -> list[Measured]:
    sizes = {m.index: footprint(m.case) or 0.0 for m in rates}
    most: dict[str, float] = {}
    for m in rates:
        most[m.case.benchmark] = max(most.get(m.case.benchmark, 0.0), sizes[m.index])
    return [m for m in rates if sizes[m.index] == most[m.case.benchmark]]


def _caches(mine: Sequence[Measured], limits: Limits, threads: int) -> list[Roof]:
    """The fastest read that fits into each cache and not into the one before."""
    reads = _by_size(mine)
    roofs, before = [], 0.0
    for cache, usable in limits.capacities:
        copies = threads if (cache.shared_by or 1) <= _SIBLINGS else 1
        rates = [
            max(values)
            for size, values in reads.items()
            if 1.5 * before * threads < size <= 0.9 * usable * copies
        ]
        if rates:
            roofs.append(Roof(name_of(cache), max(rates)))
        before = usable
    return roofs[::-1]


def _by_size(mine: Sequence[Measured]) -> dict[float, list[float]]:
    found: dict[float, list[float]] = {}
    for m in mine:
        size = m.case.parameters.get("size")
        if m.case.benchmark == _READ and type(size) is int and 0 < m.estimate.value < inf:
            found.setdefault(size, []).append(m.estimate.value)
    return found


def _points(mine: Sequence[Measured]) -> list[Point]:
    return [
        Point(m, m.case.work.flops / m.case.work.bytes, rate)
        for m in mine
        if m.case.work.flops and m.case.work.bytes and (rate := flop_rate(m)) is not None
    ]


def _sentence(h: House) -> str:
    where = counted(h.threads, "threads")
    return (
        f"On {where} the ridge is at {h.ridge:.3g} FLOP/B: "
        f"{figure(h.peaks[0].value, 'FLOP/s')} with {h.peaks[0].name} over "
        f"{figure(h.bandwidths[0].value, 'B/s')} of the memory, the most that any case reached: "
        f"{h.bandwidths[0].of}."
    )
