"""Chart of U-Net layers: the time of each in the order they run, variants side by side."""

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import NamedTuple

from stend.comparing.limits import flop_rate, threads_of
from stend.comparing.publications import InferenceFigure, in_full, inference
from stend.report.charts.bars import Bar, comparable, traces
from stend.report.charts.chart import Chart, Panel, Plot, colour, decades, label
from stend.report.inference import (
    PRECISIONS,
    Part,
    aligned,
    depth,
    is_inference,
    parts,
    path,
    shares,
)
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import Scale, counted, figure, scale, share_in_words

_MOST = 4
"""Variants of a panel."""
_SLOWER = 6
"""Times the fastest variant of a panel: one that takes longer would make hairs of its bars."""
_LINE = 26
"""Pixels of a line, for all its bars."""
_PATHS = {"down": "contracting path", "bottom": "bottom", "up": "expanding path"}


class _Row(NamedTuple):
    """A line of a panel: a heading without parts, or what each variant took for some layers."""

    name: str
    parts: list[Part | None]


def draw_layers(images: str, members: Sequence[Measured], limits: Limits) -> Chart | None:
    """A panel a precision, of the fewest threads that were measured; None without any layer."""
    measured = [m for m in members if parts(m)]
    if not measured:
        return None
    threads = min(threads_of(m.case) for m in measured)
    on_least = [m for m in measured if threads_of(m.case) == threads]
    found = {p: _fastest([m for m in on_least if m.what == p]) for p in PRECISIONS}
    shown = [m for some in found.values() for m in some]
    variants = list(dict.fromkeys(m.variant for m in shown))
    peak = any(limits.of_peak(m) is not None for m in shown)
    return Chart(
        title=f"unet: the layers of an image of {images}",
        says=f"The time of each layer on {counted(threads, 'threads')}, medians over all "
        "repetitions, in the order they run; layers in one line are computed together "
        "by at least one variant of the panel, and added up for the others. Panels "
        "differ in precision, which is different work. Operations are those of direct "
        "convolution"
        + (
            ", and a layer that multiplies less can do more of them than the peak." if peak else "."
        ),
        panels=tuple(
            _panel(precision, some, variants, limits) for precision, some in found.items() if some
        ),
        columns=(
            *("case", "layers", "time", "of the image", "direct convolution"),
            *(["over the float32 peak"] if peak else []),
        ),
        rows=tuple(row for m in shown for row in _table(m, limits, peak)),
        legend=tuple(variants),
        notes=tuple(_left_out(measured, shown, threads)),
        across=3,
        detail=True,
    )


def _fastest(members: Sequence[Measured]) -> list[Measured]:
    """In the order they were measured."""
    ranked = sorted(members, key=lambda m: m.estimate.value)
    kept = [m for m in ranked if m.estimate.value <= _SLOWER * ranked[0].estimate.value][:_MOST]
    return [m for m in members if m in kept]


def _left_out(
    measured: Sequence[Measured], shown: Sequence[Measured], threads: int
) -> Iterator[str]:
    rest = [m for m in measured if m not in shown and threads_of(m.case) == threads]
    if rest:
        names = ", ".join(dict.fromkeys(m.variant for m in rest))
        yield f"The chart shows the fastest of each precision; {names} also reported layers."


def _panel(
    precision: str, members: Sequence[Measured], variants: Sequence[str], limits: Limits
) -> Panel:
    rows = list(_headed(aligned([parts(m) for m in members])))
    longest = max(p.seconds for row in rows for p in row.parts if p)
    by = scale(longest, "s")
    traces: list[Plot] = []
    for i, m in enumerate(members):
        mine = [(place, row.parts[i]) for place, row in enumerate(rows) if row.parts]
        there = [(place, part) for place, part in mine if part]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": [part.seconds * by.factor for _, part in there],
                "y": [place for place, _ in there],
                "marker": {"color": colour(variants.index(m.variant))},
                "text": [
                    f"{label(m.variant)}<br>{_in_words(part, m, limits)}" for _, part in there
                ],
                "textposition": "none",
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    layout: Plot = {
        "xaxis": {"title": {"text": by.unit}, "rangemode": "tozero"},
        "yaxis": {
            "tickvals": list(range(len(rows))),
            "ticktext": [
                label(row.name) if row.parts else f"<b>{label(row.name)}</b>" for row in rows
            ],
            "range": [len(rows) - 0.4, -0.6],
            "automargin": True,
            "ticks": "",
        },
        "barmode": "group",
        "bargap": 0.3,
        "height": 90 + _LINE * len(rows),
    }
    return Panel(traces, layout, precision)


