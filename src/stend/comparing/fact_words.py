"""A fact of a machine → the words in which it is compared and read.

Two facts that read the same are the same: memory that a new kernel counts a page less of has not
changed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from stend.record import Cache, Disk, Machine, NumaNode

UNKNOWN = "unknown"


def fact_in_words(machine: Machine, field: str) -> str:
    """One of its facts, without what changes from minute to minute; "unknown" where unreadable."""
    value = getattr(machine, field)
    return _SAID[field](value) if value is not None and field in _SAID else words(value)


def words(value: Any) -> str:
    """Any value; None is unknown."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(words, value)) or "none"
    return str(value)


def _size(count: int) -> str:
    """Four digits: `256 KiB`, `15.62 GiB`."""
    for exponent, prefix in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.4g} {prefix}"
    return f"{count} B"


def _ranges(cpus: Iterable[int]) -> str:
    """`0–3, 8`."""
    numbered = enumerate(sorted(set(cpus)))
    runs = [[cpu for _, cpu in group] for _, group in groupby(numbered, lambda x: x[1] - x[0])]
    said = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return ", ".join(said) or "none"


def _caches(caches: Sequence[Cache]) -> str:
    """`2 × L1d 48 KiB, L3 256 MiB`."""
    return ", ".join(map(_cache, caches)) or "none"


def _cache(cache: Cache) -> str:
    kind = {"data": "d", "instruction": "i"}.get(cache.kind, "")
    many = f"{cache.count} × " if cache.count and cache.count > 1 else ""
    ways = f", {cache.ways} ways" if cache.ways else ""
    return f"{many}L{cache.level}{kind} {_size(cache.bytes)}{ways}"


def _nodes(nodes: Sequence[NumaNode]) -> str:
    return "; ".join(map(_node, nodes)) or "none"


def _node(node: NumaNode) -> str:
    there = UNKNOWN if node.bytes is None else _size(node.bytes)
    return f"node {node.index}: {there}, CPUs {_ranges(node.cpus)}, {words(node.distances)} far"


def _sockets(sockets: Sequence[Sequence[Sequence[int]]]) -> str:
    return "; ".join(map(_socket, sockets)) or "none"


def _socket(cores: Sequence[Sequence[int]]) -> str:
    """`2 cores (0+2, 1+3)`: which threads share one, where some do."""
    shared = ["+".join(map(str, core)) for core in cores if len(core) > 1]
    return f"{len(cores)} cores" + (f" ({', '.join(shared)})" if shared else "")


def _disks(disks: Sequence[Disk]) -> str:
    return ", ".join(map(_disk, disks)) or "none"


def _disk(disk: Disk) -> str:
    turns = None if disk.rotational is None else "rotating" if disk.rotational else "solid"
    size = None if disk.bytes is None else _size(disk.bytes)
    scheduler = f"scheduler {disk.scheduler}" if disk.scheduler else None
    return " ".join(filter(None, [disk.name, size, disk.model, turns, scheduler]))


_SAID: Mapping[str, Callable[[Any], str]] = {
    "usable": _ranges,
    "caches": _caches,
    "numa": _nodes,
    "sockets": _sockets,
    "disks": _disks,
    "memory_bytes": _size,
    "memory_limit": _size,
    "page_bytes": _size,
    "memory_bandwidth": lambda value: f"{value / 1e9:.4g} GB/s",
}
