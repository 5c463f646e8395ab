"""Writing a file whole or not at all."""

import errno
import os
import secrets
from pathlib import Path

from stend.errors import OutputError
from stend.printable import printable


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, in place of an earlier one if there is one; a pipe or device gets it as it is.

    A reader sees the old file or the new one, never half; a link stays and its target is replaced.

    Raises:
        OutputError: it can't be written; an earlier file is as it was.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unwritable(path, error) from error


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unwritable(path: Path, error: Exception) -> OutputError:
    name = printable(str(path))
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutputError(f"No space is left for {name}; nothing was written.")
    said = error.strerror if isinstance(error, OSError) else error
    return OutputError(f"{name} can't be written: {said}; give another file with -o.")
