"""Packages, cores, caches and NUMA nodes by hwloc's XML (format of hwloc 2.x)."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from typing import Literal

from msgspec.structs import replace

from stend.errors import SetupError
from stend.machine.tree import Unreadable, cpu_mask, known
from stend.record import Cache, NumaNode

_KINDS: dict[str, Literal["data", "instruction", "unified"]] = {
    "0": "unified",
    "1": "data",
    "2": "instruction",
}
"""hwloc_obj_cache_type_t."""

_CACHE = re.compile(r"L\di?Cache")
"""hwloc's other type with a size, MemCache, is memory that caches slower memory."""

LATENCY = "NUMALatency"
"""The name of the distances that come from the firmware's SLIT table."""


def exported() -> str:
    """This machine as hwloc exports it; Unreadable says what is missing for that."""
    try:
        from stend.native import Unavailable, topology
    except SetupError as error:
        raise Unreadable(str(error)) from None
    try:
        return topology.xml()
    except Unavailable as reason:
        raise Unreadable(str(reason).rstrip(".")) from None


class HwlocTopology:
    """The machine's shape as hwloc tells it; raises Unreadable if `xml` is not hwloc's."""

    def __init__(self, xml: str) -> None:
        try:
            self._root = ElementTree.fromstring(xml)
        except (ElementTree.ParseError, ValueError) as error:
            raise Unreadable(f"hwloc's XML can't be parsed: {error}") from None
        self._objects = list(self._root.iter("object"))
        if not self._of("PU"):
            raise Unreadable("hwloc's XML lists no processing unit")

    def version(self) -> str:
        """Of the hwloc that wrote the XML."""
        for info in self._root.iter("info"):
            if info.get("name") == "hwlocVersion":
                return info.get("value", "")
        raise Unreadable("hwloc's XML does not tell its version")

    def threads(self) -> int:
        """Hardware threads that hwloc sees."""
        return len(self._of("PU"))

    def packages(self) -> int:
        """Sockets."""
        return self._count("Package")

    def cores(self) -> int:
        """Physical cores."""
        return self._count("Core")

    def caches(self) -> tuple[Cache, ...]:
        """Every shape of cache, with how many of it there are."""
        found: Counter[Cache] = Counter()
        for item in self._objects:
            if _CACHE.fullmatch(item.get("type", "")) and (cache := _cache(item)):
                found[cache] += 1
        if not found:
            raise Unreadable("hwloc's XML lists no cache")
        return tuple(replace(c, count=found[c]) for c in sorted(found, key=_order))

    def numa(self) -> tuple[NumaNode, ...]:
        """The memory nodes."""
        distances = self._distances()
        found = [_node(node, distances) for node in self._of("NUMANode")]
        if not found:
            raise Unreadable("hwloc's XML lists no NUMA node")
        return tuple(sorted(found, key=lambda node: node.index))

    def _of(self, kind: str) -> list[ElementTree.Element]:
        return [item for item in self._objects if item.get("type") == kind]

    def _count(self, kind: str) -> int:
        found = len(self._of(kind))
        if not found:
            raise Unreadable(f"hwloc's XML lists no {kind.lower()}")
        return found

    def _distances(self) -> dict[int, tuple[int, ...]]:
        """Each node's row, by the OS's number of the node."""
        for table in self._root.iter("distances2"):
            if table.get("name") == LATENCY and table.get("indexing") == "os":
                nodes, values = _numbers(table, "indexes"), _numbers(table, "u64values")
                if nodes and len(values) == len(nodes) ** 2:
                    step = len(nodes)
                    return {n: values[i * step : (i + 1) * step] for i, n in enumerate(nodes)}
        return {}


def _cache(item: ElementTree.Element) -> Cache | None:
    kind = _KINDS.get(item.get("cache_type", ""))
    level, size = _number(item, "depth"), _number(item, "cache_size")
    if kind is None or not level or not size:
        return None
    return Cache(
        level=level,
        kind=kind,
        bytes=size,
        line_bytes=_number(item, "cache_linesize"),
        ways=_ways(item),
        shared_by=len(_cpus(item)) or None,
    )


def _ways(item: ElementTree.Element) -> int | None:
    """None, too, for -1, hwloc's word for fully associative."""
    ways = _number(item, "cache_associativity")
    return ways if ways and ways > 0 else None


def _order(cache: Cache) -> tuple[int, str, int]:
    return cache.level, cache.kind, -cache.bytes


def _node(item: ElementTree.Element, distances: dict[int, tuple[int, ...]]) -> NumaNode:
    index = _number(item, "os_index") or 0
    return NumaNode(
        index=index,
        bytes=_number(item, "local_memory"),
        cpus=_cpus(item),
        distances=distances.get(index, ()),
    )


def _numbers(table: ElementTree.Element, name: str) -> tuple[int, ...]:
    words = " ".join(part.text or "" for part in table.iter(name)).split()
    return tuple(int(word) for word in words if word.isdecimal() and len(word) < 19)


def _number(item: ElementTree.Element, name: str) -> int | None:
    text = item.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else None


def _cpus(item: ElementTree.Element) -> tuple[int, ...]:
    return known(cpu_mask, item.get("cpuset", ""), "hwloc's XML") or ()
