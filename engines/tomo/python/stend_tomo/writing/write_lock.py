"""Calls of one process that write one folder → only the latest goes on, and one at a time.

Locks of files keep other processes out, but not this one; and closing any file of that name gives
them up. So all calls share one.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO
from weakref import WeakValueDictionary


class Turns:
    """What all calls share that write one folder."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.latest = 0
        """Number of the call that may write."""
        self._file: IO[bytes] | None = None

    def file(self, path: Path, opened: Callable[[Path], IO[bytes]]) -> IO[bytes]:
        """Give the file that is locked against other processes, as long as one has this object."""
        if self._file is None or self._file.closed or not _is_at(self._file, path):
            self._file = opened(path)
        return self._file

    def close(self) -> None:
        """Give up what the file keeps out."""
        if self._file is not None:
            self._file.close()


_of_folder: WeakValueDictionary[Path, Turns] = WeakValueDictionary()
_looking = threading.Lock()


def turns_of(folder: Path) -> Turns:
    """Give what calls share that write this folder, as long as one of them has it."""
    with _looking:
        return _of_folder.setdefault(Path(os.path.realpath(folder.parent), folder.name), Turns())


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Whether this is the file of that name still: its folder may have been removed."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.lstat())
    except FileNotFoundError:
        return False
