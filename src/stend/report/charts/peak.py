"""The processor's peaks → bars by instruction set, and the frequency that each leaves."""

from collections.abc import Iterator, Sequence

from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, label
from stend.report.charts.group import Group, by_series, groups, reach
from stend.report.limits import Limits, threads_of
from stend.report.measured import Measured
from stend.report.quantities import counted, figure, number, percent

FAMILY = "peak"
_MATTERS = 0.02
"""Frequencies that differ by more than this are said."""


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """A panel a benchmark, floating point first and the frequency last."""
    counts = sorted({threads_of(m.case) for m in members})
    by_unit = [
        (title, group.part(some))
        for group in groups(members, limits)
        for title, some in by_series(group.members, [m.what for m in group.members]).items()
    ]
    by_unit.sort(key=lambda part: part[1].unit == "Hz")
    return [
        Chart(
            title="peak: what the processor can do at most",
            says="Chains of independent operations in registers, by instruction set, and the "
            "frequency that the core runs at meanwhile; higher is better. All else is measured "
            "against the best of these.",
            panels=tuple(_panel(title, group, counts) for title, group in by_unit),
            columns=("case", "figure", "a cycle of a core"),
            rows=tuple(_row(m, limits) for m in members),
            legend=tuple(counted(c, "threads") for c in counts) if len(counts) > 1 else (),
            notes=tuple(frequency_drops(members)),
        )
    ]


def frequency_drops(members: Sequence[Measured]) -> Iterator[str]:
    """How fast the core runs with each instruction set, where they differ; a sentence a count."""
    for count in sorted({threads_of(m.case) for m in members}):
        seen = [m for m in members if m.estimate.unit == "Hz" and threads_of(m.case) == count]
        seen.sort(key=lambda m: -m.estimate.value)
        if not seen or seen[-1].estimate.value > (1 - _MATTERS) * seen[0].estimate.value:
            continue
        best, *others = seen
        drops = [
            f"{_hz(m)} with {m.variant} ({percent(m.estimate.value / best.estimate.value)})"
            for m in others
        ]
        words = [f"{_hz(best)} with {best.variant}", *drops]
        said = f"{', '.join(words[:-1])} and {words[-1]}"
        yield f"On {counted(count, 'threads')} a core runs at {said}."


def cycles(m: Measured, limits: Limits) -> str:
    """`31.8 FLOP/cycle at 3.71 GHz`; nothing where the core's frequency is unknown."""
    found = limits.per_cycle(m)
    if found is None:
        return ""
    done, hz = found
    each = " a core" if threads_of(m.case) > 1 else ""
    return f"{done:.3g} {m.estimate.unit.removesuffix('/s')}/cycle{each} at {figure(hz, 'Hz')}"


def _row(m: Measured, limits: Limits) -> tuple[str, ...]:
    shown = figure(m.estimate.value, m.estimate.unit, m.estimate.ends)
    return m.case.name, shown, cycles(m, limits) or "–"


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
        "bargap": 0.25,
    }
    return Panel(traces, layout, title)


def _hover(group: Group, m: Measured) -> str:
    shown = number(m.estimate.value, group.scale, m.estimate.ends)
    words = f"{label(m.case.name)}<br><b>{shown}</b> {label(group.scale.unit)}"
    each = cycles(m, group.limits)
    return words + (f"<br>{label(each)}" if each else "")


def _hz(m: Measured) -> str:
    return figure(m.estimate.value, "Hz")
