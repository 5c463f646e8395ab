"""Chart of noise: how long the OS and the hypervisor take a core, and what to do about it."""

from collections.abc import Sequence

import numpy as np

from stend.comparing.estimate import Values, values_of
from stend.report.charts.chart import Chart, Panel, Plot, colour, column, decades, label, reaching
from stend.report.charts.group import by_series
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import figure, parameter, scale

FAMILY = "noise"
_BINS_A_DECADE = 10
_WIDE = 3.0
"""Lengths that differ by more than this factor are drawn on a log axis."""
_ADVICE = (
    "What a single user can do: close browsers, chats and whatever else wakes up by itself.",
    "Stop timers and services for the time of measuring: `systemctl list-timers` names them, "
    "`systemctl isolate rescue.target` stops nearly all.",
    "Pin what is measured to a core, and boot with `isolcpus=`, `nohz_full=` and `rcu_nocbs=` "
    "for that core: the scheduler and its tick then leave it alone.",
    "Move interrupts to other cores: stop irqbalance and write their mask to "
    "`/proc/irq/*/smp_affinity`.",
    "Only a machine or core of your own avoids what a hypervisor takes for its other guests.",
)


def takes(m: Measured) -> bool:
    """Whether it is one of the family."""
    return m.case.family == FAMILY


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Histograms on log axes, one for each benchmark that reports times; the share as words."""
    timed = [m for m in members if m.case.metric.unit in {"s", "seconds"}]
    titles = list(map(_heading, timed))
    panels = [_histogram(title, some) for title, some in by_series(timed, titles).items()]
    lost = max((m for m in members if m.what == "lost"), default=None, key=_value)
    return [
        Chart(
            title="noise: what the system takes of a core",
            says="How often the measuring thread was interrupted, and for how long"
            + (f"; {_lost(lost)} of a core is lost. " if lost else ". ")
            + "A few long interruptions, low bars far to the right, can cost more than "
            "many short ones.",
            panels=tuple(p for p in panels if p),
            columns=("case", "figure", "5% to 95%", "longest"),
            rows=tuple(map(_row, members)),
            notes=_ADVICE,
        )
    ]


def _value(m: Measured) -> float:
    return m.estimate.value


def _lost(m: Measured) -> str:
    return figure(m.estimate.value, m.estimate.unit, m.estimate.ends)


def _heading(m: Measured) -> str:
    heading = _HEADINGS.get(m.what, m.what)
    duration = m.case.parameters.get("duration")
    return heading if duration is None else f"{heading}, {parameter('duration', duration)}"


_HEADINGS = {"detour": "length of one detour", "quantum": "time of a fixed quantum of work"}


def _values(members: Sequence[Measured]) -> Values:
    values = np.concatenate([values_of(m.case, s) for m in members for s in m.case.samples])
    finite: Values = values[np.isfinite(values)]
    return finite


def _row(m: Measured) -> tuple[str, ...]:
    e = m.estimate
    low, high, most = (figure(x, e.unit) for x in (*e.spread, float(_values([m]).max())))
    return m.case.name, figure(e.value, e.unit, e.ends), f"{low} – {high}", most


def _histogram(title: str, members: Sequence[Measured]) -> Panel | None:
    """Bars of equal width, on a log axis where the values spread; None where none is positive."""
    values = _values(members)
    values = values[values > 0]
    if len(values) == 0:
        return None
    by = scale(float(np.median(values)), "s")
    low, high = float(values.min()) * 0.999, float(values.max()) * 1.001
    wide = high > _WIDE * low
    bins = int(np.clip(np.ceil(np.log10(high / low) * _BINS_A_DECADE), 24, 80))
    edges = np.geomspace(low, high, bins + 1) if wide else np.linspace(low, high, bins + 1)
    counts, _ = np.histogram(values, bins=edges)
    filled = counts > 0
    middle = np.sqrt(edges[:-1] * edges[1:]) if wide else (edges[:-1] + edges[1:]) / 2
    trace: Plot = {
        "type": "bar",
        "x": column((middle * by.factor)[filled]),
        "y": column(counts[filled]),
        "width": column((np.diff(edges) * by.factor)[filled]),
        "marker": {"color": colour(0), "line": {"width": 0}},
        "hovertemplate": f"%{{x:.3g}} {label(by.unit)}: %{{y:,}} times<extra></extra>",
    }
    x: Plot = {"title": {"text": "length"}}
    if wide:
        x |= decades([low, high], by, "s") | {"range": reaching(low, high, by)}
    else:
        x["ticksuffix"] = f" {label(by.unit)}"
    layout = {
        "xaxis": x,
        "yaxis": {"type": "log", "title": {"text": "how often"}, "dtick": 1},
        "bargap": 0,
    }
    return Panel([trace], layout, title)
