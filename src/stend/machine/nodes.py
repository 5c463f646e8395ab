"""Memory nodes: the machine's, each with what may be used of its memory now."""

import re

from msgspec.structs import replace

from stend.machine.sysfs_topology import NODE, SysfsTopology
from stend.machine.topology import topology
from stend.machine.tree import Tree, known
from stend.record import NumaNode

_WHOLE, _HALF = ("MemFree",), ("Active(file)", "Inactive(file)", "SReclaimable")
"""Lines of a node's meminfo: what is free, and caches of which the kernel itself, when it
reckons MemAvailable, takes about half to be in use."""


def nodes(tree: Tree) -> tuple[NumaNode, ...]:
    """The kernel's own list, else hwloc's, which lends a node without CPUs those of others."""
    listed = known(SysfsTopology(tree).numa) or topology(tree).numa()
    return tuple(replace(node, available=available(tree, node.index)) for node in listed)


def available(tree: Tree, node: int) -> int | None:
    """Bytes that may be used of a node's memory now; None where nothing tells."""
    text = known(tree.text, f"{NODE}/node{node}/meminfo") or ""
    lines: dict[str, str] = dict(re.findall(r"Node \d+ (\S+):\s+(\d{1,15}) kB", text))
    if not all(name in lines for name in _WHOLE):
        return None
    free, caches = (sum(int(lines.get(n, 0)) for n in names) for names in (_WHOLE, _HALF))
    return (free + caches // 2) << 10
