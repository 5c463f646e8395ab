"""U-Net inference → the time of each layer in the order they run, variants side by side."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stend.comparing.limits import threads_of
from stend.report.charts.chart import Chart, Panel, Plot, colour, label
from stend.report.inference import PRECISIONS, Part, aligned, depth, parts, path
from stend.report.measured import Limits, Measured
from stend.report.quantities import counted, figure, scale, share_in_words

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


def draw(images: str, members: Sequence[Measured], limits: Limits) -> Chart | None:
    """A panel a precision, of the fewest threads that were measured; None without any layer."""
    told = [m for m in members if parts(m)]
    if not told:
        return None
    threads = min(threads_of(m.case) for m in told)
    found = {p: _fastest([m for m in told if _is(m, p, threads)]) for p in PRECISIONS}
    shown = [m for some in found.values() for m in some]
    variants = list(dict.fromkeys(m.variant for m in shown))
    peak = any(limits.of_peak(m) is not None for m in shown)
    return Chart(
        title=f"unet: the layers of an image of {images}",
        says=f"The time of each layer on {counted(threads, 'threads')}, medians over all "
        "repetitions, in the order they run; layers in one line are computed as one by at least "
        "one variant of the panel, and added up of the others. Panels are of different precision, "
        "which is different work. Operations are those of direct convolution"
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
        notes=tuple(_left_out(told, shown, threads)),
        across=3,
        detail=True,
    )


def _is(m: Measured, precision: str, threads: int) -> bool:
    return m.what == precision and threads_of(m.case) == threads


def _fastest(members: Sequence[Measured]) -> list[Measured]:
    """In the order they were measured."""
    ranked = sorted(members, key=lambda m: m.estimate.value)
    kept = [m for m in ranked if m.estimate.value <= _SLOWER * ranked[0].estimate.value][:_MOST]
    return [m for m in members if m in kept]


def _left_out(told: Sequence[Measured], shown: Sequence[Measured], threads: int) -> Iterator[str]:
    rest = [m for m in told if m not in shown and threads_of(m.case) == threads]
    if rest:
        names = ", ".join(dict.fromkeys(m.variant for m in rest))
        yield f"Drawn are the fastest of each precision; {names} told of layers as well."


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
                "text": [f"{label(m.variant)}<br>{_said(part, m, limits)}" for _, part in there],
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


def _said(part: Part, m: Measured, limits: Limits) -> str:
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
