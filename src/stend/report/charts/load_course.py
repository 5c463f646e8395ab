"""A workload of storage over time: IOPS and latency above CPU, memory and disks, on one axis."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from stend.comparing.estimate import Values
from stend.record import CaseRecord
from stend.record.loads import Direction, FioRun, HostSamples
from stend.report.charts import load_time
from stend.report.charts import load_time as columns
from stend.report.charts.chart import (
    Chart,
    Panel,
    Plot,
    colour,
    column,
    decades,
    label,
    reaching,
)
from stend.report.charts.load_time import Axis, Course, Placed, joined
from stend.report.quantities import Scale, figure, scale
from stend.report.workloads import state_of, under_way, workload_name
from stend.storage.fio.results import merged, percentiles

LEGEND = (
    "reads", "writes", "latency percentiles", "CPU: user", "CPU: system", "CPU: interrupts",
    "CPU: stolen", "CPU: waiting for storage",
)  # fmt: skip
_DIRECTIONS = {"read": 0, "write": 1, "trim": 1}
_PERCENTILES = 2
_KINDS = {"user": 3, "system": 4, "interrupts": 5, "steal": 6, "waiting": 7}
"""The columns of CPU time from the bottom of the stack up, and their series."""
_FEW = 60
"""Points that are marked, for one that stands alone is no line."""
_FAINT = 0.3
"""Of areas that are no work of a CPU, and of bands behind lines."""
_DASHES = ("solid", "dash", "dot")
"""Of the lines of the disks that moved most, as many as can be told apart."""
_HEIGHTS = {"iops": 130, "latency": 170, "cpu": 90, "memory": 80, "disks": 80}
_BETWEEN, _ABOVE, _BELOW = 40, 46, 44
"""Pixels between two rows, over the first and under the last."""


@dataclass(slots=True)
class _Rows:
    """The rows of one picture, as they are added from the top."""

    traces: list[Plot] = field(default_factory=list)
    axes: list[Plot] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)

    def add(self, kind: str, head: str, axis: Plot, traces: Sequence[Plot]) -> None:
        """One row; its traces go to an axis of their own."""
        number = len(self.axes) + 1
        self.traces += [t | {"yaxis": f"y{number}" if number > 1 else "y"} for t in traces]
        self.axes.append(axis)
        self.heads.append(head)
        self.heights.append(_HEIGHTS[kind])


def draw(case: CaseRecord) -> Chart | None:
    """The chart of a case; None where nothing was recorded over time."""
    loads = [s.load for s in case.samples if s.load is not None]
    time = load_time.axis(loads)
    if time is None or not any(len(f.at) for run, _ in time.runs for f in run.flows):
        return None
    rows = _Rows()
    _add_flows(rows, time)
    machines = _machines(time.loads)
    for machine in machines:
        _add_machine(rows, time, machine)
    name = workload_name(case.benchmark, case.parameters)
    ended = "" if case.has_figure else f" ({state_of(case)})"
    return Chart(
        title=f"{name}, {under_way(case.parameters)} in flight: over time{ended}",
        says="Operations a second, how long they took, and the machines meanwhile. The time "
                "before measuring is grey; what ran between two rounds is left out, and a gap "
                "is a time without data. The latency axis is logarithmic; its percentiles "
                "cover all operations in the time of a point. Memory: used, and the page cache "
                "(dotted). Disks: the three that moved most (solid, dashed, dotted).",
        panels=(Panel(rows.traces, _layout(rows, time)),),
        columns=("phase", "state", "seconds", "IOPS", "bandwidth", "mean latency", "p50", "p99",
                 "p99.9"),
        rows=tuple(_row(run) for run, _ in time.runs),
        legend=LEGEND,
        notes=tuple(_notes(case, machines)),
        across=1,
        detail=case.has_figure,
    )  # fmt: skip


def _add_flows(rows: _Rows, time: Axis) -> None:
    directions = dict.fromkeys(f.direction for run, _ in time.runs for f in run.flows)
    flows = {
        d: [(f, start) for run, start in time.runs for f in run.flows if f.direction == d]
        for d in directions
    }
    k = max(columns.every([len(f.at) for f, _ in mine]) for mine in flows.values())
    iops = {
        d: joined([columns.rates(f, start, k, f.iops) for f, start in mine])
        for d, mine in flows.items()
    }  # fmt: skip
    means = {
        d: joined([columns.latencies(f, start, k) for f, start in mine])
        for d, mine in flows.items()
    }  # fmt: skip
    by = scale(_most(iops.values()), "IOPS")
    rows.add("iops", f"<b>Operations a second</b>, {by.unit}", {"rangemode": "tozero"},
             [_line(time, c, by, _DIRECTIONS[d], d) for d, c in iops.items()])  # fmt: skip
    _add_latency(rows, time, means, _percentiles(time, k))


def _percentiles(time: Axis, k: int) -> list[Course]:
    """The course of each percentile through all runs that have histograms."""
    found = [courses for run, start in time.runs if (courses := columns.bands(run, start, k))]
    return [joined(of_one) for of_one in zip(*found, strict=True)]


def _add_latency(
    rows: _Rows, time: Axis, means: Mapping[Direction, Course], bands: Sequence[Course]
) -> None:
    known = [c.values[np.isfinite(c.values) & (c.values > 0)] for c in (*means.values(), *bands)]
    values = np.concatenate(known) if known else np.empty(0)
    if not len(values):
        return
    by = scale(float(np.median(values)), "s")
    ends = [float(values.min()), float(values.max())]
    axis = decades(ends, by, "s") | {"range": reaching(ends[0], ends[1], by)}
    named = zip((f"p{percent:g}" for percent in columns.PERCENTS), bands, strict=False)
    drawn = {name: c for name, c in named if np.isfinite(c.values).any()}
    traces = list(_bands(time, by, list(drawn.values())))
    traces += [
        _line(time, c, by, _PERCENTILES, name, width=0.9 + 0.25 * i)
        for i, (name, c) in enumerate(drawn.items())
    ]
    traces += [_name_at_end(time, c, by, name) for name, c in drawn.items()]
    traces += [_line(time, c, by, _DIRECTIONS[d], f"mean of {d}s") for d, c in means.items()]
    head = f"<b>Latency</b>, {', '.join(['mean', *drawn])}"
    rows.add("latency", head, axis, traces)


def _bands(time: Axis, by: Scale, courses: Sequence[Course]) -> Iterator[Plot]:
    """The ground between each percentile and the next."""
    for lower, upper in pairwise(courses):
        parts = columns.stretches(Course(upper.at, upper.values + lower.values))
        yield _area(time, lower.at, lower.values * by.factor, upper.values * by.factor, parts,
                    _PERCENTILES, _FAINT / 2)  # fmt: skip


def _add_machine(rows: _Rows, time: Axis, machines: Sequence[tuple[HostSamples, float]]) -> None:
    """CPU, memory and disks of one machine, from all of its records."""
    first = machines[0][0]
    k = columns.every([len(b.at) for b, _ in machines])
    where = label(first.host) + (" (over ssh)" if first.remote else "")
    kinds = {
        kind: joined(
            [columns.sampled_course(b, shift, k, getattr(b, kind)) for b, shift in machines]
        )
        for kind in _KINDS
    }
    if any(np.isfinite(c.values).any() for c in kinds.values()):
        cpus = f" of {first.cpus} CPUs" if first.cpus else ""
        rows.add("cpu", f"<b>CPU</b> of {where}, %{cpus}", {"range": [0, 100], "nticks": 4},
                 list(_stack(time, kinds)))  # fmt: skip
    used = joined([columns.sampled_course(b, shift, k, b.memory_used) for b, shift in machines])
    cached = joined([columns.sampled_course(b, shift, k, b.memory_cached) for b, shift in machines])
    if np.isfinite(used.values).any():
        by = scale(_most([used, cached]), "B")
        whole = f" of {figure(first.memory_bytes, 'B')}" if first.memory_bytes else ""
        head = f"<b>Memory</b> of {label(first.host)}, {by.unit}{whole}"
        lines = [_line(time, used, by, None, "used"),
                 _line(time, cached, by, None, "page cache", dash="dot")]  # fmt: skip
        rows.add("memory", head, {"rangemode": "tozero", "nticks": 4}, lines)
    _add_disks(rows, time, machines, k)


def _add_disks(
    rows: _Rows, time: Axis, machines: Sequence[tuple[HostSamples, float]], k: int
) -> None:
    """What the busiest disks of one machine read and wrote."""
    found: dict[str, list[list[Course]]] = {}
    for b, shift in machines:
        for disk in b.disks:
            both = [columns.sampled_course(b, shift, k, way) for way in (disk.read, disk.written)]
            found.setdefault(disk.name, []).append(both)
    moved = {name: [joined(way) for way in zip(*mine, strict=True)] for name, mine in found.items()}
    busiest = sorted(filter(lambda n: _most(moved[n]), moved), key=lambda n: -_most(moved[n]))
    shown = busiest[: len(_DASHES)]
    if not shown:
        return
    by = scale(_most(moved[shown[0]]), "B/s")
    lines = [
        _line(time, course, by, series, f"{name}, {way}", dash=dash)
        for name, dash in zip(shown, _DASHES, strict=False)
        for series, (way, course) in enumerate(zip(("read", "written"), moved[name], strict=True))
    ]
    names = ", ".join(map(label, shown))
    rows.add("disks", f"<b>Disks</b> of {label(machines[0][0].host)}, {by.unit}: {names}",
             {"rangemode": "tozero", "nticks": 4}, lines)  # fmt: skip


def _machines(loads: Sequence[Placed]) -> list[list[tuple[HostSamples, float]]]:
    """Their records and shifts by machine, the remote ones first: they are under load."""
    found: dict[tuple[bool, str], list[tuple[HostSamples, float]]] = {}
    for load in loads:
        for machine in load.host_samples:
            found.setdefault((not machine.remote, machine.host), []).append((machine, load.shift))
    return [found[key] for key in sorted(found)]


def _stack(time: Axis, kinds: dict[str, Course]) -> Iterator[Plot]:
    """Each kind an area on those below, closed at every gap: Plotly's own stacks fill gaps."""
    known = {kind: c for kind, c in kinds.items() if len(c.at)}
    whole = sum(c.values for c in known.values())
    at = next(iter(known.values())).at
    parts = columns.stretches(Course(at, np.asarray(whole)))
    lower = np.zeros(len(at))
    for kind, course in known.items():
        upper = lower + 100 * course.values
        series = _KINDS[kind]
        faint = _FAINT if kind == "waiting" else 1.0
        yield _area(time, at, lower, upper, parts, series, faint)
        lower = upper
    busy = Course(at, 100 * np.asarray(sum(c.values for n, c in known.items() if n != "waiting")))
    yield _line(time, busy, Scale(1.0, "%"), None, "busy", width=0.8)


