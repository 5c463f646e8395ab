"""Storage workloads → bars beside what the literature gives of the same six."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from stend.comparing.published import WORKLOADS, StorageFigure, in_full, storage
from stend.report.charts.bars import Bar, traces
from stend.report.charts.chart import Chart, Panel, Plot, label
from stend.report.measured import Measured
from stend.report.quantities import figure, scale, share_in_words
from stend.report.workloads import (
    figures_of,
    in_words,
    outstanding,
    published_load,
    under_way,
    workload_name,
)
from stend.storage.fio.workload import alters

_PUBLISHED_AS = {(f"storage.{way}", block): name for name, (way, block) in WORKLOADS.items()}
_ABOUT = (
    "Vostok, Elbrus-8C: Aerodisk Vostok 2-E12, 2 × Elbrus-8C, 12 SAS SSDs, 8 LUNs in RAID-10, "
    "loaded over 16G Fibre Channel.",
    "Under Linux 4.19 by the method of 2020 (the profile `aerodisk-2020`), under 5.4 by that of "
    "2021 (`aerodisk-2021`).",
    "Engine N2, Xeon E5-2603 v4: Aerodisk Engine N2 with that processor.",
    "The published CPU is that of the storage system.",
)
_LATENCY = "mean latency"
_FIGURES: tuple[tuple[str, str, str, Callable[[StorageFigure], float | None]], ...] = (
    ("IOPS", "operations a second", "IOPS", lambda f: f.iops),
    ("bandwidth", "bandwidth", "B/s", lambda f: f.bandwidth),
    (_LATENCY, "latency", "s", lambda f: f.latency),
    ("CPU", "CPU", "share", lambda f: f.cpu),
)
Loads = Mapping[str, int | None]
"""Requests under way in the measured case of each published workload."""
_HERE, _PUBLISHED = 0, 1
_ROW = 22
"""Pixels of a line."""
_ROOM = 1.6
"""Beside the longest bar, for its figure."""


def draw(members: Sequence[Measured]) -> Chart | None:
    """A panel a figure; None where no workload is one of the published tests'."""
    own = [m for m in members if _kind(m) is not None]
    best = {_kind(m): m for m in sorted(own, key=lambda m: m.estimate.value)}
    shown = [best[kind] for kind in _PUBLISHED_AS.values() if kind in best]
    if not shown:
        return None
    published = [f for f in storage() if f.workload in best]
    loads = {str(_kind(m)): outstanding(m.case.parameters) for m in shown}
    panels = [_panel(shown, published, loads, *what) for what in _FIGURES]
    return Chart(
        title="storage: the workloads, beside published ones",
        says="What each workload reached, beside storage systems of the literature "
        f"({'; '.join(dict.fromkeys(f.cited for f in published))}), where that gives a figure. "
        "Of several cases of a workload the one with most operations a second is shown. The "
        "published ones are single runs without an interval, under the settings of the profile "
        "`aerodisk-2021` or `aerodisk-2020`; only the same settings compare. A published latency "
        "is told only where as many requests were under way.",
        panels=tuple(panel for panel in panels if panel is not None),
        columns=("workload", "system", "under way", "IOPS", "bandwidth", "latency", "CPU"),
        rows=(*map(_row, shown), *(_published_row(f, loads[f.workload]) for f in published)),
        legend=("this machine", "published"),
        notes=_ABOUT,
        across=2,
    )


def _kind(m: Measured) -> str | None:
    block = m.case.parameters.get("block")
    if not isinstance(block, int) or alters(m.case.parameters):
        return None
    return _PUBLISHED_AS.get((m.case.benchmark, block))


def _panel(
    shown: Sequence[Measured],
    published: Sequence[StorageFigure],
    loads: Loads,
    metric: str,
    title: str,
    unit: str,
    of: Callable[[StorageFigure], float | None],
) -> Panel | None:
    """Horizontal bars, the first workload on top; a name where only one side has the figure too.

    None where one side has no such figure of any workload.
    """
    comparable = [f for f in published if _compares(f, loads[f.workload], metric)]
    bars = list(_bars(shown, comparable, metric, of))[::-1]
    if {series for _, _, series in bars} != {_HERE, _PUBLISHED}:
        return None
    values = sorted(value for _, value, _ in bars)
    by = scale(values[len(values) // 2], unit)
    drawn = [Bar(value * by.factor, _said(value, unit), one) for _, value, one in bars]
    found = traces(drawn, (_HERE, _PUBLISHED))
    layout: Plot = {
        "xaxis": {"title": {"text": label(by.unit)}} | _extent(values[-1] * by.factor, unit),
        "yaxis": {
            "tickvals": list(range(len(bars))),
            "ticktext": [name for name, _, _ in bars],
            "automargin": True,
            "ticks": "",
        },
        "barmode": "overlay",
        "height": 90 + _ROW * len(bars),
    }
    return Panel(found, layout, title)


def _extent(longest: float, unit: str) -> Plot:
    """From 0 on, with room for the words behind bars; a share's axis has no mark above 100%."""
    if unit == "share":
        return {"range": [0, 130], "tickvals": [0, 25, 50, 75, 100]}
    return {"range": [0, _ROOM * longest]}


def _bars(
    shown: Sequence[Measured],
    published: Sequence[StorageFigure],
    metric: str,
    of: Callable[[StorageFigure], float | None],
) -> Iterator[tuple[str, float, int]]:
    for m in shown:
        found = figures_of(m.case).get(metric)
        if found is not None:
            name = workload_name(m.case.benchmark, {"block": m.case.parameters["block"]})
            yield f"<b>{label(name)}</b>", found[1].value, _HERE
            for f in published:
                value = of(f)
                if f.workload == _kind(m) and value is not None:
                    yield label(_system(f)), value, _PUBLISHED


def _compares(f: StorageFigure, load: int | None, metric: str) -> bool:
    """A latency grows with the requests under way: only one of as many says anything."""
    return metric != _LATENCY or (load is not None and f.outstanding == load)


def _system(f: StorageFigure) -> str:
    return in_full(f.system) + (f", Linux {f.kernel}" if f.kernel else "")


def _said(value: float, unit: str) -> str:
    return share_in_words(value) if unit == "share" else figure(value, unit)


def _row(m: Measured) -> tuple[str, ...]:
    found = figures_of(m.case)
    cells = (in_words(*found[name]) if name in found else "–" for name, *_ in _FIGURES)
    name = workload_name(m.case.benchmark, m.case.parameters)
    return (name, "this machine", under_way(m.case.parameters), *cells)


def _published_row(f: StorageFigure, load: int | None) -> tuple[str, ...]:
    cells = (
        "–" if not _compares(f, load, metric) or (value := of(f)) is None else _said(value, unit)
        for metric, _, unit, of in _FIGURES
    )
    return (f"published: {f.workload}", _system(f), published_load(f), *cells)
