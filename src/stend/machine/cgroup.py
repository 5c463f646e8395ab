"""A container's limits: the control groups of this process, version 1 and 2.

A limit holds for everything below it, so the smallest on the way to the root counts.
Sources: Linux Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from stend.machine.tree import Tree, Unreadable, integer, known

NO_LIMIT = 1 << 60
"""Version 1 writes "no limit" as the largest multiple of the page size below 2^63."""


class Group(NamedTuple):
    """One controller's folders, from the process's own group up to the mount's root."""

    version: int
    folders: tuple[str, ...]


def memory_limit(tree: Tree) -> int | None:
    """Bytes of memory; None where there is no limit."""
    group = own_group(tree, "memory")
    name = "memory.limit_in_bytes" if group.version == 1 else "memory.max"
    return min(_limits(tree, group, name), default=None)


def memory_left(tree: Tree) -> int | None:
    """Bytes that the tightest memory limit leaves; None where there is no limit.

    File pages that nobody used lately are given back on demand, so they count as free.
    """
    group = own_group(tree, "memory")
    maximum, usage, inactive = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        if group.version == 1
        else ("memory.max", "memory.current", "inactive_file")
    )
    left = []
    for folder in group.folders:
        if (limit := limit_in(tree, f"{folder}/{maximum}")) is not None:
            used = tree.integer(f"{folder}/{usage}") - _counter(tree, folder, inactive)
            left.append(max(0, limit - max(0, used)))
    return min(left, default=None)


def cpu_limit(tree: Tree) -> float | None:
    """Cores that the quota allows; None where there is no quota."""
    group = own_group(tree, "cpu")
    read = _quota_1 if group.version == 1 else _quota_2
    quotas = (read(tree, folder) for folder in group.folders)
    return min((q for q in quotas if q is not None), default=None)


def process_limit(tree: Tree) -> int | None:
    """Processes and threads that may exist at a time; None where there is no limit."""
    return min(_limits(tree, own_group(tree, "pids"), "pids.max"), default=None)


def quota_throttled(tree: Tree) -> int:
    """How many times so far the quota stopped this process's group."""
    group = own_group(tree, "cpu")
    return sum(_counter(tree, f, "nr_throttled", "cpu.stat") for f in group.folders)


def own_group(tree: Tree, controller: str) -> Group:
    """Where the controller's files of this process lie; Unreadable if it has none."""
    for line in tree.text("/proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controller in controllers.split(","):
            return _located(tree, 1, controller, path)
        if number == "0" and not controllers and _unified(tree, path, controller):
            return _located(tree, 2, controller, path)
    raise Unreadable(f"/proc/self/cgroup names no group of the controller {controller}")


def _unified(tree: Tree, path: str, controller: str) -> bool:
    """Whether version 2 has the controller: on a mixed system version 1 may hold it."""
    group = known(_located, tree, 2, controller, path)
    if group is None:
        return False
    return controller in (known(tree.line, f"{group.folders[-1]}/cgroup.controllers") or "").split()


def _located(tree: Tree, version: int, controller: str, path: str) -> Group:
    for root, mount in _mounts(tree, version, controller):
        if root == "/" or path == root or path.startswith(f"{root}/"):
            below = path if root == "/" else path[len(root) :]
            return Group(version, _upwards(mount, below))
        # The mount shows another part of the hierarchy (a container without its own
        # namespace): what it shows is this container's own group.
        return Group(version, (mount,))
    raise Unreadable(f"/proc/self/mountinfo has no cgroup mount with the controller {controller}")


def _mounts(tree: Tree, version: int, controller: str) -> Iterator[tuple[str, str]]:
    """Root and mount point of each (proc(5), /proc/pid/mountinfo)."""
    kind = "cgroup" if version == 1 else "cgroup2"
    for line in tree.text("/proc/self/mountinfo").splitlines():
        mounted, _, of = line.partition(" - ")
        fields, words = mounted.split(), of.split()
        fits = len(fields) > 4 and words[:1] == [kind]
        if fits and (version == 2 or controller in words[-1].split(",")):
            yield fields[3].rstrip("/") or "/", fields[4]


def _upwards(mount: str, below: str) -> tuple[str, ...]:
    path = PurePosixPath(mount) / below.lstrip("/")
    if ".." in path.parts:
        return (mount,)
    chain = [str(path), *(str(parent) for parent in path.parents)]
    return tuple(folder for folder in chain if folder.startswith(mount))


def _limits(tree: Tree, group: Group, name: str) -> list[int]:
    found = (limit_in(tree, f"{folder}/{name}") for folder in group.folders)
    return [limit for limit in found if limit is not None]


def limit_in(tree: Tree, path: str) -> int | None:
    """The number in the file; None where it is absent (a root group), "max" or not limiting."""
    if not tree.has(path):
        return None
    text = tree.line(path)
    if text == "max":
        return None
    limit = integer(text, path)
    return limit if 0 <= limit < NO_LIMIT else None


def _quota_1(tree: Tree, folder: str) -> float | None:
    if not tree.has(f"{folder}/cpu.cfs_quota_us"):
        return None
    quota = tree.integer(f"{folder}/cpu.cfs_quota_us")
    return _cores(quota, tree.integer(f"{folder}/cpu.cfs_period_us")) if quota > 0 else None


def _quota_2(tree: Tree, folder: str) -> float | None:
    path = f"{folder}/cpu.max"
    if not tree.has(path):
        return None
    quota, _, period = tree.line(path).partition(" ")
    return None if quota == "max" else _cores(integer(quota, path), integer(period, path))


def _cores(quota: int, period: int) -> float | None:
    if period <= 0:
        raise Unreadable(f"the CPU quota's period is {period} µs")
    return quota / period


def _counter(tree: Tree, folder: str, name: str, file: str = "memory.stat") -> int:
    """A counter of a statistics file; 0 where the group keeps none."""
    text = known(tree.text, f"{folder}/{file}") or ""
    found = re.search(rf"^{name} (\d{{1,19}})$", text, re.MULTILINE)
    return int(found[1]) if found else 0
