"""A folder for what fio writes while it runs, and what killed runs left in theirs."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stend.errors import OutputError
from stend.folders import data_folder

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
            f"There is no folder for what fio writes while it runs: {error}; set XDG_DATA_HOME to "
            "one that can be written."
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
