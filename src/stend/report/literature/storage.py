"""The literature's table of storage workloads, with this machine."""

from collections.abc import Sequence

from stend.comparing.publications import WORKLOADS, StorageFigure, in_full, storage
from stend.report.literature.table import NOTHING, Row, Subject, Table, best, cited, has, ranked
from stend.report.measured_case import Measured
from stend.report.quantities import figure, share_in_words
from stend.report.workloads import (
    figures_of,
    in_words,
    outstanding,
    published_load,
    under_way,
)
from stend.storage.fio.workload import alters

_FURTHER = ("bandwidth", "mean latency", "CPU")


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """One table, the rows of a workload together, of those that the run measured."""
    rows: list[Row] = []
    shown: list[StorageFigure] = []
    for workload, (way, block) in WORKLOADS.items():
        own = best(
            [
                m
                for m in measured
                if m.case.benchmark == f"storage.{way}"
                and has(m, block=block)
                and not alters(m.case.parameters)
            ]
        )
        if own:
            published = [f for f in storage() if f.workload == workload]
            mine = (-own.estimate.value, _own(workload, own, here))
            load = outstanding(own.case.parameters)
            rows += ranked([*((_rank(f, block), _row(f, load)) for f in published), mine])
            shown += published
    if not rows:
        return []
    return [
        Table(
            title="Workloads of storage",
            says="A workload with several cases is shown by the one with most operations a "
            "second. The published figures differ: arrays under the settings of the "
            "profiles `aerodisk-2021` (Linux 5.4) and `aerodisk-2020` (the others), "
            "whose CPU is the array's; single numbers without an interval; GB are "
            "taken as 10⁹ bytes, which the source doesn't say. A published latency is "
            "shown only if the same number of requests was in flight. Most operations "
            f"a second first; those without the number last. {cited(shown)}.",
            columns=("workload", "system", "in flight", "IOPS", "bandwidth", "latency", "CPU"),
            rows=tuple(rows),
        )
    ]


def _rank(f: StorageFigure, block: int) -> float:
    """By operations a second; where only the bandwidth is given, by those it takes."""
    rate = f.iops or (f.bandwidth / block if f.bandwidth else None)
    return -rate if rate else 0.0


def _row(f: StorageFigure, load: int | None) -> Row:
    """Its latency only beside one under as many requests."""
    system = in_full(f.system) + (f", Linux {f.kernel}" if f.kernel else "")
    latency = f.latency if load is not None and f.outstanding == load else None
    values = ((f.iops, "IOPS"), (f.bandwidth, "B/s"), (latency, "s"))
    words = (
        NOTHING if x is None else figure(x, u).removesuffix("IOPS").rstrip() for x, u in values
    )
    cpu = NOTHING if f.cpu is None else share_in_words(f.cpu)
    return Row((_name(f.workload), system, published_load(f), *words, cpu))


def _own(workload: str, m: Measured, here: str) -> Row:
    found = figures_of(m.case)
    cells = (in_words(*found[x]) if x in found else NOTHING for x in ("IOPS", *_FURTHER))
    under = under_way(m.case.parameters) or NOTHING
    return Row((_name(workload), here, under, *cells), here=True)


def _name(workload: str) -> str:
    return workload.replace("-", " ")


def _cells(f: StorageFigure) -> tuple[str, ...]:
    cpu = NOTHING if f.cpu is None else share_in_words(f.cpu)
    values = ((f.iops, "IOPS"), (f.bandwidth, "B/s"), (f.latency, "s"))
    words = (NOTHING if value is None else figure(value, unit) for value, unit in values)
    system = (_name(f.workload), in_full(f.system), f.kernel or NOTHING)
    return *system, f.method, published_load(f), *words, cpu


SUBJECT = Subject(
    family="storage",
    title="Storage",
    figures=storage,
    columns=(
        "workload", "system", "kernel", "method", "in flight", "rate", "bandwidth", "latency",
        "CPU",
    ),
    cells=_cells,
    tables=tables,
)  # fmt: skip
