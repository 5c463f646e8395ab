"""Packages, cores, caches and NUMA nodes by /sys/devices/system, where hwloc has none."""

import re
from collections import Counter
from typing import Literal

from stend.machine import processor
from stend.machine.tree import Tree, Unreadable, integer, known
from stend.record import Cache, NumaNode

CPU = "/sys/devices/system/cpu"
NODE = "/sys/devices/system/node"

SOCKET = ("package_cpus_", "core_siblings_")
CORE = ("core_cpus_", "thread_siblings_")
"""How the files begin that list the CPUs of a socket and of a core; since and before Linux 5.3."""

Kind = Literal["data", "instruction", "unified"]
_KINDS: dict[str, Kind] = {"data": "data", "instruction": "instruction", "unified": "unified"}

Shape = tuple[int, Kind, int, int | None, int | None, int | None]
"""Level, kind, bytes, bytes a line, ways, hardware threads that share it."""


def online(tree: Tree) -> tuple[int, ...]:
    """Hardware threads that are switched on."""
    return known(tree.cpus, f"{CPU}/online") or processor.listed(tree)


class SysfsTopology:
    """The machine's shape as the kernel's files tell it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def packages(self) -> int:
        """Sockets."""
        return self._groups((*_lists(SOCKET), "physical_package_id"))

    def cores(self) -> int:
        """Physical cores that have a hardware thread switched on."""
        return self._groups(_lists(CORE))

    def caches(self) -> tuple[Cache, ...]:
        """Every shape of cache, with how many of it there are."""
        found = self._sysfs_caches() or _cpuinfo_caches(self._tree)
        if not found:
            raise Unreadable(f"{CPU}/cpu*/cache and /proc/cpuinfo describe no cache")
        return tuple(_cache(shape, count) for shape, count in sorted(found.items(), key=_order))

    def numa(self) -> tuple[NumaNode, ...]:
        """The memory nodes."""
        nodes = known(self._tree.cpus, f"{NODE}/online") or _numbered(self._tree, NODE, "node")
        return tuple(self._node(index) for index in nodes)

    def _groups(self, names: tuple[str, ...]) -> int:
        reason: Unreadable | None = None
        for name in names:
            try:
                return len({self._tree.line(self._topology(c, name)) for c in online(self._tree)})
            except Unreadable as why:
                reason = reason or why
        assert reason is not None
        raise reason

    def _topology(self, cpu: int, name: str) -> str:
        return f"{CPU}/cpu{cpu}/topology/{name}"

    def _sysfs_caches(self) -> Counter[Shape]:
        seen: set[tuple[str, str, tuple[int, ...]]] = set()
        count: Counter[Shape] = Counter()
        for cpu in online(self._tree):
            for index in known(_numbered, self._tree, f"{CPU}/cpu{cpu}/cache", "index") or ():
                folder = f"{CPU}/cpu{cpu}/cache/index{index}"
                identity = known(self._identity, folder)
                if identity and identity not in seen:
                    seen.add(identity)
                    if shape := known(self._shape, folder):
                        count[shape] += 1
        return count

    def _identity(self, folder: str) -> tuple[str, str, tuple[int, ...]]:
        """Two CPUs that have these in common see the same cache."""
        level, kind = (self._tree.line(f"{folder}/{name}") for name in ("level", "type"))
        return level, kind, self._tree.cpus_of(f"{folder}/shared_cpu_")

    def _shape(self, folder: str) -> Shape:
        return (
            self._tree.integer(f"{folder}/level"),
            _kind(self._tree.line(f"{folder}/type"), folder),
            _kilobytes(self._tree.line(f"{folder}/size"), folder),
            self._positive(f"{folder}/coherency_line_size"),
            self._positive(f"{folder}/ways_of_associativity"),
            len(self._tree.cpus_of(f"{folder}/shared_cpu_")),
        )

    def _positive(self, path: str) -> int | None:
        """A number above 0; the kernel writes 0 where the processor tells none."""
        found = known(self._tree.integer, path)
        return found if found and found > 0 else None

    def _node(self, index: int) -> NumaNode:
        folder = f"{NODE}/node{index}"
        return NumaNode(
            index=index,
            bytes=known(_node_bytes, self._tree, folder),
            # The list of a node of memory alone is blank.
            cpus=known(self._tree.cpus_of, f"{folder}/cpu") or (),
            distances=known(_distances, self._tree, folder) or (),
        )


def _lists(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}list" for name in names)


def _cpuinfo_caches(tree: Tree) -> Counter[Shape]:
    """Elbrus and s390 list them in /proc/cpuinfo: `cache0 : level=1 type=Data size=64K …`.

    Their `scope` can't be trusted for sharing: Elbrus calls its common level 3 private.
    """
    blocks = known(processor.cpuinfo, tree) or []
    block = next((b for b in blocks if "cache0" in b), {})
    texts = [text for name, text in block.items() if re.fullmatch(r"cache\d+", name)]
    return Counter(shape for text in texts if (shape := known(_described, text)))


def _described(text: str) -> Shape:
    words = dict(word.split("=", 1) for word in text.split() if "=" in word)
    return (
        integer(words.get("level", ""), "level"),
        _kind(words.get("type", ""), "type"),
        _kilobytes(words.get("size", ""), "size"),
        integer(words.get("line_size", ""), "line_size"),
        integer(words.get("associativity", ""), "associativity"),
        None,
    )


def _cache(shape: Shape, count: int) -> Cache:
    level, kind, size, line, ways, shared = shape
    return Cache(
        level=level,
        kind=kind,
        bytes=size,
        line_bytes=line,
        ways=ways,
        shared_by=shared,
        count=count if shared else None,
    )


def _order(item: tuple[Shape, int]) -> tuple[int, str, int]:
    level, kind, size, *_ = item[0]
    return level, kind, -size


def _kind(text: str, where: str) -> Kind:
    if text.lower() not in _KINDS:
        raise Unreadable(f"{where} holds {text!r}, not a kind of cache")
    return _KINDS[text.lower()]


def _kilobytes(text: str, where: str) -> int:
    """`64K` is 65536 bytes."""
    unit = {"K": 1 << 10, "M": 1 << 20}.get(text[-1:])
    if unit is None:
        raise Unreadable(f"{where} holds no size like 64K")
    return integer(text[:-1], where) * unit


def _numbered(tree: Tree, folder: str, prefix: str) -> tuple[int, ...]:
    matches = (re.fullmatch(rf"{prefix}(\d{{1,5}})", name) for name in tree.names(folder))
    found = tuple(sorted(int(match[1]) for match in matches if match))
    if not found:
        raise Unreadable(f"{folder} holds no {prefix}")
    return found


def _node_bytes(tree: Tree, folder: str) -> int | None:
    match = re.search(r"MemTotal:\s+(\d{1,15}) kB", tree.text(f"{folder}/meminfo"))
    return int(match[1]) << 10 if match else None


def _distances(tree: Tree, folder: str) -> tuple[int, ...]:
    path = f"{folder}/distance"
    return tuple(integer(word, path) for word in tree.line(path).split())
