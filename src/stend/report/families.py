"""A run's figures → a part of the page for each family of benchmarks: its figures and charts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stend.record import CaseRecord, family_of
from stend.report.charts import draw, loads
from stend.report.charts.chart import Chart
from stend.report.measured import Limits
from stend.report.views import Table
from stend.report.workloads import FAMILY as STORAGE

_ABOUT: Mapping[str, tuple[str, str]] = {
    "peak": ("Peak", "How many operations a second the processor can do at all, in registers."),
    "linpack": ("LINPACK", "How fast systems of linear equations are solved, by libraries, by our "
                "own code and by plain loops."),
    "fft": ("Fourier transform", "How fast a two-dimensional complex transform is made."),
    "noise": ("Noise", "What the operating system and the hypervisor take from a core, and how "
              "often."),
    "stream": ("STREAM", "How many bytes a second memory streams through simple loops."),
    "memory": ("Memory", "How long a load takes and how many bytes a second move, by how much "
               "memory is worked on."),
    "numa": ("Memory nodes", "What memory costs that belongs to another node."),
    "cores": ("Cores", "How long one core takes to see what another one wrote."),
    "threads": ("Threads", "What threads cost: to make, to wake, to lock, to wait for each other."),
    "gost": ("GOST ciphers", "How many bytes a second Kuznyechik and Magma encrypt."),
    "tomo": ("Tomography", "How long the reconstruction of a slice takes, and how far it is from "
             "the truth."),
    "unet": ("U-Net", "How long a neural network takes for an image."),
    "mpi": ("Messages", "How long messages between processes take, and how many bytes a second "
            "they carry."),
    STORAGE: ("Storage", "What files or devices do under load, and what it costs the CPU."),
    "clock": ("Clocks", "How fine and how dear the clocks are that all of this is measured by."),
    "time": ("Programs", "How long whole programs run."),
}  # fmt: skip
"""Family → its heading and what it measures, in the order of the page."""
_TAKEN = {
    "card",
    "limits",
    "roofline",
    "watched",
    "conditions",
    "machine",
    "again",
    "chart",
    "literature",
}
"""Ids of other parts of the page."""
_PLAIN = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One family in the page."""

    family: str
    id: str
    title: str
    says: str
    """One sentence; empty of a family that isn't ours: its benchmarks have their questions."""
    tables: tuple[Table, ...]
    charts: tuple[tuple[str, Chart], ...]
    """Each with its id in the page."""

    @property
    def count(self) -> int:
        """Its figures."""
        return sum(len(table.rows) for table in self.tables)


def parts(
    cases: Sequence[CaseRecord], tables: Sequence[Table], bounds: Limits, prefix: str
) -> tuple[Part, ...]:
    """Every family that has a figure or a chart; ids begin with `prefix`, "run-0-"."""
    of: dict[str, list[Table]] = {}
    for table in tables:
        of.setdefault(family_of(table.benchmark), []).append(table)
    bad = loads.ended_badly(cases)
    if bad:
        of.setdefault(STORAGE, [])
    numbered = _numbered(prefix)
    found: list[Part] = []
    for name in sorted(of, key=_place):
        measured = [row.measured for table in of[name] for row in table.rows]
        charts = draw(measured, bounds) + (bad if name == STORAGE else [])
        title, says = _ABOUT.get(name, (name, ""))
        id = _id(name, prefix, len(found))
        named = tuple((next(numbered), chart) for chart in charts)
        found.append(Part(name, id, title, says, tuple(of[name]), named))
    return tuple(found)


def _numbered(prefix: str) -> Iterator[str]:
    n = 0
    while True:
        yield f"{prefix}chart-{n}"
        n += 1


def _place(name: str) -> int:
    """Families that are not ours stand behind all others, in the order they were met."""
    names = list(_ABOUT)
    return names.index(name) if name in _ABOUT else len(names)


def _id(name: str, prefix: str, place: int) -> str:
    """A name of a record may be anything; an id must be one word, and no other part's."""
    plain = _PLAIN.fullmatch(name) and name not in _TAKEN
    return f"{prefix}{name}" if plain else f"{prefix}family-{place}"
