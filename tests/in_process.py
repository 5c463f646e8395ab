"""`stend` run in the tests' own process: starting an interpreter takes most of a test's time.

How a process ends (signals, pipes that nobody reads) needs a real process.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from threading import Thread
from typing import Any

import pytest

from stend.cli import main

STREAMS = ("stdin", "stdout", "stderr")


def stend(
    *words: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    input: bytes = b"",
    text: bool = True,
) -> CompletedProcess[Any]:
    """Run a verb as `subprocess.run` would; give its exit code and output.

    env is the whole environment, or None for this one; input comes through a pipe.
    """
    said = bytearray(), bytearray()
    with (
        pytest.MonkeyPatch.context() as here,
        _piped(0, lambda pipe: _feed(pipe, input)),
        _piped(1, lambda pipe: _drain(pipe, said[0])),
        _piped(2, lambda pipe: _drain(pipe, said[1])),
    ):
        here.setattr(
            "stend.processes.interrupts.listen", lambda: None
        )  # this process stays as it is
        here.setattr(sys, "argv", ["stend", *map(str, words)])
        if env is not None:
            _set(here, env)
        if cwd:
            here.chdir(cwd)
        with pytest.raises(SystemExit) as left:
            main()
    printed = [each.decode() if text else bytes(each) for each in said]
    return CompletedProcess(words, int(left.value.code or 0), *printed)


def _set(here: pytest.MonkeyPatch, env: Mapping[str, str]) -> None:
    for name in os.environ.keys() - env.keys():
        here.delenv(name)
    for name, value in env.items():
        here.setenv(name, value)


@contextmanager
def _piped(number: int, work: Callable[[int], None]) -> Iterator[None]:
    """Let a standard stream be a pipe, at whose other end a thread works."""
    ends = os.pipe()
    ours, theirs = ends if number else ends[::-1]
    thread = Thread(target=work, args=(ours,))
    thread.start()
    try:
        with _replaced(number, theirs):
            yield
    finally:
        thread.join()


@contextmanager
def _replaced(number: int, descriptor: int) -> Iterator[None]:
    """Let a standard stream be another descriptor, for the system and for Python."""
    name, before = STREAMS[number], os.dup(number)
    python = getattr(sys, name)
    os.dup2(descriptor, number)
    os.close(descriptor)
    stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
    setattr(sys, name, stream)
    try:
        yield
        stream.close()
    finally:
        setattr(sys, name, python)
        os.dup2(before, number)
        os.close(before)


def _feed(pipe: int, data: bytes) -> None:
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(pipe, left) :]
    except BrokenPipeError:
        pass  # it reads no further
    finally:
        os.close(pipe)


def _drain(pipe: int, into: bytearray) -> None:
    while piece := os.read(pipe, 1 << 16):
        into += piece
    os.close(pipe)
