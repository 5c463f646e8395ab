"""Chart of the background watch: stolen time, others' work and frequency along the run."""

from math import isfinite

import numpy as np

from stend.comparing.estimate import Values
from stend.record import Machine, Run
from stend.report.charts.chart import Chart, Panel, Plot, colour, column
from stend.report.quantities import figure

_SEEN = (
    ("steal", "stolen by the hypervisor, %", 100.0),
    ("others", "cores busy with others", 1.0),
    ("mhz", "frequency, MHz", 1.0),
)


def watched(run: Run) -> Chart | None:
    """A panel for each reading that the machine gives; None when it gave none."""
    seen = run.conditions.watched
    if seen is None or len(seen.at) < 2:
        return None
    at = (np.asarray(seen.at, dtype=np.float64) - seen.at[0]) / 1e9
    panels, rows = [], []
    for i, (name, title, factor) in enumerate(_SEEN):
        values = np.asarray(getattr(seen, name), dtype=np.float64) * factor
        if not any(map(isfinite, values)):
            continue
        known = values[np.isfinite(values)]
        if name == "mhz" and _is_nominal(known, run.machine):
            title = "frequency that the OS is told, MHz: the nominal one"
        panels.append(Panel([_trace(at, values, i)], _layout(), title))
        rows.append((title, f"{np.median(known):.4g}", f"{known.max():.4g}"))
    if not panels:
        return None
    return Chart(
        title="What the watch saw",
        says=f"The machine during the {figure(float(at[-1]), 's')} of the run.",
        panels=tuple(panels),
        columns=("reading", "median", "most"),
        rows=tuple(rows),
    )


def _is_nominal(mhz: Values, machine: Machine) -> bool:
    """Whether it never differs from the time stamp counter's, as under most hypervisors."""
    counter = next((c.hz for c in machine.clocks if c.name == "tsc"), None)
    return bool(counter and np.all(np.abs(mhz * 1e6 / counter - 1) < 1e-3))


def _trace(at: Values, values: Values, i: int) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": column(at),
        "y": column(values),
        "line": {"color": colour(i), "width": 1.5},
        "hovertemplate": "%{y:.4g} at %{x:.1f} s<extra></extra>",
    }


def _layout() -> Plot:
    return {"xaxis": {"title": {"text": "seconds"}}, "yaxis": {"rangemode": "tozero"},
            "height": 200}  # fmt: skip
