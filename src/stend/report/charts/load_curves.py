"""Storage under parts of its maximum, and at several depths → saturation curves."""

from collections.abc import Callable, Sequence

from stend.comparing import Estimate
from stend.record import Scalar
from stend.report.charts.chart import Chart, Panel, Plot, bars, colour, decades, label, marker
from stend.report.charts.lines import hover
from stend.report.measured import Measured
from stend.report.quantities import Scale, figure, scale
from stend.report.workloads import figures_of, workload_name

_LEAST = 3
"""Points that make a curve."""
_WAITS = ("mean latency", "p99 latency")
_MAXIMUM = 2
"""The series of the maximum."""


def draw(members: Sequence[Measured]) -> list[Chart]:
    """For each workload a chart of its loads and one of its depths, where it has enough of them."""
    charts = [_saturation(some) for some in _alike(members, "load") if _many(some, "load")]
    alone = [m for m in members if "load" not in m.case.parameters]
    return [*charts, *(_depths(some) for some in _alike(alone, "depth") if _many(some, "depth"))]


def _alike(members: Sequence[Measured], along: str) -> list[list[Measured]]:
    """Those that differ in nothing else."""
    found: dict[str, list[Measured]] = {}
    for m in members:
        rest = {n: v for n, v in m.case.parameters.items() if n != along}
        found.setdefault(f"{m.case.benchmark} {sorted(rest.items())}", []).append(m)
    return [[m for m in some if _has_waits(m)] for some in found.values()]


def _has_waits(m: Measured) -> bool:
    found = figures_of(m.case)
    return all(name in found and found[name][1].value > 0 for name in _WAITS)


def _many(members: Sequence[Measured], along: str) -> bool:
    return len({m.case.parameters[along] for m in members if along in m.case.parameters}) >= _LEAST


def _wait(m: Measured, name: str) -> Estimate:
    return figures_of(m.case)[name][1]


def _saturation(members: Sequence[Measured]) -> Chart:
    """Latency over IOPS; the maximum is what was reached without a limit."""
    at = sorted(members, key=lambda m: m.estimate.value)
    limited = [m for m in at if "load" in m.case.parameters]
    free = [m for m in at if "load" not in m.case.parameters]
    by = scale(at[-1].estimate.value, "IOPS")
    waits = [_wait(m, name).value for m in at for name in _WAITS]
    of_waits = scale(sorted(waits)[len(waits) // 2], "s")
    traces = [
        _line(some, name, i, of_waits, lambda m: m.estimate.value * by.factor, _load)
        | {"mode": "lines+markers" if some is limited else "markers"}
        for some in (limited, free)
        for i, name in enumerate(_WAITS)
    ]
    traces += [_maximum(m, by, waits, of_waits) for m in free]
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}, "rangemode": "tozero"},
        "yaxis": decades(waits, of_waits, "s") | {"title": {"text": "latency"}},
        "height": 380,
    }
    return Chart(
        title=f"{workload_name(at[0].case.benchmark, _without_load(at[0]))}: latency under load",
        says="How long an operation takes when so many a second are asked for. Where the curve "
        "bends upward the storage is saturated: more load only makes it wait. The latency axis is "
        "logarithmic; the dashed line is what it reaches at most.",
        panels=(Panel(traces, layout),),
        columns=("load", "IOPS", *_WAITS),
        rows=tuple(_row(m, _load(m)) for m in [*limited, *free]),
        legend=(*_WAITS, "maximum") if free else _WAITS,
        across=1,
    )


