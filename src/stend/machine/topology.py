"""Packages, cores, caches and NUMA nodes: by hwloc if it sees the whole machine, else by /sys."""

import functools
from typing import Protocol

from stend.machine import hwloc_topology
from stend.machine.hwloc_topology import HwlocTopology
from stend.machine.sysfs_topology import CORE, CPU, SOCKET, SysfsTopology, online
from stend.machine.tree import Tree, Unreadable, cpu_list, known
from stend.record import Cache, NumaNode

Core = tuple[int, ...]


def sockets(tree: Tree) -> tuple[tuple[Core, ...], ...]:
    """The CPUs of each core of each socket, all in ascending order; those that are online."""
    there = set(online(tree))
    found: dict[tuple[int, ...], set[Core]] = {}
    for cpu in there:
        socket, core = _beside(tree, cpu, SOCKET), _beside(tree, cpu, CORE)
        found.setdefault(socket, set()).add(tuple(other for other in core if other in there))
    return tuple(tuple(sorted(found[socket])) for socket in sorted(found))


def _beside(tree: Tree, cpu: int, names: tuple[str, str]) -> tuple[int, ...]:
    """The CPUs that a CPU shares its socket or core with, and itself."""
    reason: Unreadable | None = None
    for name in names:
        try:
            return tree.cpus_of(f"{CPU}/cpu{cpu}/topology/{name}")
        except Unreadable as why:
            reason = reason or why
    assert reason is not None
    raise reason


class Topology(Protocol):
    """The machine's shape; each fact raises Unreadable where it is not told."""

    def packages(self) -> int:
        """Sockets."""

    def cores(self) -> int:
        """Physical cores."""

    def caches(self) -> tuple[Cache, ...]:
        """Every shape of cache, with how many of it there are."""

    def numa(self) -> tuple[NumaNode, ...]:
        """The memory nodes."""


@functools.cache
def by_hwloc() -> HwlocTopology:
    """This machine as hwloc sees it; loading it takes 10 ms, so once a process."""
    return HwlocTopology(hwloc_topology.exported())


def topology(tree: Tree) -> Topology:
    """The best source there is for this tree.

    hwloc counts only what this process may use: in a container that is confined to some of
    the CPUs the kernel's files tell more.
    """
    if tree.live:
        found = known(by_hwloc)
        if found and found.threads() == len(online(tree)):
            return found
    return SysfsTopology(tree)


def usable(tree: Tree) -> tuple[int, ...]:
    """CPUs that are online and that affinity and cpuset leave to this process."""
    status = tree.pairs("/proc/self/status")
    if "Cpus_allowed_list" not in status:
        raise Unreadable("/proc/self/status has no Cpus_allowed_list")
    allowed = cpu_list(status["Cpus_allowed_list"], "/proc/self/status")
    return tuple(sorted(set(allowed) & set(online(tree))))


def smt(tree: Tree) -> bool:
    """Whether a core runs more than one hardware thread at a time."""
    try:
        return tree.integer("/sys/devices/system/cpu/smt/active") > 0
    except Unreadable:
        return topology(tree).cores() < len(online(tree))
