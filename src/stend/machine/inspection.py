"""The whole machine: a table of facts, each read by one function, into one record."""

from collections.abc import Callable
from typing import Any

from stend.machine import (
    cgroup,
    clocks,
    frequency,
    memory,
    memory_bus,
    processor,
    software,
    system,
    thread_limits,
    virtualisation,
)
from stend.machine.disks import disks
from stend.machine.nodes import nodes
from stend.machine.sockets import sockets
from stend.machine.sysfs_topology import online
from stend.machine.topology import smt, topology, usable
from stend.machine.tree import Tree, Unreadable
from stend.record import Machine

FACTS: dict[str, Callable[[Tree], Any]] = {
    "host": system.host,
    "architecture": processor.architecture,
    "cpu_vendor": processor.vendor,
    "cpu_model": processor.model,
    "cpu_family": processor.family,
    "microcode": processor.microcode,
    "isa": clocks.isa,
    "packages": lambda tree: topology(tree).packages(),
    "cores": lambda tree: topology(tree).cores(),
    "threads": lambda tree: len(online(tree)),
    "usable": usable,
    "smt": smt,
    "caches": lambda tree: topology(tree).caches(),
    "numa": nodes,
    "sockets": sockets,
    "memory_bytes": memory.total,
    "memory_available": memory.available,
    "memory_limit": cgroup.memory_limit,
    "memory_modules": memory_bus.modules,
    "memory_bandwidth": memory_bus.bandwidth,
    "cpu_limit": cgroup.cpu_limit,
    "process_limit": cgroup.process_limit,
    "threads_free": thread_limits.free,
    "threads_limit": thread_limits.said,
    "page_bytes": memory.page_bytes,
    "huge_pages": memory.huge_pages,
    "disks": disks,
    "kernel": system.kernel,
    "os": system.os_name,
    "virtualisation": virtualisation.virtualisation,
    "container": virtualisation.container,
    "clock_source": system.clock_source,
    "governor": frequency.governor,
    "turbo": frequency.turbo,
    "mitigations": system.mitigations,
}
"""Field of `Machine` → what reads it; a reader raises Unreadable with the reason."""


def inspect(tree: Tree | None = None, calibrate: float | None = None) -> Machine:
    """Tell what this machine is, or the one that `tree` was recorded from; never raises.

    `calibrate` is the number of seconds that each clock's calibration may take; without it
    the clocks are listed but not measured. What can't be read is in `Machine.unknown`.
    """
    tree = tree or Tree()
    facts = FACTS | {"clocks": lambda tree: clocks.clocks(tree, calibrate)}
    known: dict[str, Any] = {}
    unknown: dict[str, str] = {}
    for name, read in facts.items():
        try:
            known[name] = read(tree)
        except Unreadable as why:
            unknown[name] = str(why)
    if tree.live:
        known["versions"], silent = software.versions()
        unknown |= silent
    else:
        unknown["versions"] = clocks.ELSEWHERE
    return Machine(**known, unknown=unknown)


def available_memory(tree: Tree | None = None) -> int | None:
    """Bytes that may be used now, within every container's limit; None if nothing tells."""
    try:
        return memory.available(tree or Tree())
    except Unreadable:
        return None
