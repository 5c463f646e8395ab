"""The name of a published machine → what its sources tell of it; all else is unknown."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from stend.published.figures import rows
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
}
"""Of a machine of several: which processor, and how many of it."""
_STORAGE = "engine-n2-xeon-e5-2603v4"
"""Its source doesn't tell how many processors it has."""
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
    (2, "unified", "l2_kib_per_core"),
)
"""Level and kind of a cache, and the column that its size is in."""


def machine(name: str) -> Machine:
    """What is known of a published machine: processor, cores, caches, memory."""
    if name in _NAMED:
        return Machine(cpu_model=_NAMED[name])
    if name == _STORAGE:
        return Machine(cpu_model=_processors()["xeon-e5-2603v4"]["name"], architecture="x86_64")
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
    told = _processors().get(processor, {}).get("year")
    return int(told) if told else None


@cache
def _processors() -> Mapping[str, Mapping[str, str]]:
    return {row["id"]: row for row in rows("processors.csv")}


def _caches(known: Mapping[str, str], cores: int | None, packages: int | None) -> tuple[Cache, ...]:
    """The third level is of a whole processor, whose parts are not told."""
    a_core = (
        Cache(level=level, kind=kind, bytes=int(known[column]) * _KIB, count=cores)
        for level, kind, column in _OF_A_CORE
        if known[column]
    )
    third = known["l3_mib"]
    shared = (
        Cache(level=3, kind="unified", bytes=int(third) * _KIB**2, count=packages)
        if third
        else None
    )
    return (*a_core, *([shared] if shared else []))
