"""Memory: how much there is, how much may be used now, in which pages and on which NUMA nodes."""

import re

from msgspec.structs import replace

from stend.machine import cgroup
from stend.machine.sysfs_topology import NODE, SysfsTopology
from stend.machine.topology import topology
from stend.machine.tree import Tree, Unreadable, integer, known
from stend.record import NumaNode

_WHOLE, _HALF = ("MemFree",), ("Active(file)", "Inactive(file)", "SReclaimable")
"""Lines of a node's meminfo: what is free, and caches of which the kernel itself, when it
reckons MemAvailable, takes about half to be in use."""


def nodes(tree: Tree) -> tuple[NumaNode, ...]:
    """The kernel's own list, else hwloc's, which lends a node without CPUs those of others."""
    listed = known(SysfsTopology(tree).numa) or topology(tree).numa()
    return tuple(replace(node, available=available_on(tree, node.index)) for node in listed)


def available_on(tree: Tree, node: int) -> int | None:
    """Bytes that may be used of a node's memory now; None where nothing tells."""
    text = known(tree.text, f"{NODE}/node{node}/meminfo") or ""
    lines: dict[str, str] = dict(re.findall(r"Node \d+ (\S+):\s+(\d{1,15}) kB", text))
    if not all(name in lines for name in _WHOLE):
        return None
    free, caches = (sum(int(lines.get(n, 0)) for n in names) for names in (_WHOLE, _HALF))
    return (free + caches // 2) << 10


MEMINFO = "/proc/meminfo"
HUGE_PAGES = "/sys/kernel/mm/hugepages"
TRANSPARENT = "/sys/kernel/mm/transparent_hugepage/enabled"


def total(tree: Tree) -> int:
    """Bytes of memory that the OS manages."""
    return kilobytes(tree, "MemTotal")


def available(tree: Tree) -> int:
    """Bytes that may be used now without swapping, within every container's limit."""
    free = kilobytes(tree, "MemAvailable")
    left = known(cgroup.memory_left, tree)
    return free if left is None else min(free, left)


def page_bytes(tree: Tree) -> int:
    """Bytes of an ordinary page."""
    if tree.page_bytes is None:
        raise Unreadable("no file tells the page size, and this tree's recorder did not")
    return tree.page_bytes


def huge_pages(tree: Tree) -> str:
    """`transparent madvise; 2 MiB: 0 of 512 free`: what a program can get, and how."""
    parts = []
    if mode := transparent(tree):
        parts.append(f"transparent {mode}")
    parts += _reserved(tree)
    if not parts:
        raise Unreadable(f"there is neither {TRANSPARENT} nor {HUGE_PAGES}")
    return "; ".join(parts)


def transparent(tree: Tree) -> str | None:
    """always, madvise or never; None where the kernel has no transparent huge pages."""
    chosen = re.search(r"\[(\w+)\]", known(tree.line, TRANSPARENT) or "")
    return chosen[1] if chosen else None


def kilobytes(tree: Tree, name: str, path: str = MEMINFO) -> int:
    """Bytes of a line of the file, which counts in units of 1024 bytes."""
    text = tree.pairs(path).get(name)
    if text is None:
        raise Unreadable(f"{path} has no {name}")
    found = integer(text.removesuffix(" kB"), path) << 10
    if not 0 <= found < 2**63:
        raise Unreadable(f"{path} says {text} for {name}, which can't be")
    return found


def _reserved(tree: Tree) -> list[str]:
    found = []
    for folder in known(tree.names, HUGE_PAGES) or []:
        match = re.fullmatch(r"hugepages-(\d{1,9})kB", folder)
        count = known(tree.integer, f"{HUGE_PAGES}/{folder}/nr_hugepages")
        free = known(tree.integer, f"{HUGE_PAGES}/{folder}/free_hugepages")
        if match and count is not None and free is not None:
            found.append(f"{_size(int(match[1]))}: {free} of {count} free")
    return found


def _size(kilobytes: int) -> str:
    for unit, one in (("GiB", 1 << 20), ("MiB", 1 << 10)):
        if kilobytes >= one:
            return f"{kilobytes // one} {unit}"
    return f"{kilobytes} KiB"
