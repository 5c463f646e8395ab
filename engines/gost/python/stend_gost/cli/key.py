"""Where the key comes from: a file or an environment variable in, its 32 bytes out."""

import os
import re
import stat
import sys
from pathlib import Path

from stend_gost.errors import UnreadableFile, UsageError
from stend_gost.text import printable

_LONGEST = 128
"""Bytes of a key file, with whatever white space an editor left."""


def read_key(file: str | None, variable: str | None, program: str) -> bytes:
    """Read the key.

    Raises:
        UsageError: none or two were named, or what is there is no key.
        UnreadableFile: the file can't be read.
    """
    if file is not None and variable is not None:
        raise UsageError("--key-file and --key-env exclude each other; give one of them.")
    if file is None and variable is None:
        raise UsageError("Name the key's file with --key-file, or its variable with --key-env.")
    return _from_file(file, program) if file is not None else _from_variable(variable or "")


def _from_file(path: str, program: str) -> bytes:
    name = printable(path)
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            held = file.read(_LONGEST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnreadableFile(f"The key file {name} can't be read: {reason}.") from error
    if stat.S_ISREG(mode) and mode & 0o077:
        print(
            f"{program}: others may read the key file {name} (mode {stat.S_IMODE(mode):04o}); "
            f"`chmod 600` keeps it yours.",
            file=sys.stderr,
        )
    key = held if len(held) == 32 else _from_hex(held)
    if key is None:
        size = f"{len(held)}" if len(held) <= _LONGEST else f"more than {_LONGEST}"
        raise UsageError(
            f"The key file {name} has {size} bytes; it has to hold 32 bytes, or 64 hex digits."
        )
    return key


def _from_variable(name: str) -> bytes:
    held = os.environb.get(os.fsencode(name))
    if held is None:
        raise UsageError(f"There is no environment variable {printable(name)}.")
    key = _from_hex(held)
    if key is None:
        raise UsageError(
            f"The environment variable {printable(name)} has {len(held)} bytes; it has to hold 64 "
            "hex digits."
        )
    return key


def _from_hex(held: bytes) -> bytes | None:
    found = re.fullmatch(rb"\s*([0-9a-fA-F]{64})\s*", held)
    return bytes.fromhex(found[1].decode()) if found else None