def _headed(rows: Sequence[list[Part | None]]) -> Iterator[_Row]:
    """The rows, with a heading where another way through the network begins."""
    names = [max((p for p in row if p), key=lambda p: len(p.layers)).name for row in rows]
    deepest = depth([p.layers[0] for row in rows for p in row if p])
    before = ""
    for name, row in zip(names, rows, strict=True):
        way = path(name, deepest)
        if way in _PATHS and way != before:
            yield _Row(_PATHS[way], [])
        before = way
        yield _Row(name, row)


def _in_words(part: Part, m: Measured, limits: Limits) -> str:
    words = [f"{label(part.name)}: <b>{figure(part.seconds, 's')}</b>"]
    if part.flops:
        words.append(f"{figure(part.rate, 'FLOP/s')} by direct convolution")
        words += [f"{share} the float32 peak" for share in _share(part, m, limits)]
    return "<br>".join(words)


def _share(part: Part, m: Measured, limits: Limits) -> Iterator[str]:
    """As much more or less than the whole case's as its operations a second are."""
    whole, flops = limits.of_peak(m), m.case.work.flops
    if whole and flops:
        yield f"{whole * part.rate / (flops / m.estimate.value):.3g} ×"


def _table(m: Measured, limits: Limits, peak: bool) -> Iterator[tuple[str, ...]]:
    for part in parts(m):
        share = next(_share(part, m, limits), "–") if part.flops else "–"
        yield (
            m.case.name,
            part.name,
            figure(part.seconds, "s"),
            share_in_words(part.seconds / m.estimate.value),
            figure(part.rate, "FLOP/s") if part.flops else "–",
            *([share] if peak else []),
        )


_PEER = "onnxruntime"
_SIDE = 256
"""Pixels of a side of the published images."""
_HERE, _PUBLISHED, _BESIDE = "this machine", "published", "this machine, ONNX Runtime"
"""What bars are told apart by."""
_ROW = 31
"""Pixels of a bar."""
_ROOM = 0.35
"""Right of the longest bar, for its figure: a part of the axis."""
_SECONDS = Scale(1.0, "s")
_OF_PEAK = (
    "Shares are of the float32 peak of this run, by the operations that a variant makes; the "
    "peak of bfloat16 is not measured."
)


