"""Published runs by name, as in `published:elbrus-16c`: figures as cases of stend's benchmarks.

A case has the parameters that its source tells, in the words of the benchmark, and no others.
What else the source says of a figure, its clock above all, is in the note.
"""

import difflib
import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from stend.benchmarks.registry import load
from stend.comparing.metrics import FIGURE, figure_of
from stend.comparing.publications import figures
from stend.comparing.publications.figures import Cited
from stend.comparing.publications.machines import in_full, machine
from stend.errors import UnknownName
from stend.record import CaseRecord, Published, Run, Scalar, Status, Work
from stend.record.text import duration, printable
from stend.storage.fio.profile import read_profile

SLICES = {"shepp-logan-3d": 511, "may-beetle": 1261}
"""Of the published volumes."""
COMPUTERS = {"elbrus-401": "elbrus-4c", "elbrus-801cb": "elbrus-8cb"}
"""Of one processor: they stand under its name."""
_MODES = {"parallel": "ecb", "sequential": "cbc"}
_OUT_OF_PLACE = "ecb-out-of-place"
_SEQUENTIAL = "each block waits for the one before, which here is the chain of cbc"
_ABOUT_CIPHERS = "about 1 GB without a change of the key"
_UNALIGNED = "not aligned, the source doesn't say by how much"
_OPERATIONS: dict[str, tuple[str, dict[str, Scalar]]] = {
    "create one thread": ("create", {}),
    "create and join one thread": ("create_join", {}),
    "create and join one thread in a chain of 15000 threads": (
        "chain",
        {"length": 15000, "keep": "joined"},
    ),
    "create a mutex": ("mutex.create", {}),
    "destroy a mutex": ("mutex.destroy", {}),
    "lock a mutex": ("mutex.lock", {}),
    "unlock a mutex": ("mutex.unlock", {}),
}
_WOKEN = re.compile(r"wake a blocked thread \((\d+) threads\)")
_SIDE, _TRANSFORMED = 256, 512


class Named(NamedTuple):
    """A case and the published run that it belongs to."""

    machine: str
    case: CaseRecord


def named_cases() -> Iterator[Named]:
    """Every published figure, once."""
    yield from _ciphers()
    yield from _volumes()
    yield from _inference()
    yield from _operations()
    yield from _equations()
    yield from _transforms()
    yield from _storage()


def operation_of(operation: str) -> tuple[str, dict[str, Scalar]]:
    """The benchmark and its parameters: the published times of waking grow as the number does."""
    if woken := _WOKEN.fullmatch(operation):
        return "threads.wake.all", {"blocked": int(woken[1])}
    name, parameters = _OPERATIONS[operation]
    return f"threads.{name}", parameters


def _ciphers() -> Iterator[Named]:
    for f in figures.ciphers():
        chain = (_SEQUENTIAL,) if f.processing == "sequential" else ()
        technique, _, place = f.note.rpartition("; ")[::-1]
        clock = f"at {f.ghz:g} GHz"
        for offset, rate, said in (
            (0, f.aligned, (f"{f.cycles_per_byte:g} cycles a byte {clock}",)),
            (1, f.unaligned, (_UNALIGNED, clock)),
        ):
            if rate is None:
                continue
            as_printed = f"printed as {rate / figures.MIB:g} MB/s, which are of 2²⁰ bytes"
            parameters: dict[str, Scalar] = {
                "mode": _MODES[f.processing] if f.in_place else _OUT_OF_PLACE,
                "offset": offset,
                "threads": 1,
            }
            yield Named(
                f.processor,
                _case(
                    f, f"gost.{f.cipher}", parameters, rate, *said, as_printed, *chain, place,
                    _ABOUT_CIPHERS, variant=technique or None,
                ),
            )  # fmt: skip


def _volumes() -> Iterator[Named]:
    """A slice's time: of a volume it is that of any batch, so a case tells no number of slices."""
    for f in figures.volumes():
        slices = SLICES[f.problem]
        computer = f.machine.partition(" ")[0]
        parameters: dict[str, Scalar] = {"problem": f.problem, "threads": f.threads}
        where = in_full(f.machine)
        said = f"{f.seconds:g} s for all {slices} slices by Smart Tomo Engine on {where}"
        case = _case(f, f"tomo.{f.algorithm}", parameters, f.seconds / slices, said)
        yield Named(COMPUTERS.get(computer, computer), case)


def _inference() -> Iterator[Named]:
    for f in figures.inference():
        said = f"one core at {f.clock} GHz; neither precision nor channels are told"
        parameters: dict[str, Scalar] = {"side": _SIDE, "threads": 1}
        yield Named(f.processor, _case(f, "unet.float32", parameters, f.seconds, said))


def _operations() -> Iterator[Named]:
    for f in figures.operations():
        name, parameters = operation_of(f.operation)
        said = f"published as “{f.operation}”"
        yield Named(f.processor, _case(f, name, parameters, f.seconds, said))