def _area(
    time: Axis,
    at: Values,
    lower: Values,
    upper: Values,
    parts: Sequence[slice],
    series: int,
    opacity: float,
) -> Plot:
    """The ground between two lines, in each stretch without a gap."""
    x = time.along(Course(at, at))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": column(_outline([(x[p], x[p][::-1]) for p in parts])),
        "y": column(_outline([(upper[p], lower[p][::-1]) for p in parts])),
        "fill": "toself",
        "fillcolor": colour(series),
        "line": {"width": 0, "color": colour(series)},
        "hoverinfo": "skip",
        "opacity": opacity,
    }


def _outline(parts: Sequence[tuple[Values, Values]]) -> Values:
    """There along the upper edge and back along the lower one; NaN between two areas."""
    pieces = [np.concatenate([there, back, [np.nan]]) for there, back in parts]
    return np.concatenate(pieces)[:-1] if pieces else np.empty(0)


def _line(
    time: Axis,
    course: Course,
    by: Scale,
    series: int | None,
    name: str,
    width: float = 1.6,
    dash: str = "solid",
) -> Plot:
    paint = "--ink" if series is None else colour(series)
    return {
        "type": "scatter",
        "mode": "lines+markers" if len(course.at) < _FEW else "lines",
        "x": column(time.along(course)),
        "y": column(course.values * by.factor),
        "marker": {"size": 3.5, "color": paint},
        "line": {"color": paint, "width": width, "dash": dash},
        "hovertemplate": f"{label(name)}: %{{y:.4g}} {label(by.unit)} at %{{x:.4g}} "
        f"{time.unit.unit}<extra></extra>",
    }


