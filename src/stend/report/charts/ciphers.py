"""The GOST ciphers → cycles a byte on one core, as bars beside the published processors."""

from collections.abc import Callable, Iterator, Sequence

from stend.comparing.limits import FREQUENCY, cycles_a_byte, threads_of
from stend.comparing.published import CipherFigure, ciphers, in_full
from stend.report.charts import cipher_lengths
from stend.report.charts.bars import Bar, beside, traces
from stend.report.charts.chart import Chart, Panel, Plot, label
from stend.report.charts.cipher_lengths import mode_of
from stend.report.measured import Limits, Measured
from stend.report.quantities import figure, parameter, three_digits

FAMILY = "gost"
_SEQUENTIAL = {"cbc", "omac"}
_OUT_OF_PLACE = "ecb-out-of-place"
_USUAL = 16 << 10
"""Bytes of the messages that the bars show, where they were measured."""
_ROW = 31
"""Pixels of a bar, enough for a label of two lines."""
_FARTHEST = 3
"""Times the slowest published figure: where the axis ends at the latest. The reference, which is
hundreds of times slower, would make a hair of every other bar."""
_FARTHEST_ALONE = 6
"""Times the fastest bar, where nothing was published."""
_ROOM = 1.3
"""The axis, in lengths of the longest bar: its figure has to fit, on a telephone too."""
_LINE = 24
"""Characters of a label's line."""
_HERE, _PUBLISHED = 0, 1
"""The series, and so the colours, of bars."""


def takes(m: Measured) -> bool:
    """Whether it is one of the family, and tells what a cycle does."""
    return (
        m.case.family == FAMILY
        and m.case.metric.unit == "B/s"
        and type(m.case.parameters.get("size")) is int
        and cycles_a_byte(m) is not None
    )


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Bars of each cipher, and lines by length where there are enough."""
    charts = []
    for cipher in dict.fromkeys(m.what for m in members):
        own = [m for m in members if m.what == cipher]
        charts += [_chart(cipher, own), cipher_lengths.draw(cipher, own)]
    return [chart for chart in charts if chart]


def _chart(cipher: str, members: Sequence[Measured]) -> Chart:
    published = [f for f in ciphers() if f.cipher == cipher]
    shown = list(_comparable(members))
    panels = [
        _bars(title, [m for m in shown if of(m)], [f for f in published if f.processing == title])
        for title, of in _PROCESSING.items()
    ]
    drawn, alone = beside([p for p in panels if p])
    return Chart(
        title=f"gost: {cipher.capitalize()}",
        says="Cycles that one core takes for a byte at its true frequency, beside the processors "
        f"of the literature ({'; '.join(dict.fromkeys(f.cited for f in published))}); lower is "
        "better. Parallel: blocks that do not depend on each other; sequential: each waits for "
        f"the one before. {_lengths(shown)}The published figures are of about 1 GB, single runs "
        "without an interval. An arrow marks a bar that is longer than the axis.",
        panels=tuple(drawn),
        columns=("case", "rate", "cycles a byte", "frequency"),
        rows=(*map(_row, members), *map(_published_row, published)),
        legend=("this machine", "published"),
        notes=tuple(alone),
        across=2,
    )


def _lengths(shown: Sequence[Measured]) -> str:
    usual = [m for m in shown if not _is_out_of_place(m)]
    if not usual:
        return ""
    return (
        f"This machine's bars are of messages of {parameter('size', _size(usual[0]))} in place, "
        "unless they say otherwise. "
    )


def _is_out_of_place(m: Measured) -> bool:
    return m.case.parameters.get("mode") == _OUT_OF_PLACE


def _is_sequential(m: Measured) -> bool:
    return m.case.parameters.get("mode") in _SEQUENTIAL


_PROCESSING: dict[str, Callable[[Measured], bool]] = {
    "parallel": lambda m: not _is_sequential(m),
    "sequential": _is_sequential,
}


def _comparable(members: Sequence[Measured]) -> Iterator[Measured]:
    """One thread, aligned, of the usual length; where there is none, of the nearest.

    Out of place the longest: no cache is to hold both buffers.
    """
    alone = [m for m in members if threads_of(m.case) == 1 and not m.case.parameters.get("offset")]
    apart = [m for m in alone if _is_out_of_place(m)]
    usual = [m for m in alone if not _is_out_of_place(m)]
    nearest = min((abs(_size(m) - _USUAL) for m in usual), default=0)
    longest = max(map(_size, apart), default=0)
    yield from (m for m in usual if abs(_size(m) - _USUAL) == nearest)
    yield from (m for m in apart if _size(m) == longest)


def _size(m: Measured) -> int:
    return int(m.case.parameters["size"])


def _bars(
    title: str, members: Sequence[Measured], published: Sequence[CipherFigure]
) -> Panel | None:
    """Horizontal bars, the fastest on top."""
    bars = [(_name(m), cycles_a_byte(m) or 0.0, _HERE) for m in members]
    if not bars:
        return None
    bars += [(_processor(f), f.cycles_per_byte, _PUBLISHED) for f in published]
    bars.sort(key=lambda bar: -bar[1])
    slowest = max((f.cycles_per_byte for f in published), default=0.0)
    end = min(bars[0][1], _FARTHEST * slowest or _FARTHEST_ALONE * bars[-1][1])
    drawn = [Bar(min(cycles, end), _figure(cycles, end), one) for _, cycles, one in bars]
    found = traces(drawn, (_HERE, _PUBLISHED), " cycles a byte")
    layout: Plot = {
        "xaxis": {
            "title": {"text": "cycles a byte"},
            "range": [0, _ROOM * end],
        },
        "yaxis": {
            "tickvals": list(range(len(bars))),
            "ticktext": [
                label(name).replace(", ", ",<br>", 1) if len(name) > _LINE else label(name)
                for name, _, _ in bars
            ],
            "automargin": True,
            "ticks": "",
        },
        "barmode": "overlay",
        "height": 90 + _ROW * len(bars),
    }
    return Panel(found, layout, title)


def _figure(cycles: float, end: float) -> str:
    return three_digits(cycles) + (" →" if cycles > end else "")


def _name(m: Measured) -> str:
    size = f", {parameter('size', _size(m))}" if _is_out_of_place(m) else ""
    return f"{mode_of(m)}{size}, {m.variant}"


def _processor(published: CipherFigure) -> str:
    return in_full(published.processor) + (f", {published.note}" if published.note else "")


def _row(m: Measured) -> tuple[str, ...]:
    rate = figure(m.estimate.value, m.estimate.unit, m.estimate.ends)
    hz = m.estimate.also[FREQUENCY]
    return m.case.name, rate, three_digits(cycles_a_byte(m) or 0.0), figure(hz, "Hz")


def _published_row(f: CipherFigure) -> tuple[str, ...]:
    name = f"published: {_processor(f)}, {f.processing}"
    return name, "–", f"{f.cycles_per_byte:g}", figure(f.ghz * 1e9, "Hz")
