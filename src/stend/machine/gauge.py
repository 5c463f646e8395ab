"""A file that is read again and again: it stays open, so that one reading is one system call."""

import os

from stend.machine.tree import Tree

MOST = 4096
"""Bytes of one reading; the beginning is enough for everything that is watched."""


class Gauge:
    """A file of /proc or /sys kept open; a file that can't be opened reads as nothing."""

    def __init__(self, tree: Tree, path: str) -> None:
        try:
            self._descriptor = os.open(tree.path(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            self._descriptor = -1

    @property
    def there(self) -> bool:
        """Whether there is something to read."""
        return self._descriptor >= 0

    def text(self) -> str:
        """The beginning of the file as it is now; "" when it can't be read."""
        if not self.there:
            return ""
        try:
            return os.pread(self._descriptor, MOST, 0).decode(errors="replace")
        except OSError:  # a CPU was switched off, or a process has ended
            return ""

    def number(self) -> float | None:
        """The whole number in the file, if it is one."""
        text = self.text().strip()
        return float(text) if text.isdecimal() and len(text) < 19 else None

    def close(self) -> None:
        """Close the file; it reads as nothing from now on."""
        if self.there:
            os.close(self._descriptor)
            self._descriptor = -1