def _name_at_end(time: Axis, course: Course, by: Scale, name: str) -> Plot:
    """A percentile's name beside the end of its line."""
    last = int(np.flatnonzero(np.isfinite(course.values))[-1])
    return {
        "type": "scatter",
        "mode": "text",
        "x": [float(time.along(course)[last])],
        "y": [float(course.values[last] * by.factor)],
        "text": [f" {name}"],
        "textposition": "middle right",
        "textfont": {"color": colour(_PERCENTILES), "size": 11},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _most(courses: Iterable[Course]) -> float:
    known = [c.values[np.isfinite(c.values)] for c in courses]
    return max((float(v.max()) for v in known if len(v)), default=0.0)


def _layout(rows: _Rows, time: Axis) -> Plot:
    inner = sum(rows.heights) + _BETWEEN * (len(rows.heights) - 1)
    layout: Plot = {
        "height": inner + _ABOVE + _BELOW,
        "margin": {"l": 56, "r": 44, "t": _ABOVE, "b": _BELOW},
        "xaxis": {
            "title": {"text": time.unit.unit},
            "range": [0, time.span * time.unit.factor],
            "anchor": f"y{len(rows.axes)}" if len(rows.axes) > 1 else "y",
        },
        "shapes": list(time.shades()),
        "annotations": [
            _words(name, x, 1, "center") | {"font": {"size": 11, "color": "--soft"}}
            for name, x in time.names()
        ],
    }
    top = float(inner)
    for i, (axis, head, height) in enumerate(
        zip(rows.axes, rows.heads, rows.heights, strict=True), 1
    ):
        name = f"yaxis{i}" if i > 1 else "yaxis"
        layout[name] = axis | {"domain": [max(0.0, (top - height) / inner), top / inner]}
        layout["annotations"].append(
            _words(head, 0, top / inner, "left") | {"xref": "paper", "yshift": 18 if i == 1 else 0}
        )
        top -= height + _BETWEEN
    return layout


def _words(text: str, x: float, y: float, side: str) -> Plot:
    return {
        "text": text, "x": x, "y": y, "yref": "paper", "xanchor": side, "yanchor": "bottom",
        "showarrow": False, "font": {"size": 12, "color": "--ink"},
    }  # fmt: skip


def _row(run: FioRun) -> tuple[str, ...]:
    done = sum(f.operations for f in run.flows)
    moved = sum(f.bytes for f in run.flows)
    took = max((f.seconds for f in run.flows), default=0.0)
    whole = merged(f.histogram for f in run.flows if f.histogram)
    asked = (50.0, 99.0, 99.9)
    tails = zip(asked, percentiles(whole, asked), strict=True) if whole else ()
    means = [(f.mean, f.operations) for f in run.flows if f.mean is not None and f.operations]
    weight = sum(n for _, n in means)
    mean = sum(x * n for x, n in means) / weight if weight else None
    return (
        run.phase,
        run.state,
        f"{run.lasted:.1f}",
        figure(done / took, "IOPS") if took else "–",
        figure(moved / took, "B/s") if took else "–",
        figure(mean, "s") if mean is not None else "–",
        *([figure(x, "s") if columns.enough(done, p) else "–" for p, x in tails] or ["–"] * 3),
    )


def _notes(
    case: CaseRecord, machines: Sequence[Sequence[tuple[HostSamples, float]]]
) -> Iterator[str]:
    loads = [s.load for s in case.samples if s.load is not None]
    yield from dict.fromkeys(reason for load in loads for reason in load.reasons)
    for mine in ([b for b, _ in of_one] for of_one in machines):
        host = mine[0].host
        readings = np.concatenate([np.asarray(b.user, dtype=np.float64) for b in mine])
        lacking = int(np.count_nonzero(~np.isfinite(readings)))
        if lacking > len(mine):  # of the first of each record there is no sample before it
            yield f"{host}: {lacking} of {len(readings)} readings are missing."
        offset = next((b for b in mine if b.offset is not None), None)
        if offset is not None and offset.offset is not None:
            ahead = "ahead of" if offset.offset >= 0 else "behind"
            within = f", ± {figure(offset.uncertainty, 's')}" if offset.uncertainty else ""
            yield (
                f"{host}: its clock was {figure(abs(offset.offset), 's')}{within}, {ahead} ours; "
                "its data is shown by our clock."
            )
