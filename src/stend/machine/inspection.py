"""The whole machine: a table of facts, each read by one function, into one record."""

import functools
import os
import platform
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from shutil import which
from typing import Any

from stend.machine import cgroup, frequency, memory, memory_bus, processor, system, thread_limits
from stend.machine.block_devices import disks
from stend.machine.memory import nodes
from stend.machine.sysfs_topology import online
from stend.machine.topology import by_hwloc, smt, sockets, topology, usable
from stend.machine.tree import Tree, Unreadable
from stend.processes.child import Child
from stend.record import Machine

PROGRAMS = ("cc", "gcc", "clang", "lcc", "mpicc")
"""Asked with --version where they are installed; lcc is Elbrus' compiler."""

PACKAGES = ("stend", "numpy", "scipy")

PATIENCE = 2.0
"""Seconds that all programs together may take to tell their version."""


@functools.cache
def versions() -> tuple[dict[str, str], dict[str, str]]:
    """Name → version, and name → why it is unknown. Asked once a process."""
    from importlib import metadata  # takes 12 ms, a fifth of importing this room

    found = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    unknown: dict[str, str] = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            unknown[f"versions.{name}"] = f"{name} is not an installed package"
    readers: dict[str, Callable[[], str]] = {"libc": _libc, "hwloc": lambda: by_hwloc().version()}
    for name, read in readers.items():
        try:
            found[name] = read()
        except Unreadable as why:
            unknown[f"versions.{name}"] = str(why)
    programs, silent = ask(PROGRAMS)
    return found | programs, unknown | {f"versions.{n}": why for n, why in silent.items()}


def ask(
    programs: tuple[str, ...], patience: float = PATIENCE
) -> tuple[dict[str, str], dict[str, str]]:
    """First lines of `PROGRAM --version` by name, and why there is none; all run at once.

    A program that is not installed is in neither.
    """
    found, silent = {}, {}
    with ExitStack() as children:
        started = {name: _start(path, children) for name in programs if (path := which(name))}
        deadline = time.monotonic() + patience
        for name, child in started.items():
            try:
                found[name] = _first_line(child, deadline)
            except Unreadable as why:
                silent[name] = f"`{name} --version` {why}"
    return found, silent


def _start(path: str, children: ExitStack) -> Child | OSError:
    english = {**os.environ, "LC_ALL": "C"}
    try:
        child = Child([path, "--version"], stderr=subprocess.DEVNULL, environment=english)
        return children.enter_context(child)
    except OSError as error:
        return error


def _first_line(child: Child | OSError, deadline: float) -> str:
    if isinstance(child, OSError):
        raise Unreadable(f"can't be started: {child.strerror}")
    try:
        done = child.result(max(0.01, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise Unreadable("did not answer in time") from None
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        raise Unreadable(f"left with status {done.returncode} and no version")
    return lines[0][:200]


def _libc() -> str:
    try:
        found = os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):
        found = None
    if not found:
        raise Unreadable("the C library does not tell its version (it is not glibc)")
    return found


FACTS: dict[str, Callable[[Tree], Any]] = {
    "host": system.host,
    "architecture": processor.architecture,
    "cpu_vendor": processor.vendor,
    "cpu_model": processor.model,
    "cpu_family": processor.family,
    "microcode": processor.microcode,
    "isa": frequency.isa,
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
    "virtualisation": system.virtualisation,
    "container": system.container,
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
    facts = FACTS | {"clocks": lambda tree: frequency.clocks(tree, calibrate)}
    known: dict[str, Any] = {}
    unknown: dict[str, str] = {}
    for name, read in facts.items():
        try:
            known[name] = read(tree)
        except Unreadable as why:
            unknown[name] = str(why)
    if tree.live:
        known["versions"], silent = versions()
        unknown |= silent
    else:
        unknown["versions"] = frequency.ELSEWHERE
    return Machine(**known, unknown=unknown)


def available_memory(tree: Tree | None = None) -> int | None:
    """Bytes that may be used now, within every container's limit; None if nothing tells."""
    try:
        return memory.available(tree or Tree())
    except Unreadable:
        return None