def _equations() -> Iterator[Named]:
    for f in figures.equations():
        parameters: dict[str, Scalar] = {"n": f.n}
        plain = f.variant == f"lda={2 * f.n + 1}"
        name = "linpack.plain" if plain else "linpack.lu"
        parameters |= {"lda": "2n+1"} if plain else {"threads": 1}
        yield Named(
            f.machine,
            _case(
                f, name, parameters, (f.low + f.high) / 2,
                f"the middle of what its runs spread over, {f.condition}, double precision",
                variant=f.condition if plain else f"{f.variant}, {f.condition}",
                ends=(f.low, f.high),
            ),
        )  # fmt: skip


def _transforms() -> Iterator[Named]:
    points = _TRANSFORMED**2
    parameters: dict[str, Scalar] = {"rows": _TRANSFORMED, "columns": _TRANSFORMED}
    for f in figures.transforms():
        said = (
            f"{f.seconds * 1e3:g} ms, by 5·N·log2 N operations for N = {points:,}; the precision "
            "is not told"
        )
        rate = 5 * points * math.log2(points) / f.seconds
        case = _case(f, "fft.complex2d", parameters, rate, said, variant=f.library)
        yield Named("elbrus-8cb", case)


def _storage() -> Iterator[Named]:
    """Each figure is a case: IOPS are the metric, all else is further (`stend.comparing.views`).

    A latency grows with the requests that are under way, so one is only of so many of them.
    """
    for f in figures.storage():
        way, block = figures.WORKLOADS[f.workload]
        further = {"bandwidth B/s": f.bandwidth, "latency s": f.latency, "cpu share": f.cpu}
        for column, value in {"": f.iops, **further}.items():
            if value is not None:
                said = "its GB taken as 10^9 bytes" if column.startswith("bandwidth") else ""
                parameters: dict[str, Scalar] = {"block": block}
                if column.startswith("latency"):
                    parameters |= {"depth": f.load.depth, "jobs": f.jobs or f"{f.load.jobs} a LUN"}
                name = f"storage.{way}"
                case = _case(f, name, parameters, value, said, settings(f), column=column)
                yield Named("-".join(filter(None, [f.system, f.kernel])), case)


def settings(f: figures.StorageFigure) -> str:
    """How a figure of storage was measured: `settings of the profile aerodisk-2021: …`."""
    profile, load = read_profile(f.method), f.load
    jobs = f"{load.jobs} jobs of depth {load.depth} on each"
    luns = f"{jobs} of {f.luns} LUNs" if f.luns else f"{jobs} LUN"
    total = f"{f.outstanding:,} requests outstanding, " if f.outstanding else ""
    lasts = f"{total}{duration(profile.seconds)}"
    warm_up = f" after {duration(profile.warm_up)} of warm-up" if profile.warm_up else ""
    return f"settings of the profile {f.method}: {luns}, {lasts}{warm_up}"


def _case(
    of: Cited,
    benchmark: str,
    parameters: dict[str, Scalar],
    value: float,
    *said: str,
    variant: str | None = None,
    ends: tuple[float, float] | tuple[None, None] = (None, None),
    column: str = "",
) -> CaseRecord:
    """`column` is that of a further figure."""
    definition = load()[0][benchmark]
    return CaseRecord(
        benchmark=benchmark,
        question=definition.question,
        parameters=parameters | ({FIGURE: figure_of(column)} if column else {}),
        variant=variant,
        metric=definition.further[column] if column else definition.metric,
        work=Work(),
        status=Status.PUBLISHED,
        published=Published(
            value=value,
            low=ends[0],
            high=ends[1],
            source=of.cited,
            date=of.date,
            note="; ".join(filter(None, said)),
        ),
    )


PREFIX = "published:"
"""What the label of each begins with, and its name where a stored run could be meant as well."""
_NEAR = 4
"""Names that are told where one is not known."""


def names() -> tuple[str, ...]:
    """Every published run, without the prefix, in the order of the data files."""
    return tuple(_cases())


def runs() -> tuple[Run, ...]:
    """All published runs."""
    return tuple(map(run, names()))


def run(name: str) -> Run:
    """The published run of that name, with the prefix or without.

    Its id is derived from the name and stays; `started` is the date of its newest source.

    Raises:
        UnknownName: there is none; the sentence tells names that are like it.
    """
    plain = name.removeprefix(PREFIX).lower()
    if plain not in _cases():
        raise UnknownName(_unknown(plain))
    return _run(plain)


@cache
def _run(name: str) -> Run:
    cases = _cases()[name]
    newest = max(c.published.date for c in cases if c.published)
    at = f"{newest if len(newest) > 4 else f'{newest}-01-01'}T00:00:00Z"
    return Run(
        id=hashlib.blake2s(f"{PREFIX}{name}".encode(), digest_size=16).hexdigest(),
        label=PREFIX + name,
        started=at,
        finished=at,
        stend="",
        machine=machine(name),
        cases=cases,
    )


@cache
def _cases() -> Mapping[str, tuple[CaseRecord, ...]]:
    found: dict[str, list[CaseRecord]] = {}
    for name, case in named_cases():
        found.setdefault(name, []).append(case)
    return {name: tuple(cases) for name, cases in found.items()}


def _unknown(name: str) -> str:
    within = [known for known in names() if name and name in known]
    near = (within or difflib.get_close_matches(name, names(), _NEAR, 0.5) or names())[:_NEAR]
    listed = ", ".join(near)
    return (
        f"No published run is called {printable(name)!r}; there are {listed} and others: "
        "`stend published` lists them."
    )
