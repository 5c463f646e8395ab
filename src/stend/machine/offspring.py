"""The ids of the processes that a process has started (proc(5)).

Imports nothing but the standard library's `os`: storage/watchdog.py loads this file alone.
"""

import os


def children(of: int) -> list[int]:
    """Give its direct children that can be seen now, ended ones that nobody waited for too."""
    names = os.listdir("/proc")  # noqa: PTH208 - pathlib takes longer than all else here
    return [int(name) for name in names if name.isdecimal() and _parent(name) == of]


def _parent(pid: str) -> int | None:
    """The name before it stands in parentheses and may itself hold spaces and parentheses."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):  # it ended meanwhile
        return None
