"""How many threads one process could make more now, and which limit of the system it meets first.

Each limit is a number of threads that are still free and a sentence: its name and value, what is
taken of it, what raises it. Sources: getrlimit(2), pthread_create(3), clone(2), proc(5); Linux
Documentation/admin-guide/sysctl/{kernel,vm}.rst, mm/overcommit-accounting.rst, cgroup-v1/pids.rst
and cgroup-v2.rst; kernel/fork.c (who is exempt from RLIMIT_NPROC) and kernel/pid.c (reserved
numbers).
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from stend.machine import cgroup, memory
from stend.machine.tree import Tree, Unreadable, integer, known

RESERVED_PIDS = 300
"""Process numbers that are given out only once, while the system starts."""
MAPPINGS = 2
"""Of a thread: its stack, and the guard page below it."""
ANY_STACK = 2 << 20
"""Bytes of a stack where `ulimit -s` sets none (pthread_create(3), x86)."""
ADMIN, RESOURCE = 21, 24
"""Capabilities (linux/capability.h) that no RLIMIT_NPROC holds."""


class Limit(NamedTuple):
    """One limit: how many threads it leaves, and what there is to say of it."""

    free: int
    said: str


def free(tree: Tree) -> int:
    """Threads that the tightest limit leaves."""
    return _tightest(tree).free


def said(tree: Tree) -> str:
    """The tightest limit, in a sentence without its full stop."""
    return _tightest(tree).said


def _tightest(tree: Tree) -> Limit:
    found = [limit for read in LIMITS for limit in read(tree)]
    if not found:
        raise Unreadable("neither /proc nor a control group tells a limit of threads")
    return min(found)


def _groups(tree: Tree) -> Iterator[Limit]:
    """Processes and threads of a control group count alike, and in all groups above it."""
    group = known(cgroup.own_group, tree, "pids")
    for folder in group.folders if group else ():
        if (most := known(cgroup.limit_in, tree, f"{folder}/pids.max")) is not None:
            taken = known(tree.integer, f"{folder}/pids.current") or 0
            yield _limit(
                most - taken,
                f"{folder}/pids.max is {most}, of which {taken} are in use; a larger value "
                "raises it (systemd: TasksMax=, Docker: --pids-limit)",
            )


def _user(tree: Tree) -> Iterator[Limit]:
    most = known(_own_limit, tree, "Max processes")
    if most is None or known(_is_exempt, tree):
        return
    taken = known(_threads_of_this_user, tree) or 0
    yield _limit(
        most - taken,
        f"RLIMIT_NPROC is {most}, of which this user's threads take {taken}; `ulimit -u` or "
        "/etc/security/limits.conf raises it",
    )


def _system(tree: Tree) -> Iterator[Limit]:
    taken = known(_all_threads, tree) or 0
    for name, reserved in (("threads-max", 0), ("pid_max", RESERVED_PIDS)):
        most = known(tree.integer, f"/proc/sys/kernel/{name}")
        if most is not None and most > taken:  # not so in a container with numbers of its own
            yield _limit(
                most - reserved - taken,
                f"kernel.{name} is {most}, of which {taken} are in use; "
                f"`sysctl kernel.{name}=N` raises it",
            )


def _mappings(tree: Tree) -> Iterator[Limit]:
    most = known(tree.integer, "/proc/sys/vm/max_map_count")
    if most is not None:
        taken = len((known(tree.text, "/proc/self/maps") or "").splitlines())
        yield _limit(
            (most - taken) // MAPPINGS,
            f"vm.max_map_count is {most}, of which {taken} are in use and each thread takes "
            f"{MAPPINGS}; `sysctl vm.max_map_count=N` raises it",
        )


def _address_space(tree: Tree) -> Iterator[Limit]:
    most, stack = known(_own_limit, tree, "Max address space"), _stack(tree)
    if most is not None:
        taken = known(memory.kilobytes, tree, "VmSize", "/proc/self/status") or 0
        yield _limit(
            (most - taken) // stack,
            f"RLIMIT_AS is {most} B and each thread's stack takes {stack}; `ulimit -v` raises it, "
            "`ulimit -s` makes stacks smaller",
        )


def _commitment(tree: Tree) -> Iterator[Limit]:
    if known(tree.integer, "/proc/sys/vm/overcommit_memory") != 2:
        return
    most, stack = known(memory.kilobytes, tree, "CommitLimit"), _stack(tree)
    taken = known(memory.kilobytes, tree, "Committed_AS")
    if most is not None and taken is not None:
        yield _limit(
            (most - taken) // stack,
            f"vm.overcommit_memory is 2, {most - taken} B can still be committed and each thread's "
            f"stack takes {stack}; `sysctl vm.overcommit_ratio=N` raises it, `ulimit -s` makes "
            "stacks smaller",
        )


LIMITS: tuple[Callable[[Tree], Iterator[Limit]], ...] = (
    _groups,
    _user,
    _system,
    _mappings,
    _address_space,
    _commitment,
)


def _limit(free: int, said: str) -> Limit:
    return Limit(max(0, free), said)


def _own_limit(tree: Tree, name: str) -> int | None:
    """The soft limit of that name; None where it is unlimited."""
    found = re.search(rf"^{name} +(\w+)", tree.text("/proc/self/limits"), re.MULTILINE)
    if not found:
        raise Unreadable(f"/proc/self/limits has no {name}")
    return None if found[1] == "unlimited" else integer(found[1], "/proc/self/limits")


def _stack(tree: Tree) -> int:
    """Bytes of a stack by the default attributes."""
    limit: int | None = known(_own_limit, tree, "Max stack size")
    return max(1, limit or ANY_STACK)


def _is_exempt(tree: Tree) -> bool:
    """Whether this is the system's own root, or may pass over limits as it does."""
    if tree.line("/proc/self/uid_map").split() != ["0", "0", str(2**32 - 1)]:
        return False
    status = tree.pairs("/proc/self/status")
    capabilities = int(status.get("CapEff", "").strip() or "0", 16)
    return _user_of(status) == "0" or bool(capabilities & (1 << ADMIN | 1 << RESOURCE))


def _threads_of_this_user(tree: Tree) -> int:
    own = _user_of(tree.pairs("/proc/self/status"))
    taken = 0
    for name in tree.names("/proc"):
        status = (known(tree.pairs, f"/proc/{name}/status") or {}) if name.isdecimal() else {}
        if status and _user_of(status) == own:
            taken += integer(status.get("Threads", "").strip(), f"/proc/{name}/status")
    return taken


def _user_of(status: dict[str, str]) -> str:
    """The real user's number: the first of four (proc(5))."""
    return (status.get("Uid", "").split() or [""])[0]


def _all_threads(tree: Tree) -> int:
    """The second number of "running/all" in /proc/loadavg."""
    found = re.search(r" \d+/(\d{1,9}) ", tree.line("/proc/loadavg"))
    if not found:
        raise Unreadable("/proc/loadavg counts no threads")
    return int(found[1])
