"""Figures that the literature gives, to set a measured machine beside; each file names its source.

`ciphers.csv`: one core, ECB, about 1 GB without a change of the key. `tomography.csv`: whole
volumes, on one thread and on as many as it says. `storage.csv`: six workloads of fio on storage
systems. `unet.csv`: U-Net inference on one core.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SOURCES = {
    "habr-gost-on-elbrus-2021": "“On the way to the top: Magma and Kuznyechik on Elbrus”, Habr, "
    "17.06.2021",
    "habr-smart-tomo-engine-2020": "“Developing and testing Smart Tomo Engine, a tomographic "
    "reconstruction program, on Elbrus platforms”, Habr, 08.10.2020",
    "habr-aerodisk-2020": "“Elbrus vs Intel: comparing the performance of the storage systems "
    "Aerodisk Vostok and Engine”, Habr, 28.09.2020",
    "habr-aerodisk-2021": "“Load testing of a storage system on Elbrus with the new Linux kernel "
    "5.4”, Habr, 31.05.2021",
}
"""What the files' short names of sources stand for."""


@dataclass(frozen=True, slots=True)
class CipherFigure:
    """How fast one processor encrypted, as published."""

    processor: str
    ghz: float
    cipher: str
    processing: str
    """"parallel": independent blocks; "sequential": each waits for the one before."""
    cycles_per_byte: float
    note: str
    source: str

    @property
    def cited(self) -> str:
        """The source, as people cite it."""
        return SOURCES[self.source]


@dataclass(frozen=True, slots=True)
class VolumeFigure:
    """How long one machine took to reconstruct a volume, as published."""

    problem: str
    algorithm: str
    """"fbp", "dfr" or "hfbp"."""
    machine: str
    """Its short name, and what is in it: "elbrus-401 (1 x elbrus-4c, 0.8 GHz)"."""
    threads: int
    seconds: float
    source: str

    @property
    def cited(self) -> str:
        """The source, as people cite it."""
        return SOURCES[self.source]


@dataclass(frozen=True, slots=True)
class StorageFigure:
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
    source: str

    @property
    def cited(self) -> str:
        """The source, as people cite it."""
        return SOURCES[self.source]


@dataclass(frozen=True, slots=True)
class InferenceFigure:
    """How long one core took for an image of 256×256 by U-Net, as published."""

    processor: str
    clock: str
    """GHz, as published: "1.5", or "3.7-4.5"."""
    seconds: float
    source: str

    @property
    def cited(self) -> str:
        """The source, as people cite it."""
        return SOURCES[self.source]


Figure = CipherFigure | VolumeFigure | StorageFigure | InferenceFigure


@cache
def ciphers() -> Sequence[CipherFigure]:
    """All published figures of Kuznyechik and Magma, in the file's order."""
    return [
        CipherFigure(
            row["processor"],
            float(row["clock_ghz"]),
            row["cipher"],
            row["processing"],
            float(row["cycles_per_byte"]),
            row["note"],
            row["source"],
        )
        for row in _rows("ciphers.csv")
    ]


@cache
def volumes() -> Sequence[VolumeFigure]:
    """All published times of tomographic reconstruction, in the file's order."""
    return [
        VolumeFigure(
            row["dataset"],
            row["algorithm"],
            row["machine"],
            int(row["threads"]),
            float(row["seconds"]),
            row["source"],
        )
        for row in _rows("tomography.csv")
    ]


@cache
def storage() -> Sequence[StorageFigure]:
    """All published figures of storage systems, in the file's order."""
    return [
        StorageFigure(
            row["system"],
            row["kernel"],
            row["workload"],
            _scaled(row["iops"], 1.0),
            _scaled(row["bandwidth_gb_s"], 1e9),
            _scaled(row["latency_ms"], 1e-3),
            _scaled(row["cpu_percent"], 0.01),
            row["source"],
        )
        for row in _rows("storage.csv")
    ]


@cache
def inference() -> Sequence[InferenceFigure]:
    """All published times of U-Net inference, in the file's order."""
    return [
        InferenceFigure(row["processor"], row["clock_ghz"], float(row["seconds"]), row["source"])
        for row in _rows("unet.csv")
    ]


def _scaled(given: str, by: float) -> float | None:
    return float(given) * by if given else None


def _rows(name: str) -> Iterator[Mapping[str, str]]:
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    yield from csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
