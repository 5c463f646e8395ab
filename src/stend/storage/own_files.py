"""Files and folders that stend makes for a load: locked, and removed even after a killed run.

The lock (flock) lives as long as this process: a file of our name that nobody has locked was left
by a run that was killed, and the next one in that folder removes it.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stend.errors import BadValue, OutputError
from stend.record.files import data_folder

_PREFIX = "run-"


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make one in the user's data folder, and remove it at the end.

    SIGKILL leaves it there, and an error leaves what is in it: it may not be stored yet.

    Raises:
        OutputError: it can't be made.
    """
    try:
        parent = _parent()
        parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, RuntimeError) as error:
        raise OutputError(
            f"No folder for fio's files is available: {error}; set XDG_DATA_HOME to a writable "
            "folder."
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        with suppress(OSError):
            folder.rmdir()  # where it is empty
        os.close(lock)


def left_by_killed_runs() -> list[Path]:
    """Folders that nobody holds any more: fio's status of runs that stend did not outlive."""
    try:
        found = sorted(_parent().glob(f"{_PREFIX}*"))
    except RuntimeError:
        return []
    return [folder for folder in found if _is_left(folder)]


def _parent() -> Path:
    return data_folder() / "storage"


def _is_left(folder: Path) -> bool:
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


NAME = re.compile(r"stend-storage-[0-9a-f]{16}\.tmp")


def random_name() -> str:
    """A name that no other run takes, and by which the next run knows it for ours."""
    return f"stend-storage-{secrets.token_hex(8)}.tmp"


@contextmanager
def own_file(path: Path, size: int) -> Iterator[int]:
    """Make the file with all its space reserved, give its descriptor, remove it at the end.

    BadValue where that can't be done; then nothing is left.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise BadValue(f"{path} can't be made: {error.strerror}; name another target") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if path.lstat().st_ino != os.fstat(descriptor).st_ino:
                raise OSError(errno.ESTALE, "something else took its name")
            _reserve(descriptor, size)
        except OSError as error:
            raise BadValue(
                f"{path} can't be given {size:,} bytes: {error.strerror}; ask for less or name "
                "another folder"
            ) from None
        yield descriptor
    finally:
        _remove(path, descriptor)
        os.close(descriptor)


def left_behind(folder: Path) -> tuple[str, ...]:
    """Remove our files whose run was killed; their names."""
    found = (path for path in sorted(folder.iterdir()) if NAME.fullmatch(path.name))
    return tuple(path.name for path in found if _abandoned(path))


def _abandoned(path: Path) -> bool:
    """Whether it was ours and nobody's, and is gone now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_nlink != 1:
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return _remove(path, descriptor)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _remove(path: Path, descriptor: int) -> bool:
    """Remove what the descriptor is; what somebody put in its place stays."""
    with contextlib.suppress(OSError):
        if os.path.samestat(path.lstat(), os.fstat(descriptor)):
            path.unlink()
            return True
    return False


def _reserve(descriptor: int, size: int) -> None:
    """All blocks now, so that a full disk is found before the load; else the size alone.

    Not posix_fallocate(3), which where a filesystem can't reserve (NFS 3, ZFS) writes to every
    block instead.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.fallocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
    while library.fallocate(descriptor, 0, 0, size):
        code = ctypes.get_errno()
        if code in {errno.EOPNOTSUPP, errno.ENOSYS}:
            os.ftruncate(descriptor, size)
            return
        if code != errno.EINTR:
            raise OSError(code, os.strerror(code))
