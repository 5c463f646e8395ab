"""Standard output and error, as the command meets them: closed, full, read by nobody any more."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer

from stend.cli import characters
from stend.errors import OutputError

_REFUSED = {
    errno.ENOSPC: "No space is left for the output; send it elsewhere.",
    errno.EBADF: "Standard output is closed, so nothing could be shown; send it elsewhere.",
}


def make_usable() -> None:
    """One that is closed refuses what it gets; one that lacks a character shows another.

    A closed error output swallows it: there is nowhere left to complain.
    """
    characters.register()
    if sys.stdout is None:
        # in its place, or the next file that is opened would become it; to write to it fails
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - until the end
    for name in ("stdout", "stderr"):
        getattr(sys, name).reconfigure(errors=characters.REPLACING)


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
