"""Chart of the processor's peaks: bars by instruction set, and the frequency under each."""

from collections.abc import Iterator, Sequence

from stend.comparing.limits import frequency, per_cycle, threads_of
from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, label
from stend.report.charts.group import Group, by_series, groups, reach
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import counted, figure, percent, three_digits

FAMILY = "peak"
_MATTERS = 0.02
"""Frequencies that differ by more than this are said."""
_SURE = 0.02
"""Half-width of a peak's interval, as a share of it, up to which its frequency is believed: what
disturbs one disturbs the other."""


def takes(m: Measured) -> bool:
    """Whether it is one of the family."""
    return m.case.family == FAMILY


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """A panel a benchmark, floating point first and the frequency last."""
    counts = sorted({threads_of(m.case) for m in members})
    by_unit = [
        (title, group.part(some))
        for group in groups(members, limits)
        for title, some in by_series(group.members, [m.what for m in group.members]).items()
    ]
    return [
        Chart(
            title="peak: what the processor can do at most",
            says="Chains of independent operations in registers, by instruction set; higher "
            "is better. The best of these is the reference for all else.",
            panels=tuple(_panel(title, group, counts) for title, group in by_unit),
            columns=("case", "figure", "a cycle of a core"),
            rows=tuple(_row(m) for m in members),
            legend=tuple(counted(c, "threads") for c in counts) if len(counts) > 1 else (),
            notes=tuple(frequency_drops(members)),
        )
    ]


def frequency_drops(members: Sequence[Measured]) -> Iterator[str]:
    """How fast the core runs with each instruction set, where they differ; a sentence a count."""
    for count in sorted({threads_of(m.case) for m in members}):
        seen = {
            m.variant: hz
            for m in members
            if m.case.benchmark == "peak.float64"
            and threads_of(m.case) == count
            and _is_sure(m)
            and (hz := frequency(m))
        }
        highest = max(seen.values(), default=0.0)
        if min(seen.values(), default=0.0) > (1 - _MATTERS) * highest or not seen:
            continue
        words = [
            f"{figure(hz, 'Hz')} with {variant}"
            + (f" ({percent(hz / highest)})" if hz < (1 - _MATTERS) * highest else "")
            for variant, hz in sorted(seen.items(), key=lambda known: -known[1])
        ]
        said = f"{', '.join(words[:-1])} and {words[-1]}"
        yield f"On {counted(count, 'threads')} a core runs float64 at {said}."


def _is_sure(m: Measured) -> bool:
    low, high = m.estimate.ends or (m.estimate.value,) * 2
    return high - low <= 2 * _SURE * m.estimate.value


def cycles(m: Measured) -> str:
    """`31.8 FLOP/cycle at 3.71 GHz`, of bytes `2.11 cycles/B`; nothing where it is unknown."""
    done, hz = per_cycle(m), frequency(m)
    if not done or hz is None:
        return ""
    each = " a core" if threads_of(m.case) > 1 else ""
    if m.estimate.unit == "B/s":
        return f"{three_digits(1 / done)} cycles/B{each} at {figure(hz, 'Hz')}"
    return f"{done:.3g} {m.estimate.unit.removesuffix('/s')}/cycle{each} at {figure(hz, 'Hz')}"


def _row(m: Measured) -> tuple[str, ...]:
    shown = figure(m.estimate.value, m.estimate.unit, m.estimate.ends)
    return m.case.name, shown, cycles(m) or "–"


def _panel(title: str, group: Group, counts: Sequence[int]) -> Panel:
    traces = []
    for i, count in enumerate(counts):
        members = [m for m in group.members if threads_of(m.case) == count]
        low, high = reach(members, group.scale)
        traces.append(
            {
                "type": "bar",
                "textposition": "none",
                "x": [label(m.variant or "–") for m in members],
                "y": [m.estimate.value * group.scale.factor for m in members],
                "error_y": bars(low, high, i) | {"color": "--ink"},
                "marker": {"color": colour(i)},
                "text": [_hover(group, m) for m in members],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    names = list(dict.fromkeys(label(m.variant or "–") for m in group.members))
    layout: Plot = {
        "xaxis": {"type": "category", "categoryarray": names},
        "yaxis": {"title": {"text": label(group.scale.unit)}, "rangemode": "tozero"},
        "barmode": "group",
        "bargap": 0.25 if len(names) > 1 else 0.6,
    }
    return Panel(traces, layout, title)


def _hover(group: Group, m: Measured) -> str:
    words = f"{label(m.case.name)}<br><b>{label(group.shown(m))}</b>"
    each = cycles(m)
    return words + (f"<br>{label(each)}" if each else "")
