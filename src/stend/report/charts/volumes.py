"""Charts of tomography: time against accuracy, and volumes next to published ones."""

from collections.abc import Sequence

from stend.comparing.limits import threads_of
from stend.comparing.publications import SLICES, VolumeFigure, in_full, volumes
from stend.report.charts.chart import Chart, Panel, Plot, bars, decades, label, marker
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import Scale, figure, scale

FAMILY = "tomo"
_ERROR = "RMSE"
_ALGORITHMS = {
    "dfr": "direct Fourier",
    "dfr_half": "direct Fourier, halves",
    "fbp": "back projection",
    "fbp_int16": "back projection, int16",
    "hfbp": "fast Hough",
    "hfbp_fine": "fast Hough, fine",
}
_PUBLISHED_AS = {
    "dfr": "dfr",
    "dfr_half": "dfr",
    "fbp": "fbp",
    "fbp_int16": "fbp",
    "hfbp": "hfbp",
    "hfbp_fine": "hfbp",
}
_HERE, _COMPUTED, _PUBLISHED = 0, 1, 2
"""The series of the volumes' times."""
_ROW = 22
"""Pixels of a line."""
_SECONDS = Scale(1.0, "s")


def takes(m: Measured) -> bool:
    """Whether it is one of the family, of a problem that there are published figures of."""
    return (
        m.case.family == FAMILY
        and m.case.metric.unit == "s/slice"
        and m.what in _ALGORITHMS
        and m.case.parameters.get("problem") in SLICES
        and type(m.case.parameters.get("slices")) is int
        and m.estimate.value > 0
    )


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Of each problem: a point for each case, then its volume beside the published ones."""
    charts: list[Chart] = []
    for problem in SLICES:
        own = [m for m in members if m.case.parameters["problem"] == problem]
        if own:
            charts += [_accuracy(problem, own), _volume(problem, own)]
    return charts


def _accuracy(problem: str, members: Sequence[Measured]) -> Chart:
    """Points of time and error; one thread and more are told apart by their labels."""
    shown = [m for m in members if _error_of(m) is not None]
    by = scale(max(m.estimate.value for m in members), "s/slice")
    series = [what for what in _ALGORITHMS if any(m.what == what for m in shown)]
    return Chart(
        title=f"tomo: time and accuracy, {problem}",
        says="The time of a slice and its root mean square error against the phantom's "
        "exact picture, inside the circle; the lower left corner is best. The time "
        "includes filter, back projection and changes of layout, but not tables and "
        "files.",
        panels=(_points(series, shown, by),) if shown else (),
        columns=("case", "time", "RMSE"),
        rows=tuple((m.case.name, _time(m), _in_words(_error_of(m))) for m in members),
        legend=tuple(_ALGORITHMS[what] for what in series),
        across=1,
    )


def _points(series: Sequence[str], shown: Sequence[Measured], by: Scale) -> Panel:
    traces: list[Plot] = []
    for i, what in enumerate(series):
        own = [m for m in shown if m.what == what]
        low, high = zip(*(_reach(m, by) for m in own), strict=True)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [_error_of(m) for m in own],
                "y": [m.estimate.value * by.factor for m in own],
                "error_y": bars(low, high, i),
                "marker": marker(i),
                "text": [f"{label(m.case.name)}<br><b>{_time(m)}</b>" for m in own],
                "hovertemplate": "%{text}, RMSE %{x:.4f}<extra></extra>",
            }
        )
    values = decades([m.estimate.value for m in shown], by, "s/slice")
    layout: Plot = {
        "xaxis": {"title": {"text": _ERROR}, "rangemode": "tozero"},
        "yaxis": values | {"title": {"text": label(by.unit)}},
        "height": 360,
    }
    return Panel(traces, layout)


def _volume(problem: str, members: Sequence[Measured]) -> Chart:
    """Seconds of the whole volume on a log axis, a panel an algorithm of the literature."""
    published = [f for f in volumes() if f.problem == problem]
    panels = []
    for algorithm in ("dfr", "fbp", "hfbp"):
        own = [m for m in _best(members) if _PUBLISHED_AS[m.what] == algorithm]
        if own:
            panels.append(_seconds(problem, algorithm, own, published))
    slices = SLICES[problem]
    return Chart(
        title=f"tomo: the volume {problem}",
        says=f"Seconds for all {slices} slices, compared with machines of the literature "
        f"({'; '.join(dict.fromkeys(f.cited for f in published))}); lower is better, "
        "and the axis is logarithmic. This machine's are of its best variant; where a "
        "run measured no whole volume, they are computed from its time for fewer "
        "slices, and say so. The published ones are single runs without an interval.",
        panels=tuple(panels),
        columns=("case", "algorithm", "threads", "seconds", "how"),
        rows=(
            *(
                (m.case.name, m.what, str(threads_of(m.case)), _whole(m, slices), _how(m))
                for m in members
            ),
            *(
                (
                    f"published: {in_full(f.machine)}",
                    f.algorithm,
                    str(f.threads),
                    f"{f.seconds:g}",
                    "",
                )
                for f in published
            ),
        ),
        legend=("this machine", "this machine, computed from fewer slices", "published"),
        across=1,  # the names of machines leave little beside them
        detail=True,
    )


def _best(members: Sequence[Measured]) -> Sequence[Measured]:
    """Of each algorithm on each number of threads the fastest, if any of whole volumes."""
    best: dict[tuple[str, int | None], Measured] = {}
    for m in sorted(members, key=lambda m: (_is_whole(m), -m.estimate.value)):
        best[m.what, threads_of(m.case)] = m
    return list(best.values())


def _is_whole(m: Measured) -> bool:
    """Whether all slices of the published volume were reconstructed."""
    return m.case.parameters["slices"] == SLICES[str(m.case.parameters["problem"])]


def _how(m: Measured) -> str:
    return "measured" if _is_whole(m) else f"computed from {m.case.parameters['slices']} slices"


def _seconds(
    problem: str, algorithm: str, own: Sequence[Measured], published: Sequence[VolumeFigure]
) -> Panel:
    slices = SLICES[problem]
    rows = [
        (_name(m), m.estimate.value * slices, _HERE if _is_whole(m) else _COMPUTED, f", {_how(m)}")
        for m in own
    ]
    rows += [
        (_machine(f), f.seconds, _PUBLISHED, "") for f in published if f.algorithm == algorithm
    ]
    rows.sort(key=lambda row: -row[1])
    traces: list[Plot] = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [seconds for _, seconds, of, _ in rows if of == series],
            "y": [i for i, (_, _, of, _) in enumerate(rows) if of == series],
            "marker": marker(series),
            "text": [figure(seconds, "s") + how for _, seconds, of, how in rows if of == series],
            "hovertemplate": "%{text}<extra></extra>",
        }
        for series in (_HERE, _COMPUTED, _PUBLISHED)
    ]
    layout: Plot = {
        "xaxis": decades([seconds for _, seconds, _, _ in rows], _SECONDS, "s")
        | {"title": {"text": "seconds"}},
        "yaxis": {
            "tickvals": list(range(len(rows))),
            "ticktext": [label(name) for name, *_ in rows],
            "automargin": True,
            "ticks": "",
            "showgrid": True,
        },
        "height": 90 + _ROW * len(rows),
    }
    return Panel(traces, layout, _ALGORITHMS[algorithm])


def _name(m: Measured) -> str:
    return f"{_ALGORITHMS[m.what]}, {_threads(threads_of(m.case) or 1)}"


def _machine(f: VolumeFigure) -> str:
    return f"{in_full(f.machine.partition(' (')[0])}, {_threads(f.threads)}"


def _threads(count: int) -> str:
    return f"{count} thread{'s' if count > 1 else ''}"


def _error_of(m: Measured) -> float | None:
    return m.estimate.also.get(_ERROR)


def _in_words(error: float | None) -> str:
    return "–" if error is None else f"{error:.5f}"


def _time(m: Measured) -> str:
    return figure(m.estimate.value, m.estimate.unit, m.estimate.ends)


def _whole(m: Measured, slices: int) -> str:
    """In seconds however many they are, like the published ones."""
    return f"{float(f'{m.estimate.value * slices:.3g}'):g}"


def _reach(m: Measured, by: Scale) -> tuple[float | None, float | None]:
    if m.estimate.ends is None:
        return None, None
    low, high = m.estimate.ends
    return (m.estimate.value - low) * by.factor, (high - m.estimate.value) * by.factor
