"""An entry of a folder that others may write to, held so that no link is ever followed from it.

What a name leads to can be exchanged after it was looked at and before a library opens it. What is
read is therefore /dev/fd/N of a descriptor that was opened without following links (proc(5)).

Nothing of a request becomes a path: a name is one of those that the folder was found to have.
"""

import os
import secrets
import stat
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette

from stend.errors import StendError, UnknownName, UsageError
from stend.record.text import natural, printable
from stend_tomo.errors import ScanFileError, TomoError
from stend_tomo.reading import kind_of
from stend_tomo.view import ShownScan, ShownVolume, opened
from stend_tomo.view.application import Turn, application

ADVICE = "reload the page"


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
            fault = f"can't be searched: {error.strerror}."
        except RecursionError:
            fault = "has folders nested too deep to be searched."
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


def _of(status: os.stat_result) -> tuple[int, int, int, int]:
    size = 0 if stat.S_ISDIR(status.st_mode) else status.st_size
    return status.st_dev, status.st_ino, status.st_mtime_ns, size


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


def _is_others(status: os.stat_result) -> bool:
    return bool(status.st_uid or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


MOST = 500
"""Entries of a folder that are listed."""
OPEN = 3
"""Viewers at once: each may keep hundreds of MB of what was looked at."""


class Entry(NamedTuple):
    """A file or folder that may be a scan or a volume."""

    name: str
    kind: str
    """`hdf5`, `tiff`, `images`, …"""
    bytes: int | None
    """None of a folder."""
    changed: float
    """Seconds since 1970."""


class Viewer(NamedTuple):
    """What is open of one."""

    key: str
    """In its addresses: another one whenever it is opened anew."""
    shown: ShownScan | ShownVolume
    held: Held
    application: Starlette


class Scans:
    """One folder's."""

    def __init__(self, folder: Path, turn: Turn = nullcontext) -> None:
        """Compute in such a turn each time."""
        self.folder, self._computing = folder, turn
        self._turn, self._opening = threading.Lock(), threading.Lock()
        self._open: OrderedDict[str, Viewer] = OrderedDict()

    def entries(self) -> list[Entry]:
        """What is in the folder now: nothing hidden, and no link, which may lead out of it.

        Raises:
            StendError: the folder can't be read.
        """
        try:
            found = list(_entries(self.folder))
        except OSError as error:
            raise StendError(
                f"The folder {printable(str(self.folder))} can't be read: {error.strerror}."
            ) from error
        return sorted(found, key=lambda one: natural(one.name))[:MOST]

    def viewer(self, name: str) -> Viewer:
        """The viewer of the entry of this name, opened if it is not or if the file has changed.

        Raises:
            UnknownName: there is none.
            StendError: it can't be read, or the library for its format is not installed.
        """
        with self._turn:
            found = self._open.get(name)
        return found if found and not found.held.fault() else self._opened(name)

    def _opened(self, name: str) -> Viewer:
        """One after another: to look for an axis takes seconds of every core."""
        with self._computing(), self._opening:
            known = self._open.get(name)
            if known and not known.held.fault():  # opened while this one waited
                return known
            if name not in {one.name for one in _entries(self.folder)}:
                raise UnknownName(
                    f"The folder has no scan or volume {printable(name)}; /tomography lists them."
                )
            viewer = self._viewer(name)
            with self._turn:
                closed = [self._open.pop(name, None)]
                self._open[name] = viewer
                while len(self._open) > OPEN:
                    closed.append(self._open.popitem(last=False)[1])
            for one in filter(None, closed):
                one.shown.close()
            return viewer

    def _viewer(self, name: str) -> Viewer:
        held = Held(self.folder, name)
        try:
            shown = opened(held.path, name)
        except TomoError as error:
            kind = UsageError if error.exit_code == 2 else StendError
            raise kind(held.said(str(error))) from error
        held.last_as_long_as(shown)
        pages = application(shown, held, home="/tomography", turn=self._computing)
        return Viewer(secrets.token_urlsafe(9), shown, held, pages)

    def close(self) -> None:
        """End what is under way."""
        with self._turn:
            for viewer in self._open.values():
                viewer.shown.close()
            self._open.clear()


def _entries(folder: Path) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        for one in found:
            if one.name.startswith(".") or one.is_symlink() or not _is_text(one.name):
                continue
            kind = _kind(Path(one.path))
            if kind:
                status = one.stat(follow_symlinks=False)
                size = None if one.is_dir(follow_symlinks=False) else status.st_size
                yield Entry(one.name, kind, size, status.st_mtime)


def _is_text(name: str) -> bool:
    """What is no UTF-8 can't be in an address."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind(path: Path) -> str:
    """By its first bytes, of a folder by the first of its files; empty of what is neither."""
    try:
        with _open(path) as at:
            kind = kind_of(Path(f"/dev/fd/{at}"))
            if kind != "images":
                return kind
            with os.scandir(at) as inside:
                first = next((one for one in inside if one.is_file(follow_symlinks=False)), None)
            if first is None:
                return ""
            with _open(first.name, at) as image:
                images = kind_of(Path(f"/dev/fd/{image}")) in ("tiff", "png", "dicom")
                return kind if images else ""
    except (ScanFileError, OSError):
        return ""


@contextmanager
def _open(path: str | Path, at: int | None = None) -> Iterator[int]:
    """A descriptor; no link is followed, and no pipe waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
