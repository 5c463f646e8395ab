"""Workloads: how a target is read and written, from tables of TOML, one a case."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args

from stend.record import Scalar
from stend.storage.fio.options import read_options
from stend.storage.fio.schema import (
    Kind,
    Place,
    Table,
    in_bytes,
    listed,
    matching,
    shown,
    size,
    truth,
    whole,
    word,
)

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


T = TypeVar("T")

MOST = 1000
"""Workloads of a profile, expanded."""
ENGINES = ("libaio", "io_uring", "psync")
SECTOR = 512
"""Bytes: what a direct request is a multiple of, at least."""

_NAME = matching(
    r"(?!global)[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
    "a name of at most 64 letters, digits, dots, dashes and underscores that doesn't begin with "
    '"global", as the section does that sets defaults for all jobs',
)
_BLOCK = size(SECTOR, 1 << 30, SECTOR)
_PERCENT = matching(r"(?:[1-9][0-9]?|100)%", "a share")
_BYTES = size(SECTOR, 1 << 50, SECTOR)
_SIZE: Kind[str] = Kind(
    f'a share like "80%", or {_BYTES.allowed}',
    lambda x: _PERCENT.take(x) or (str(taken) if (taken := _BYTES.take(x)) else None),
)
_RW: Kind[Rw] = word(get_args(Rw))
_JOBS_PER: Kind[JobsPer] = word(get_args(JobsPer))

_SHARED = ("block", "depth", "jobs", "jobs_per", "engine", "direct", "size", "read_percent", "fio")
"""What `defaults` may set."""
_KEYS = ("name", "rw", "load", *_SHARED)
_FIOS = {
    "bs": "block",
    "blocksize": "block",
    "iodepth": "depth",
    "numjobs": "jobs",
    "ioengine": "engine",
    "rwmixread": "read_percent",
    "readwrite": "rw",
    "rate_iops": "load",
    "buffered": "direct",
}
"""fio's names of these keys."""


def read_workloads(place: Place, profile: Table) -> tuple[Workload, ...]:
    """Expand the profile's workloads, in its order; each differs from all others.

    Raises:
        BadValue: a key or a value is wrong, two are the same, or there are too many.
    """
    tables = profile.values.get("workload")
    if not isinstance(tables, list) or not tables:
        seen = "is missing" if tables is None else f"is {shown(tables)}"
        raise (place / "workload").refused(f"{seen}; give each workload a table [[workload]]")
    defaults = (place / "defaults").table(profile.values.get("defaults", {}), _SHARED, _FIOS)
    found: list[tuple[Place, Workload]] = []
    for number, table in enumerate(tables, 1):
        at = Place(place.file, f"workload[{number}]")
        expanded = _expanded(at.table(table, _KEYS, _FIOS), defaults, MOST - len(found))
        found += ((at, each) for each in expanded)
    _refuse_twins(found)
    return tuple(workload for _, workload in found)


def _expanded(table: Table, defaults: Table, room: int) -> Iterator[Workload]:
    """One workload for each combination of what is a list."""
    one = _single(table, defaults)
    blocks = _first(table, defaults, "block").need("block", listed(_BLOCK))
    depths = _either(table, defaults, "depth", listed(whole(1, 65536)), (1,))
    jobs = _either(table, defaults, "jobs", listed(whole(1, 4096)), (1,))
    # the 100% that loads are shares of has to be known before them
    loads = (None, *table.get("load", listed(whole(1, 100)), ()))
    swept = {"block": blocks, "depth": depths, "jobs": jobs, "load": loads}
    count = math.prod(map(len, swept.values()))
    if count > room:
        raise table.place.refused(
            f"makes {count:,} workloads, and a profile has at most {MOST:,}; shorten its lists"
        )
    several = [key for key, values in swept.items() if len(values) > 1]
    for values in itertools.product(*swept.values()):
        chosen = dict(zip(swept, values, strict=True))
        suffix = "".join(_suffix(key, chosen[key]) for key in several)
        workload = replace(one, name=one.name + suffix, **chosen)  # type: ignore[arg-type]
        _refuse_waiting(table.place, workload)
        yield workload


def _single(table: Table, defaults: Table) -> Workload:
    """What its workloads have in common."""
    rw = table.need("rw", _RW)
    engine = _either(table, defaults, "engine", word(ENGINES), "libaio")
    return Workload(
        name=table.need("name", _NAME),
        rw=rw,
        block=SECTOR,
        jobs_per=_either(table, defaults, "jobs_per", _JOBS_PER, "all"),
        engine=engine,
        direct=_either(table, defaults, "direct", truth, True),
        size=_either(table, defaults, "size", _SIZE, "100%"),
        read_percent=_read_percent(table, defaults, rw),
        options=_options(defaults, engine) | _options(table, engine),
    )


def _first(table: Table, defaults: Table, key: str) -> Table:
    """The table that says it: the workload's own, unless only the defaults have the key."""
    return table if key in table.values or key not in defaults.values else defaults


def _either(table: Table, defaults: Table, key: str, kind: Kind[T], usual: T) -> T:
    return _first(table, defaults, key).get(key, kind, usual)


def _read_percent(table: Table, defaults: Table, rw: str) -> int | None:
    if rw in ("rw", "randrw"):
        return _either(table, defaults, "read_percent", whole(1, 99), 50)
    if "read_percent" in table.values:
        raise (table.place / "read_percent").refused(
            f'is for "rw" and "randrw", and rw is {shown(rw)}; leave it out'
        )
    return None


def _options(table: Table, engine: str) -> dict[str, str]:
    return read_options(table.place / "fio", table.values.get("fio", {}), engine)


def _suffix(key: str, value: int | None) -> str:
    if value is None:
        return ""
    return f"-{in_bytes(value)}" if key == "block" else f"-{key}-{value}"


def _refuse_waiting(place: Place, workload: Workload) -> None:
    """Refuse a depth that fio takes without a word, and the engine does not keep."""
    if workload.depth == 1:
        return
    if workload.engine == "psync":
        why = 'engine "psync" waits for each request; give depth = 1, or engine = "io_uring"'
    elif workload.engine == "libaio" and not workload.direct:
        why = (
            'engine "libaio" waits for each request unless direct = true; give engine = "io_uring"'
        )
    else:
        return
    raise (place / "depth").refused(f"is {workload.depth}, but {why}")


def _refuse_twins(found: Sequence[tuple[Place, Workload]]) -> None:
    """Two of one name can't be told apart in the report, two of one case not in the store."""
    names: dict[str, Workload] = {}
    cases: dict[object, Workload] = {}
    for place, each in found:
        if names.setdefault(each.name, each) is not each:
            raise (place / "name").refused(f"is {shown(each.name)} for the second time; rename one")
        case = each.rw, tuple(sorted(each.parameters("").items()))
        first = cases.setdefault(case, each)
        if first is not each:
            raise place.refused(f"{shown(each.name)} is the same workload as {shown(first.name)}")
