"""Published machines: what their sources say of them; all else is unknown."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from stend.comparing.publications.figures import rows
from stend.record import Cache, Machine

_SOCKETS = {
    # of a node, as processors.csv says beside its memory
    "opteron-6164he": ("opteron-6164he", 4),
    "opteron-6174": ("opteron-6174", 4),
    "xeon-l5609": ("xeon-l5609", 2),
    # in the name of the computer, in tomography.csv
    "elbrus-804": ("elbrus-8c", 4),
    # at the head of storage.csv
    "vostok-elbrus-8c-4.19": ("elbrus-8c", 2),
    "vostok-elbrus-8c-5.4": ("elbrus-8c", 2),
    "engine-n2-xeon-e5-2603v4": ("xeon-e5-2603v4", 2),
}
"""Of a machine of several: which processor, and how many of it."""
_NAMED = {"athlon-700": "AMD Athlon 700", "athlon-xp-1800+": "AMD Athlon XP 1800+"}
"""Of which the data files tell the name only."""
_COMPUTERS = {
    "elbrus-401": "Elbrus-401",
    "elbrus-801cb": "Elbrus-801CB",
    "elbrus-804": "Elbrus-804",
    "vostok-elbrus-8c": "Vostok, Elbrus-8C",
    "engine-n2-xeon-e5-2603v4": "Engine N2, Xeon E5-2603 v4",
}
"""Machines that are named otherwise than their processor."""
_KIB = 1 << 10
_OF_A_CORE: tuple[tuple[int, Literal["data", "instruction", "unified"], str], ...] = (
    (1, "data", "l1d_kib_per_core"),
    (1, "instruction", "l1i_kib_per_core"),
)
"""Level and kind of a cache, and the column that its size is in."""
_OF_A_PROCESSOR = ((2, "l2_kib", _KIB, "l2_count"), (3, "l3_mib", _KIB**2, "l3_count"))
"""Level of a cache, the column of its size, in what unit, and that of how many there are."""


def machine(name: str) -> Machine:
    """What is known of a published machine: processor, cores, caches, memory."""
    if name in _NAMED:
        return Machine(cpu_model=_NAMED[name])
    processor, packages = _SOCKETS.get(name, (name, None))
    known = _processors()[processor]
    cores = int(known["cores"]) * (packages or 1) if known["cores"] else None
    return Machine(
        architecture=known["architecture"].replace("x86-64", "x86_64"),
        cpu_model=known["name"],
        packages=packages,
        cores=cores,
        caches=_caches(known, cores, packages),
        memory_modules=known["memory"] or None if processor == name else None,
        kernel=name.rpartition("-")[2] if name.startswith("vostok-") else None,
    )


def in_full(words: str) -> str:
    """Words of a source with the names that people know: `Elbrus-2C3` for elbrus-2c3."""
    names = _full_names()
    longest_first = sorted(names, key=len, reverse=True)
    short = re.compile("|".join(map(re.escape, longest_first)))
    return short.sub(lambda found: names[found[0]], words).replace(" x ", " × ")


@cache
def _full_names() -> Mapping[str, str]:
    return {name: row["name"] for name, row in _processors().items()} | _NAMED | _COMPUTERS


def year(name: str) -> int | None:
    """The year the processor came out, where it is given."""
    processor = _SOCKETS.get(name, (name, None))[0]
    found = _processors().get(processor, {}).get("year")
    return int(found) if found else None


@cache
def _processors() -> Mapping[str, Mapping[str, str]]:
    return {row["id"]: row for row in rows("processors.csv")}


def _caches(known: Mapping[str, str], cores: int | None, packages: int | None) -> tuple[Cache, ...]:
    """Where a source tells of the third level only its size, that is of a whole processor."""
    a_core = (
        Cache(level=level, kind=kind, bytes=int(known[column]) * _KIB, count=cores)
        for level, kind, column in _OF_A_CORE
        if known[column]
    )
    shared = (
        Cache(
            level=level,
            kind="unified",
            bytes=int(known[size]) * unit,
            count=int(known[count]) * (packages or 1) if known[count] else packages,
        )
        for level, size, unit, count in _OF_A_PROCESSOR
        if known[size]
    )
    return (*a_core, *shared)
