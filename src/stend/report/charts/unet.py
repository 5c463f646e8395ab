"""U-Net inference → seconds an image beside the published ones, and the time of each layer."""

from collections.abc import Iterator, Sequence
from math import floor, log10

from stend.comparing.limits import flop_rate, threads_of
from stend.comparing.published import InferenceFigure, in_full, inference
from stend.report.charts import unet_layers
from stend.report.charts.bars import Bar, beside, traces
from stend.report.charts.chart import Chart, Panel, Plot, decades, label
from stend.report.inference import PRECISIONS, is_inference, shares
from stend.report.measured import Limits, Measured
from stend.report.quantities import Scale, counted, figure, share_in_words

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
        layers = unet_layers.draw(f"{side}×{side}", own, limits)
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
    drawn, alone = beside(panels)
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
        notes=tuple(alone),
        across=2,
    )


def _about(published: Sequence[InferenceFigure]) -> str:
    cited = "; ".join(dict.fromkeys(f.cited for f in published))
    return (
        f"The published ones ({cited}) are of one core, single runs without an interval; they "
        "name neither their precision nor the channels, and stand beside float32. "
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