def _depths(members: Sequence[Measured]) -> Chart:
    """IOPS and latency over the requests that each job keeps under way."""
    at = sorted(members, key=lambda m: float(m.case.parameters["depth"]))
    by = scale(max(m.estimate.value for m in at), "IOPS")
    waits = [_wait(m, name).value for m in at for name in _WAITS]
    of_waits = scale(sorted(waits)[len(waits) // 2], "s")
    depths = [int(m.case.parameters["depth"]) for m in at]
    axis: Plot = {"type": "log", "title": {"text": "depth"}, "tickvals": depths,
                  "ticktext": [str(d) for d in depths]}  # fmt: skip
    operations = _reached(at, by) | {"line": {"color": colour(_MAXIMUM), "width": 2}}
    panels = (
        Panel([operations], {"xaxis": axis, "height": 320, "yaxis": {
            "rangemode": "tozero", "title": {"text": label(by.unit)}}}, "operations a second"),
        Panel(
            [_line(at, name, i, of_waits, _depth, lambda m: f"depth {_depth(m):g}")
             for i, name in enumerate(_WAITS)],
            {"xaxis": axis, "height": 320,
             "yaxis": decades(waits, of_waits, "s") | {"title": {"text": "latency"}}},
            "latency",
        ),
    )  # fmt: skip
    jobs = at[0].case.parameters.get("jobs", 1)
    return Chart(
        title=f"{workload_name(at[0].case.benchmark, at[0].case.parameters)}: by depth",
        says="What more requests under way gain in operations a second, and what they cost in "
        f"latency, with {jobs} job{'s' if jobs != 1 else ''}. The latency axis is logarithmic.",
        panels=panels,
        columns=("depth", "IOPS", *_WAITS),
        rows=tuple(_row(m, str(m.case.parameters["depth"])) for m in at),
        legend=(*_WAITS, "IOPS"),
        across=2,
    )


def _depth(m: Measured) -> float:
    return float(m.case.parameters["depth"])


def _load(m: Measured) -> str:
    return f"{m.case.parameters['load']}%" if "load" in m.case.parameters else "no limit"


def _without_load(m: Measured) -> dict[str, Scalar]:
    return {n: v for n, v in m.case.parameters.items() if n != "load"}


def _line(
    members: Sequence[Measured],
    name: str,
    series: int,
    by: Scale,
    at: Callable[[Measured], float],
    where: Callable[[Measured], str],
) -> Plot:
    found = [_wait(m, name) for m in members]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [at(m) for m in members],
        "y": [e.value * by.factor for e in found],
        "error_y": _whiskers(found, by, series),
        "marker": marker(series, 7),
        "line": {"color": colour(series), "width": 2},
        "text": [
            hover(name, f"{where(m)}, {figure(m.estimate.value, 'IOPS')}", figure(e.value, "s"))
            for m, e in zip(members, found, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _reached(members: Sequence[Measured], by: Scale) -> Plot:
    found = [m.estimate for m in members]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [_depth(m) for m in members],
        "y": [e.value * by.factor for e in found],
        "error_y": _whiskers(found, by, _MAXIMUM),
        "marker": marker(_MAXIMUM, 7),
        "text": [
            hover("", f"depth {_depth(m):g}", figure(m.estimate.value, "IOPS")) for m in members
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _whiskers(found: Sequence[Estimate], by: Scale, series: int) -> Plot:
    """To the ends of the intervals, at most half of the figure, as a log axis needs."""
    low: list[float | None] = []
    high: list[float | None] = []
    for e in found:
        most = abs(e.value) / 2
        low.append(None if e.ends is None else min(e.value - e.ends[0], most) * by.factor)
        high.append(None if e.ends is None else min(e.ends[1] - e.value, most) * by.factor)
    return bars(low, high, series)


def _maximum(m: Measured, by: Scale, waits: Sequence[float], of_waits: Scale) -> Plot:
    """An upright line at what was reached without a limit."""
    x = m.estimate.value * by.factor
    return {
        "type": "scatter",
        "mode": "lines+text",
        "x": [x, x],
        "y": [min(waits) * of_waits.factor, max(waits) * of_waits.factor],
        "text": ["", f"maximum {label(figure(m.estimate.value, 'IOPS'))} "],
        "textposition": "middle left",
        "textfont": {"color": "--soft", "size": 11.5},
        "line": {"color": colour(_MAXIMUM), "width": 1.4, "dash": "dash"},
        "hoverinfo": "skip",
    }


def _row(m: Measured, where: str) -> tuple[str, ...]:
    waits = (_wait(m, name) for name in _WAITS)
    iops = figure(m.estimate.value, "IOPS", m.estimate.ends)
    return (where, iops, *(figure(e.value, "s", e.ends) for e in waits))
