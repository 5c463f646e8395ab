"""A small file, written whole or not at all."""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from stend_tomo.errors import BadOption, OutputError, printable
from stend_tomo.writing.atomic_output import synchronise_folder


def write_whole(path: Path, content: bytes, beginning: bytes) -> None:
    """Write a file, in place of an earlier one that has the same `beginning` or is empty.

    A pipe or a device gets it as it is. A reader sees the old file or the new one, never half; a
    link stays and its target is replaced.

    Raises:
        BadOption: the earlier file is something else.
        OutputError: it can't be written; an earlier file is as it was.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        target = path.resolve()
        if target.exists():
            _refuse_others(target, beginning)
        _replace(target, content)
    except (BrokenPipeError, BadOption):
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the path, links in a circle
        raise _unwritable(path, error) from error


def _replace(target: Path, content: bytes) -> None:
    part = target.with_name(f".stend-{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
        with suppress(OSError):  # it is there; some folders can't be opened
            synchronise_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _refuse_others(path: Path, beginning: bytes) -> None:
    with path.open("rb") as file:
        found = file.read(len(beginning))
    if found not in (beginning, b""):
        raise BadOption(
            f"{printable(str(path))} is another kind of file, so it was not replaced. "
            "Give another name, or remove it first."
        )


def _unwritable(path: Path, error: Exception) -> OutputError:
    name = printable(str(path))
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutputError(f"No space is left for {name}; make room, or give another name.")
    said = error.strerror if isinstance(error, OSError) else error
    return OutputError(f"{name} can't be written: {said}; give another name.")
