"""Charts of the GOST ciphers: cycles a byte on one core, and along the length of a message."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf, log10

from stend.comparing.limits import FREQUENCY, cycles_a_byte, threads_of
from stend.comparing.publications import CipherFigure, ciphers, in_full
from stend.report.charts import bars
from stend.report.charts.bars import Bar, comparable, traces
from stend.report.charts.chart import Chart, Panel, Plot, decades, label, reaching
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import Scale, figure, parameter, three_digits

_LEAST_LENGTHS = 3
_APART = 1.0
"""Decades between the labels of two lengths, at least: a telephone has room for so many."""
_PLAIN = Scale(1.0, "")

Line = dict[int, Measured]
"""By length."""


def draw_lengths(cipher: str, members: Sequence[Measured]) -> Chart | None:
    """A line for each mode, of one variant; None where lengths are few."""
    found = {mode: line for mode, line in _lines(members).items() if len(line) >= _LEAST_LENGTHS}
    if not found:
        return None
    modes = sorted(found, key=lambda mode: -_cycles(found[mode][max(found[mode])]))
    lengths = sorted({length for line in found.values() for length in line})
    return Chart(
        title=f"gost: {cipher.capitalize()} by length",
        says="Cycles that one core takes for a byte of a message of so many bytes, with the key "
        "ready; both axes are logarithmic, and lower is better. Short messages pay for the whole "
        "latency of the cipher, and for the mode's own blocks. A line is of one variant, the "
        "fastest of those that were measured at most lengths.",
        panels=(_panel({mode: found[mode] for mode in modes}, lengths),),
        columns=("mode", *map(_in_words, lengths)),
        rows=tuple((mode, *_cells(found[mode], lengths)) for mode in modes),
        legend=tuple(modes),
        across=1,
    )


def mode_of(m: Measured) -> str:
    """As people write it: CBC decryption, ECB out of place."""
    mode, _, how = str(m.case.parameters["mode"]).partition("-")
    return f"{mode.upper()} {'decryption' if how == 'decrypt' else how.replace('-', ' ')}".rstrip()


def _lines(members: Sequence[Measured]) -> dict[str, Line]:
    """Of each mode; a variant measured at a few lengths alone would put kinks into a line."""
    found: dict[str, dict[str | None, Line]] = {}
    for m in members:
        if threads_of(m.case) == 1 and not m.case.parameters.get("offset"):
            line = found.setdefault(mode_of(m), {}).setdefault(m.variant, {})
            line[int(m.case.parameters["size"])] = m
    return {
        mode: min(of.values(), key=lambda line: (-len(line), _cycles(line[max(line)])))
        for mode, of in found.items()
    }


def _in_words(length: int) -> str:
    return parameter("size", length).replace(".00", "")


def _cycles(m: Measured) -> float:
    return cycles_a_byte(m) or inf


def _cells(line: Line, lengths: Sequence[int]) -> list[str]:
    return [three_digits(_cycles(line[n])) if n in line else "–" for n in lengths]


def _panel(found: Mapping[str, Line], lengths: Sequence[int]) -> Panel:
    traces = [_trace(mode, i, line) for i, (mode, line) in enumerate(found.items())]
    drawn = [_cycles(m) for line in found.values() for m in line.values()]
    layout: Plot = {
        "xaxis": {
            "type": "log",
            "title": {"text": "message"},
            "tickangle": 0,
            "tickvals": lengths,
            "ticktext": _ticks(lengths),
            "range": reaching(lengths[0], lengths[-1], _PLAIN),
        },
        "yaxis": decades(drawn, _PLAIN, "")
        | {"title": {"text": "cycles a byte"}, "range": reaching(min(drawn), max(drawn), _PLAIN)},
        "height": 380,
    }
    return Panel(traces, layout)


def _trace(mode: str, series: int, line: Line) -> Plot:
    lengths = sorted(line)
    cycles = [_cycles(line[n]) for n in lengths]
    text = [
        bars.hover(f"{mode}, {line[n].variant}", _in_words(n), f"{three_digits(c)} cycles a byte")
        for n, c in zip(lengths, cycles, strict=True)
    ]
    return bars.line(mode, series, lengths, cycles, text)


def _ticks(lengths: Sequence[int]) -> list[str]:
    """A label for each length, empty where it would touch the one before."""
    texts, last = [], 0.0
    for length in lengths:
        far = log10(length) - last >= _APART
        texts.append(label(_in_words(length)) if far else "")
        last = log10(length) if far else last
    return texts


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
        charts += [_chart(cipher, own), draw_lengths(cipher, own)]
    return [chart for chart in charts if chart]


def _chart(cipher: str, members: Sequence[Measured]) -> Chart:
    published = [f for f in ciphers() if f.cipher == cipher]
    shown = list(_comparable(members))
    panels = [
        _bars(title, [m for m in shown if of(m)], [f for f in published if f.processing == title])
        for title, of in _PROCESSING.items()
    ]
    drawn, single = comparable([p for p in panels if p])
    return Chart(
        title=f"gost: {cipher.capitalize()}",
        says="Cycles that one core takes for a byte at its true frequency, compared with "
        "processors of the literature "
        f"({'; '.join(dict.fromkeys(f.cited for f in published))}); lower is better. "
        "Parallel: blocks that do not depend on each other; sequential: each waits for "
        f"the one before. {_lengths(shown)}The published figures are of about 1 GB, "
        "single runs without an interval. An arrow marks a bar that is longer than the "
        "axis.",
        panels=tuple(drawn),
        columns=("case", "rate", "cycles a byte", "frequency"),
        rows=(*map(_row, members), *map(_published_row, published)),
        legend=("this machine", "published"),
        notes=tuple(single),
        across=2,
    )


def _lengths(shown: Sequence[Measured]) -> str:
    usual = [m for m in shown if not _is_out_of_place(m)]
    if not usual:
        return ""
    return (
        f"This machine's bars are for messages of {parameter('size', _size(usual[0]))} in place, "
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
    aligned = [
        m for m in members if threads_of(m.case) == 1 and not m.case.parameters.get("offset")
    ]
    out_of_place = [m for m in aligned if _is_out_of_place(m)]
    usual = [m for m in aligned if not _is_out_of_place(m)]
    nearest = min((abs(_size(m) - _USUAL) for m in usual), default=0)
    longest = max(map(_size, out_of_place), default=0)
    yield from (m for m in usual if abs(_size(m) - _USUAL) == nearest)
    yield from (m for m in out_of_place if _size(m) == longest)


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