def takes(m: Measured) -> bool:
    """Whether it is one of the family, of images whose size is told."""
    return is_inference(m) and type(m.case.parameters.get("side")) is int


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Bars for each size of images, then the layers where any case tells of them."""
    charts: list[Chart] = []
    for side in sorted({_side(m) for m in members}):
        own = [m for m in members if _side(m) == side]
        layers = draw_layers(f"{side}×{side}", own, limits)
        charts += [_bars(side, own, limits), *([layers] if layers else [])]
    return charts


def _side(m: Measured) -> int:
    return int(m.case.parameters["side"])


def _bars(side: int, members: Sequence[Measured], limits: Limits) -> Chart:
    """A panel a precision and number of threads: only what is the same work stands together."""
    published = inference() if side == _SIDE else []
    peak = any(limits.of_peak(m) is not None for m in members)
    counts = sorted({threads_of(m.case) for m in members})
    seconds = [*(m.estimate.value for m in members), *(f.seconds for f in published)]
    seconds += [end for m in members for end in m.estimate.ends or () if end > 0]  # of whiskers
    kinds = dict.fromkeys([_HERE, *([_PUBLISHED] if published else []), *map(_kind, members)])
    panels = [
        Panel(traces(bars, range(len(kinds)), " an image"), _layout(names, seconds), title)
        for title, own in _alike(members, counts)
        for names, bars in [_ranked(own, published, list(kinds))]
    ]
    drawn, single = comparable(panels)
    return Chart(
        title=f"unet: an image of {side}×{side}",
        says="Seconds an image by variant, with 95% intervals; shorter is better, and the axis is "
        "logarithmic. float32, bf16x3 and bf16 are different work, of 24, 16 and 8 bits of "
        "precision in each product: bars compare within a panel only. "
        + (_about(published) if published else "")
        + (_OF_PEAK if peak else ""),
        panels=tuple(drawn),
        columns=("case", "time", "direct convolution", *(["of peak"] if peak else [])),
        rows=(
            *(_row(m, limits, peak) for m in members),
            *(
                (f"published: {_processor(f)}", f"{f.seconds:g} s", *(["–"] * (1 + peak)))
                for f in published
            ),
        ),
        legend=tuple(kinds),
        notes=tuple(single),
        across=2,
    )


def _about(published: Sequence[InferenceFigure]) -> str:
    cited = "; ".join(dict.fromkeys(f.cited for f in published))
    return (
        f"The published ones ({cited}) are single runs on one core without an interval, and name "
        "neither precision nor channels; they are shown with float32. "
    )


def _alike(
    members: Sequence[Measured], counts: Sequence[int]
) -> Iterator[tuple[str, list[Measured]]]:
    """Those of one precision on one number of threads, the fewest or the most."""
    for precision in PRECISIONS:
        for count in dict.fromkeys([counts[0], counts[-1]]):
            own = [m for m in members if m.what == precision and threads_of(m.case) == count]
            if own:
                yield f"{precision}, {counted(count, 'threads')}", own


def _ranked(
    members: Sequence[Measured], published: Sequence[InferenceFigure], kinds: Sequence[str]
) -> tuple[list[str], list[Bar]]:
    """The names and bars of a panel from below, the fastest last."""
    bars = [(m.variant, _bar(m, kinds.index(_kind(m)))) for m in members]
    if members[0].what == PRECISIONS[0] and threads_of(members[0].case) == 1:
        bars += [
            (_processor(f), Bar(f.seconds, f"{f.seconds:g} s", kinds.index(_PUBLISHED)))
            for f in published
        ]
    bars.sort(key=lambda bar: -bar[1].length)
    return [name for name, _ in bars], [bar for _, bar in bars]


def _bar(m: Measured, series: int) -> Bar:
    return Bar(m.estimate.value, figure(m.estimate.value, "s"), series, m.estimate.ends)


def _kind(m: Measured) -> str:
    return _BESIDE if m.case.variant == _PEER else _HERE


def _layout(names: Sequence[str], seconds: Sequence[float]) -> Plot:
    """The same axis in all panels: from a power of ten below half of the shortest."""
    low, high = floor(log10(min(seconds)) - 0.3), log10(max(seconds))
    return {
        "xaxis": decades([10.0**low or min(seconds), max(seconds)], _SECONDS, "s")
        | {"title": {"text": "an image"}, "range": [low, high + _ROOM * (high - low)]},
        "yaxis": {
            "tickvals": list(range(len(names))),
            "ticktext": [label(name) for name in names],
            "automargin": True,
            "ticks": "",
        },
        "barmode": "overlay",
        "height": 90 + _ROW * len(names),
    }


def _processor(f: InferenceFigure) -> str:
    return f"{in_full(f.processor)}, {f.clock.replace('-', '–')} GHz"


def _row(m: Measured, limits: Limits, peak: bool) -> tuple[str, ...]:
    rate = flop_rate(m)
    reached = "; ".join(f"{share_in_words(x)} of {what}" for what, x in shares(m, limits))
    return (
        m.case.name,
        figure(m.estimate.value, "s", m.estimate.ends),
        figure(rate, "FLOP/s") if rate else "–",
        *([reached or "–"] if peak else []),
    )
