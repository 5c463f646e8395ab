"""The literature's tables of tomographic volumes, with this machine."""

from collections.abc import Mapping, Sequence

from stend.comparing.limits import threads_of
from stend.comparing.publications import SLICES, VolumeFigure, in_full, volumes
from stend.report.literature.table import (
    NOTHING,
    Row,
    Subject,
    Table,
    best,
    cited,
    has,
    ranked,
    times,
)
from stend.report.measured_case import Measured
from stend.report.quantities import three_digits

_ALGORITHMS = {"dfr": "DFR", "fbp": "FBP", "hfbp": "HFBP"}
_COLUMNS = (
    "machine",
    "threads",
    *(f"{name}, {unit}" for name in _ALGORITHMS.values() for unit in ("s", "slices/s")),
)
_SAYS = (
    "Seconds for all {slices} slices, and slices a second. DFR: direct Fourier method; FBP: "
    "filtered back projection; HFBP: back projection by the fast Hough transform. "
    "{computed}{scheme}The published figures differ: another program, single numbers without an "
    "interval, and possibly with the time to read files, which is not included here. The "
    "fastest first. {cited}."
)
_SCHEMES = {
    "shepp-logan-3d": "The source computed the projections slice by slice in a fan scheme; "
    "here rays are parallel. "
}
_COMPUTED = "* No whole volume was measured: computed from the time of {slices} slices. "


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """For each data set that the run measured: on one thread, and on the most."""
    found = []
    for problem in SLICES:
        own = [
            m
            for m in measured
            if m.case.benchmark.removeprefix("tomo.") in _ALGORITHMS and has(m, problem=problem)
        ]
        counts = {threads_of(m.case) for m in own}
        for count in sorted({c for c in counts if c == 1} | {max(counts, default=1)} & counts):
            mine = [m for m in own if threads_of(m.case) == count]
            found.append(_table(problem, count, mine, here))
    return found


def _table(problem: str, count: int, own: Sequence[Measured], here: str) -> Table:
    one = count == 1
    published = [f for f in volumes() if f.problem == problem and (f.threads == 1) == one]
    chosen = {a: m for a in _ALGORITHMS if (m := _chosen([x for x in own if x.what == a]))}
    fewer = sorted({_slices(m) for m in chosen.values()} - {SLICES[problem]})
    computed = _COMPUTED.format(slices=" or ".join(map(str, fewer))) if fewer else ""
    machines: dict[tuple[str, int], dict[str, float]] = {}
    for f in published:
        machines.setdefault((f.machine, f.threads), {})[f.algorithm] = f.seconds
    rows = [
        (min(seconds.values()), _published(problem, *machine, seconds))
        for machine, seconds in machines.items()
    ]
    least = min(m.estimate.value * SLICES[problem] for m in chosen.values())
    return Table(
        title=f"{problem}, {'one thread' if one else 'all threads'}",
        says=_SAYS.format(
            slices=SLICES[problem],
            computed=computed,
            scheme=_SCHEMES.get(problem, ""),
            cited=cited(published),
        ),
        columns=_COLUMNS,
        rows=ranked([*rows, (least, _own(problem, count, chosen, here))]),
    )


def _chosen(members: Sequence[Measured]) -> Measured | None:
    """The best of whole volumes; where there are none, of the most slices."""
    most = max(map(_slices, members), default=0)
    return best([m for m in members if _slices(m) == most])


def _slices(m: Measured) -> int:
    return int(m.case.parameters.get("slices", 0))


def _published(problem: str, machine: str, threads: int, seconds: Mapping[str, float]) -> Row:
    cells = [in_full(machine), str(threads)]
    for algorithm in _ALGORITHMS:
        took = seconds.get(algorithm)
        cells += [f"{took:g}", _rate(SLICES[problem] / took)] if took else [NOTHING, NOTHING]
    return Row(tuple(cells))


def _own(problem: str, count: int, chosen: Mapping[str, Measured], here: str) -> Row:
    cells = [here, str(count)]
    for algorithm in _ALGORITHMS:
        m = chosen.get(algorithm)
        mark = "*" if m and _slices(m) < SLICES[problem] else ""
        cells += (
            [times(m, SLICES[problem]) + mark, _rate(1 / m.estimate.value) + mark]
            if m and m.estimate.value > 0
            else [NOTHING, NOTHING]
        )
    return Row(tuple(cells), here=True)


def _rate(slices_a_second: float) -> str:
    return three_digits(slices_a_second)


def _cells(f: VolumeFigure) -> tuple[str, ...]:
    return f.problem, f.algorithm, in_full(f.machine), str(f.threads), f"{f.seconds:g} s"


SUBJECT = Subject(
    family="tomo",
    title="Tomography",
    figures=volumes,
    columns=("problem", "algorithm", "machine", "threads", "volume"),
    cells=_cells,
    tables=tables,
)
