"""An entry of a folder that others may write to, held so that no link is ever followed from it.

What a name leads to can be exchanged after it was looked at and before a library opens it. What is
read is therefore /dev/fd/N of a descriptor that was opened without following links (proc(5)).
"""

import os
import stat
import weakref
from pathlib import Path

from stend.printable import printable
from stend_tomo.errors import ScanFileError

ADVICE = "load the page again"


class Held:
    """A file or folder as it was when it was opened; read it at `path`."""

    def __init__(self, folder: Path, name: str) -> None:
        """Open it.

        Raises:
            ScanFileError: it can't be read, or is, or holds, what may lead out of the folder.
        """
        self._place, self._name = folder.absolute() / name, printable(name)
        try:
            self._descriptor = os.open(self._place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise ScanFileError(f"{self._name} can't be read: {error.strerror}.") from error
        self._close = weakref.finalize(self, os.close, self._descriptor)
        self.path = Path(f"/dev/fd/{self._descriptor}")
        self._then = _of(os.fstat(self._descriptor))
        try:
            fault = _leads_out(self._descriptor)
        except OSError as error:
            fault = f"can't be looked through: {error.strerror}."
        except RecursionError:
            fault = "holds folders in folders too deep to be looked through."
        if fault:
            self._close()
            raise ScanFileError(f"{self._name} {fault}")

    def last_as_long_as(self, reader: object) -> None:
        """Keep it open until nothing holds `reader`, which reads it whenever it is asked."""
        self._close.detach()
        weakref.finalize(reader, os.close, self._descriptor)

    def fault(self) -> str | None:
        """Say what happened to what has its name; None while that is what is held.

        Of a folder's images only coming and going is seen.
        """
        try:
            now = os.lstat(self._place)
        except OSError:
            return f"{self._name} was removed since it was opened: {ADVICE}."
        if _of(now) == self._then:
            return None
        return f"{self._name} has changed since it was opened: {ADVICE}."

    def said(self, text: str) -> str:
        """Name the file in a sentence about its descriptor."""
        return text.replace(str(self.path), self._name)


def _of(told: os.stat_result) -> tuple[int, int, int, int]:
    size = 0 if stat.S_ISDIR(told.st_mode) else told.st_size
    return told.st_dev, told.st_ino, told.st_mtime_ns, size


def _leads_out(descriptor: int) -> str | None:
    """What keeps a folder from being read: readers open what is in it by name, links included."""
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        return None
    for _, folders, files, at in os.fwalk(".", dir_fd=descriptor, onerror=_raised):
        if not os.geteuid() and _is_others(os.fstat(at)):
            return (
                "can be changed by other users, and the server runs as root, which may read any "
                "file: run it as another user."
            )
        for name in (*folders, *files):
            mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                return f"holds a link, {printable(name)}: replace it by what it leads to."
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                return f"holds {printable(name)}, which is neither a file nor a folder: remove it."
    return None


def _raised(error: OSError) -> None:
    """What can't be listed may hold a link, too."""
    raise error


def _is_others(told: os.stat_result) -> bool:
    return bool(told.st_uid or told.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
