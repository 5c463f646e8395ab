"""The figures in the data files, as their sources give them, in SI units."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from stend.storage.fio.profile import read_profile
from stend.storage.fio.workload import Workload


@dataclass(frozen=True, slots=True)
class Source:
    """Where figures were published."""

    cited: str
    """As people cite it."""
    date: str
    """ISO 8601, as far as it is known: `2021-06-17`, or `2015`."""


SOURCES = {
    "golenkov-2015": Source(
        "Golenkov E.A. et al., “The study of multiprocessor systems architecture features, "
        "affecting the efficiency of parallel programs”, Universum: Technical sciences, 2015, "
        "11(22)",
        "2015",
    ),
    "kuzminsky-2002": Source(
        "Kuzminsky M., “Measuring the performance of x86-compatible computers under Linux "
        "(Linpack n=100 and n=1000, STREAM)”, 2002",
        "2002",
    ),
    "habr-gost-on-elbrus-2021": Source(
        "“On the way to the top: Magma and Kuznyechik on Elbrus”, Habr, 17.06.2021", "2021-06-17"
    ),
    "habr-smart-tomo-engine-2020": Source(
        "“Developing and testing Smart Tomo Engine, a tomographic reconstruction program, on "
        "Elbrus platforms”, Habr, 08.10.2020",
        "2020-10-08",
    ),
    "habr-aerodisk-2020": Source(
        "“Elbrus vs Intel: comparing the performance of the storage systems Aerodisk Vostok and "
        "Engine”, Habr, 28.09.2020",
        "2020-09-28",
    ),
    "habr-aerodisk-2021": Source(
        "“Load testing of a storage system on Elbrus with the new Linux kernel 5.4”, Habr, "
        "31.05.2021",
        "2021-05-31",
    ),
}


MIB = float(1 << 20)
"""Bytes of the MB that ciphers.csv is in. The source doesn't say, but gives cycles a byte and the
clock beside: of each of its 23 rows clock / cycles is the rate in such MB, within the rounding of
the cycles, and of none in MB of 10⁶ bytes."""
WORKLOADS = {
    "read-4k-sequential": ("read", 4096),
    "write-4k-sequential": ("write", 4096),
    "read-4k-random": ("randread", 4096),
    "write-4k-random": ("randwrite", 4096),
    "read-128k-sequential": ("read", 131072),
    "write-128k-sequential": ("write", 131072),
}
"""The published name of a workload of storage: the benchmark's last word and a block's bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A figure with its source."""

    source: str

    @property
    def cited(self) -> str:
        """The source, as people cite it."""
        return SOURCES[self.source].cited

    @property
    def date(self) -> str:
        """Of the source."""
        return SOURCES[self.source].date


@dataclass(frozen=True, slots=True, kw_only=True)
class CipherFigure(Cited):
    """How fast one processor encrypted, as published."""

    processor: str
    ghz: float
    cipher: str
    processing: str
    """"parallel": independent blocks; "sequential": each waits for the one before."""
    unaligned: float | None
    """B/s; None where it is not given."""
    aligned: float
    """B/s."""
    cycles_per_byte: float
    """On aligned data."""
    note: str

    @property
    def in_place(self) -> bool:
        """False where messages went from one buffer to another, "through memory"."""
        return "through memory" not in self.note


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeFigure(Cited):
    """How long one machine took to reconstruct a volume, as published."""

    problem: str
    algorithm: str
    """"fbp", "dfr" or "hfbp"."""
    machine: str
    """Its short name, and what is in it: "elbrus-401 (1 x elbrus-4c, 0.8 GHz)"."""
    threads: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFigure(Cited):
    """What one storage system did under one workload of fio, as published; None: not given."""

    system: str
    kernel: str
    """Linux of the system; empty where it is not given."""
    workload: str
    """`read-4k-random`: the way, the block, the order."""
    iops: float | None
    bandwidth: float | None
    """B/s; GB are decimal, which the source does not say."""
    latency: float | None
    """Seconds."""
    cpu: float | None
    """The share of the system's CPU time that was used."""
    method: str
    """The profile of stend that has the settings it was measured with."""
    luns: int | None
    """Targets of fio; None: not given."""

    @property
    def load(self) -> Workload:
        """What each LUN got, of the profile's."""
        way, block = WORKLOADS[self.workload]
        profile = read_profile(self.method)
        return next(each for each in profile.workloads if (each.rw, each.block) == (way, block))

    @property
    def jobs(self) -> int | None:
        """Processes on all LUNs together."""
        return None if self.luns is None else self.load.processes(self.luns)

    @property
    def outstanding(self) -> int | None:
        """Requests under way at once."""
        return None if self.jobs is None else self.load.depth * self.jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceFigure(Cited):
    """How long one core took for an image of 256×256 by U-Net, as published."""

    processor: str
    clock: str
    """GHz, as published: "1.5", or "3.7-4.5"."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFigure(Cited):
    """How long one operation of pthread took, as published."""

    operation: str
    """In the source's words: "create and join one thread"."""
    processor: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationsFigure(Cited):
    """How fast LINPACK ran, as published: what runs spread over, from `low` to `high`."""

    machine: str
    n: int
    variant: str
    """The leading dimension or the library: "lda=201", "atlas-3.4.1"."""
    condition: str
    """"multi-user" or "single-user"."""
    low: float
    """FLOP/s."""
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformFigure(Cited):
    """How long a complex Fourier transform of 512×512 took on an Elbrus-8CB, as published."""

    library: str
    seconds: float


