"""The GOST ciphers → cycles a byte on one core along the length of a message, a line a mode."""

from collections.abc import Mapping, Sequence
from math import inf, log10

from stend.comparing.limits import cycles_a_byte, threads_of
from stend.report.charts import lines
from stend.report.charts.chart import Chart, Panel, Plot, decades, label, reaching
from stend.report.measured import Measured
from stend.report.quantities import Scale, parameter, three_digits

_LEAST_LENGTHS = 3
_APART = 1.0
"""Decades between the labels of two lengths, at least: a telephone has room for so many."""
_PLAIN = Scale(1.0, "")

Line = dict[int, Measured]
"""By length."""


def draw(cipher: str, members: Sequence[Measured]) -> Chart | None:
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
        columns=("mode", *map(_said, lengths)),
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


def _said(length: int) -> str:
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
        lines.hover(f"{mode}, {line[n].variant}", _said(n), f"{three_digits(c)} cycles a byte")
        for n, c in zip(lengths, cycles, strict=True)
    ]
    return lines.line(mode, series, lengths, cycles, text)


def _ticks(lengths: Sequence[int]) -> list[str]:
    """A label for each length, empty where it would touch the one before."""
    texts, last = [], 0.0
    for length in lengths:
        far = log10(length) - last >= _APART
        texts.append(label(_said(length)) if far else "")
        last = log10(length) if far else last
    return texts
