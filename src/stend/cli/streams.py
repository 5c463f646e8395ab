"""Replacements for characters that an encoding lacks; no sign is lost."""

import codecs
import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer

from stend.errors import OutputError

REPLACING = "stend.nearest"
"""The name of the error handler, for `reconfigure(errors=…)`."""

_NEAREST = str.maketrans({
    "−": "-", "–": "-", "—": "-", "…": "..", "±": "+-", "×": "x", "÷": "/", "·": ".", "→": "->",
    "▲": "^", "▼": "v", "●": "o", "≤": "<=", "≥": ">=", "≈": "~", "µ": "u", "μ": "u",
    "²": "^2", "³": "^3", "⁰": "0", "⁶": "^6", "⁹": "^9",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "‘": "'", "’": "'", "“": '"', "”": '"',
})  # fmt: skip
"""Of what stend itself prints: a minus that became a question mark would tell another number."""


def register() -> None:
    """Make the error handler known to Python."""
    codecs.register_error(REPLACING, _nearest)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(_NEAREST)
    return lacking.encode("ascii", "replace").decode(), error.end


_REFUSED = {
    errno.ENOSPC: "No space is left for the output; send it elsewhere.",
    errno.EBADF: "Standard output is closed, so nothing could be shown; send it elsewhere.",
}


def make_usable() -> None:
    """One that is closed refuses what it gets; one that lacks a character shows another.

    A closed error output swallows it: there is nowhere left to complain.
    """
    register()
    if sys.stdout is None:
        # in its place, or the next file that is opened would become it; to write to it fails
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - until the end
    for name in ("stdout", "stderr"):
        getattr(sys, name).reconfigure(errors=REPLACING)


@contextmanager
def until_nobody_reads() -> Iterator[None]:
    """End as SIGPIPE ends a program when what it prints to was closed, as `| head` does.

    Raises:
        OutputError: what was printed can't be written.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout, sys.stderr)
        raise typer.Exit(128 + signal.SIGPIPE) from None
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        _silence(sys.stdout)
        raise OutputError(_REFUSED[error.errno]) from error


def _silence(*streams: TextIO) -> None:
    """Python flushes them once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream.fileno())
