"""Figures and progress, for people and for programs (`--json`)."""

import json
import math
import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any, Self

from stend_tomo.cli.arguments import Option

Json = Annotated[bool, Option("--json", help="Print JSON.")]


def print_json(value: object) -> None:
    """Print what `--json` asks for, indented; what is no number is null."""
    print(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def size_of(path: Path) -> str:
    """Give ` (4.6 MB)`, or ` (870 kB)` of a small file; nothing of a pipe or a device."""
    if not path.is_file():
        return ""
    size = path.stat().st_size
    return f" ({size / 1e6:.1f} MB)" if size >= 1e6 else f" ({size / 1e3:.0f} kB)"


BETWEEN = 10.0
"""Seconds between lines where no bar is drawn."""
REDRAWN = 0.1
"""Seconds between bars."""
WIDTH = 24
"""Characters of a bar."""
ERASED = "\r\x1b[2K"


class SlicesShown:
    """A progress display over slices, or `what` else; used as a context manager."""

    def __init__(self, doing: str, total: int, what: str = "slices") -> None:
        self._doing, self._total, self._what = doing, total, what
        self._said = time.monotonic()
        self._at_first: tuple[float, float] | None = None
        self._bar = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Self:
        if self._bar:
            self._draw(0, self._total, self._doing)
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar:
            _write(ERASED)

    def reached(self, done: int, of: int, rate: float) -> None:
        """Say that so many slices are there, at how many a second."""
        self._say(done, of, rate)

    def iterated(self, done: int, of: int, residual: float) -> None:
        """Say how far iterations are, of those of all slices, and what projections are missed by.

        The speed is of iterations, those of slices that are not there yet included.
        """
        slices, now = self._total * done / of, time.monotonic()
        self._at_first = began, before = self._at_first or (now, slices)
        rate = (slices - before) / (now - began) if now > began else 0.0
        self._say(slices, self._total, rate, f", residual {residual:.3g}")

    def _say(self, done: float, of: int, rate: float, more: str = "") -> None:
        speed = f", {rate:.3g} {self._what}/s, {duration((of - done) / rate)} left" if rate else ""
        said = f"{self._doing} {int(done):,} of {of:,}{speed}{more}"
        waited = time.monotonic() - self._said
        if self._bar and (waited >= REDRAWN or done >= of):
            self._draw(done, of, said)
        elif not self._bar and done < of and waited >= BETWEEN:
            _write(f"{said}\n")
        else:
            return
        self._said = time.monotonic()

    def _draw(self, done: float, of: int, said: str) -> None:
        full = int(WIDTH * done / of)
        line = f"{100 * done / of:3.0f}% {'━' * full}{' ' * (WIDTH - full)} {said}"
        _write(ERASED + line[: get_terminal_size().columns - 1])


def _write(text: str) -> None:
    with suppress(OSError):  # nobody reads on, which is no reason to stop
        sys.stderr.write(text)
        sys.stderr.flush()


def duration(seconds: float) -> str:
    """`0.8 s`, `75 s`, `12 min` or `3.2 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def encodable(text: str) -> str:
    r"""Write what no encoding has, as names of files may hold, as `\udcff`: for JSON."""
    return text.encode(errors="backslashreplace").decode()
