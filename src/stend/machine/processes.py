"""Who keeps the processor busy: CPU time of processes by /proc/[pid]/stat (proc(5))."""

import os
import pwd
from typing import NamedTuple

from stend.machine.tree import Tree, known, printable

TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds of one unit of CPU time in /proc: 0.01 on every Linux so far."""


class Process(NamedTuple):
    """One line of /proc/[pid]/stat, as far as it is needed."""

    pid: int
    parent: int
    name: str
    seconds: float
    """CPU time, user and system, without its children's."""
    reaped: float
    """CPU time of its children that have ended and were waited for."""


class Busy(NamedTuple):
    """A process that ran between two looks."""

    process: Process
    cores: float
    """Share of one core; above 1 with several threads."""


def process(text: str) -> Process | None:
    """One process from its stat line; None if that is torn or garbage.

    The name stands in parentheses and may itself hold spaces and parentheses.
    """
    head, _, tail = text.rpartition(")")
    number, _, name = head.partition("(")
    words = tail.split()
    try:
        ticks = [int(word) for word in words[11:15]]
        user, system, reaped_user, reaped_system = ticks
        return Process(
            pid=int(number),
            parent=int(words[1]),
            name=printable(name),
            seconds=(user + system) * TICK,
            reaped=(reaped_user + reaped_system) * TICK,
        )
    except (ValueError, IndexError, OverflowError):
        return None


def processes(tree: Tree) -> dict[int, Process]:
    """Every process that can be seen now."""
    pids = [name for name in tree.names("/proc") if name.isdecimal()]
    # One that ended between the list and the look has no text.
    found = (process(known(tree.text, f"/proc/{pid}/stat") or "") for pid in pids)
    return {one.pid: one for one in found if one}


def own_tree(all_of_them: dict[int, Process], root: int) -> set[int]:
    """The process `root` and everything it started, directly or not."""
    children: dict[int, list[int]] = {}
    for one in all_of_them.values():
        children.setdefault(one.parent, []).append(one.pid)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting += children.get(pid, [])
    return found


def busy(before: dict[int, Process], after: dict[int, Process], seconds: float) -> list[Busy]:
    """Processes that ran in between, the busiest first."""
    found = []
    for pid, now in after.items():
        used = now.seconds - before[pid].seconds if pid in before else now.seconds
        if used > 0 and seconds > 0:
            found.append(Busy(now, used / seconds))
    return sorted(found, key=lambda one: -one.cores)


def described(tree: Tree, one: Busy) -> str:
    """`firefox (pid 812, user ann, 0.95 cores)`."""
    pid = one.process.pid
    return f"{one.process.name} (pid {pid}, user {_user(tree, pid)}, {one.cores:.2g} cores)"


def _user(tree: Tree, pid: int) -> str:
    try:
        number = tree.path(f"/proc/{pid}").stat().st_uid
    except OSError:
        return "unknown"
    try:
        return pwd.getpwuid(number).pw_name
    except (KeyError, OverflowError):
        return str(number)
