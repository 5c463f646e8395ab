"""One workload: how a target is read and written. A profile has several; each is a case."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from stend.record import Scalar

Rw = Literal["read", "write", "randread", "randwrite", "rw", "randrw"]
"""fio's names: `rand…` anywhere in the region, else one block after another."""


OVERLAP = "overlap"
"""`clones` of a sequential workload that all go over the same region."""
JobsPer = Literal["all", "target"]

_SAME_LOAD = frozenset(
    {"block", "depth", "jobs", "target", "size", "file", "folder", "path", "engine", "clones"}
    | {"figure"}
)
"""Parameters that leave a load what its pattern, block and outstanding requests make it."""


def alters(parameters: Mapping[str, Scalar]) -> bool:
    """Whether something else changes the load: a limit, another distribution, no device at all."""
    return parameters.get("target") == "null" or not parameters.keys() <= _SAME_LOAD


@dataclass(frozen=True, slots=True)
class Workload:
    """What fio's jobs are to do, under fio's terms where it has them.

    Each process keeps `depth` requests of `block` bytes under way.
    """

    name: str
    rw: Rw
    block: int
    """Bytes."""
    depth: int = 1
    jobs: int = 1
    jobs_per: JobsPer = "all"
    """Of what `jobs` are: of all targets, which are shared out over them, or of each target, as fio
    itself clones the jobs of a section. Sequential ones then all go over the same region."""
    engine: str = "libaio"
    direct: bool = True
    """O_DIRECT: past the page cache."""
    size: str = "100%"
    """How much of each target, from its beginning: "80%", or bytes ("1073741824")."""
    read_percent: int | None = None
    """Of `rw` and `randrw`: how many of a hundred requests read."""
    load: int | None = None
    """Percent of the IOPS that the same workload reaches without a limit; None: no limit."""
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Further options of fio, by their names."""

    @property
    def benchmark(self) -> str:
        """The benchmark's name in records: "storage.randread"."""
        return f"storage.{self.rw}"

    @property
    def reads(self) -> bool:
        """Whether any request reads, so that what is read must have been written before."""
        return self.rw not in ("write", "randwrite")

    @property
    def writes(self) -> bool:
        """Whether any request writes: the target's data is destroyed."""
        return self.rw not in ("read", "randread")

    @property
    def random(self) -> bool:
        """Whether requests go anywhere in the region."""
        return self.rw.startswith("rand")

    @property
    def overlaps(self) -> bool:
        """Whether several jobs go over the same blocks one after another."""
        return self.jobs_per == "target" and self.jobs > 1 and not self.random

    def processes(self, targets: int) -> int:
        """How many jobs there are on so many targets."""
        return self.jobs * targets if self.jobs_per == "target" else self.jobs

    def parameters(self, kind: str, targets: int = 1) -> dict[str, Scalar]:
        """Give the parameters of the case, on targets of this kind ("file", "block device").

        What is as usual is left out: libaio, O_DIRECT, the whole target. Where `jobs` are of each
        target, those of all targets are told, as these are what the storage gets.
        """
        unusual: dict[str, Scalar | None] = {
            "read_percent": self.read_percent,
            "load": self.load,
            "engine": None if self.engine == "libaio" else self.engine,
            "direct": None if self.direct else 0,
            "size": None if self.size == "100%" else self.size,
            "clones": OVERLAP if self.overlaps else None,
            **self.options,
        }
        return {
            "block": self.block,
            "depth": self.depth,
            "jobs": self.processes(targets),
            "target": kind,
            **{name: value for name, value in unusual.items() if value is not None},
        }