Figure = (
    CipherFigure
    | VolumeFigure
    | StorageFigure
    | InferenceFigure
    | OperationFigure
    | EquationsFigure
    | TransformFigure
)


@cache
def ciphers() -> Sequence[CipherFigure]:
    """All published figures of Kuznyechik and Magma, in the file's order."""
    return [
        CipherFigure(
            processor=row["processor"],
            ghz=float(row["clock_ghz"]),
            cipher=row["cipher"],
            processing=row["processing"],
            unaligned=_scaled(row["unaligned_mb_s"], MIB),
            aligned=float(row["aligned_mb_s"]) * MIB,
            cycles_per_byte=float(row["cycles_per_byte"]),
            note=row["note"],
            source=row["source"],
        )
        for row in rows("ciphers.csv")
    ]


@cache
def volumes() -> Sequence[VolumeFigure]:
    """All published times of tomographic reconstruction, in the file's order."""
    return [
        VolumeFigure(
            problem=row["dataset"],
            algorithm=row["algorithm"],
            machine=row["machine"],
            threads=int(row["threads"]),
            seconds=float(row["seconds"]),
            source=row["source"],
        )
        for row in rows("tomography.csv")
    ]


@cache
def storage() -> Sequence[StorageFigure]:
    """All published figures of storage systems, in the file's order."""
    return [
        StorageFigure(
            system=row["system"],
            kernel=row["kernel"],
            workload=row["workload"],
            iops=_scaled(row["iops"]),
            bandwidth=_scaled(row["bandwidth_gb_s"], 1e9),
            latency=_scaled(row["latency_ms"], over=1e3),
            cpu=_scaled(row["cpu_percent"], over=100),
            method=row["method"],
            luns=int(row["luns"]) if row["luns"] else None,
            source=row["source"],
        )
        for row in rows("storage.csv")
    ]


@cache
def inference() -> Sequence[InferenceFigure]:
    """All published times of U-Net inference, in the file's order."""
    return [
        InferenceFigure(
            processor=row["processor"],
            clock=row["clock_ghz"],
            seconds=float(row["seconds"]),
            source=row["source"],
        )
        for row in rows("unet.csv")
    ]


@cache
def operations() -> Sequence[OperationFigure]:
    """All published times of operations of pthread, an operation after the other."""
    return [
        OperationFigure(
            operation=row["operation"],
            processor=processor,
            seconds=float(seconds),
            source=row["source"],
        )
        for row in rows("threads.csv")
        for processor, seconds in row.items()
        if processor not in ("operation", "source")
    ]


@cache
def equations() -> Sequence[EquationsFigure]:
    """All published rates of LINPACK, in the file's order."""
    return [
        EquationsFigure(
            machine=row["machine"],
            n=int(row["n"]),
            variant=row["variant"],
            condition=row["condition"],
            low=float(row["mflops_low"]) * 1e6,
            high=float(row["mflops_high"]) * 1e6,
            source=row["source"],
        )
        for row in rows("linpack.csv")
    ]


@cache
def transforms() -> Sequence[TransformFigure]:
    """All published times of the Fourier transform, in the file's order."""
    return [
        TransformFigure(
            library=row["library"],
            seconds=float(row["milliseconds"]) / 1e3,
            source=row["source"],
        )
        for row in rows("fft.csv")
    ]


def rows(name: str) -> Iterator[Mapping[str, str]]:
    """The rows of a data file by column, without its comments."""
    text = files("stend.comparing.publications").joinpath(name).read_text(encoding="utf-8")
    yield from csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))


def _scaled(given: str, times: float = 1.0, over: float = 1.0) -> float | None:
    return float(given) * times / over if given else None
