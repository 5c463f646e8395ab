"""How far the work is, as a line on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERVAL = 0.1
"""Seconds between two lines."""
WIDTH = 24
"""Characters of the bar."""


@contextmanager
def progress(verb: str, size: int | None) -> Iterator[Callable[[int], None] | None]:
    """Show on a terminal how many of `size` bytes are done; gives what is to be told of it.

    None where standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    begun = time.monotonic()
    shown = -1.0

    def show(done: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= INTERVAL:
            shown = now
            _print(_line(verb, done, size, now - begun))

    try:
        show(0)
        yield show
    finally:
        _print("")


def _print(line: str) -> None:
    sys.stderr.write(f"\r\x1b[K{line}")
    sys.stderr.flush()


def _line(verb: str, done: int, size: int | None, seconds: float) -> str:
    rate = f"{done / max(seconds, 1e-3) / 1e6:,.0f} MB/s"
    if not size:
        return f"{verb} {done / 1e6:,.1f} MB  {rate}"
    filled = min(WIDTH, WIDTH * done // size)
    bar = "#" * filled + "-" * (WIDTH - filled)
    return f"{verb} [{bar}] {done / 1e6:,.1f} of {size / 1e6:,.1f} MB  {rate}"
