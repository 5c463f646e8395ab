"""The runner of a project's programs: every repetition is one execution, and prints its figures."""

import contextlib
import errno
import hashlib
import itertools
import math
import os
import re
import shlex
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from stend.benchmarks.runner import Rule
from stend.errors import Crashed, MeasuringError, TimedOut, WrongResult
from stend.processes.child import Child, signal_name, tail
from stend.processes.launcher import launcher
from stend.record import ClockFacts, Proof, Sample
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.running.sampling import Collected

CLOCK = ClockFacts(name="CLOCK_MONOTONIC", available=True, hz=1e9, resolution=1e-9)
MOST_PRINTED = 16 << 20
"""Bytes that one execution may print: a program that prints more does nothing else."""
PATIENCE = 10.0
"""Seconds that a pattern is looked for in what was printed: some never end, as (a+)+$ of aaaa…b."""
MANY = 1000
"""Matches of a pattern that are counted."""
SHOWN = 200
"""Characters of what a program printed that a sentence quotes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a figure stands in what a program prints."""

    name: str
    pattern: str = ""
    """A regular expression whose group `value`, or only group, is the number; a group `unit` is
    looked up in `units`."""
    json: str = ""
    """Or a path in its JSON: `results.0.rate`."""
    scale: float = 1.0
    units: Mapping[str, float] = field(default_factory=dict)
    """What a printed unit is in the metric's."""

    def of(self, printed: str) -> float:
        """The figure; raises MeasuringError where it isn't there, or more than once."""
        number, unit = self._in_json(printed) if self.json else self._matched(printed)
        try:
            value = float(number) * self.scale * self._factor(unit)
        except (TypeError, ValueError, OverflowError):
            raise MeasuringError(
                f"The metric {self.name} is {_quoted(number)}, which is no number."
            ) from None
        if not math.isfinite(value):
            raise MeasuringError(
                f"The metric {self.name} is {_quoted(number)}, which is not finite."
            )
        return value

    def _matched(self, printed: str) -> tuple[str, str | None]:
        with _in_time(self.pattern):
            found = list(itertools.islice(re.finditer(self.pattern, printed, re.MULTILINE), MANY))
        if len(found) != 1:
            many = f"{MANY:,} or more" if len(found) == MANY else len(found)
            times = "nothing" if not found else f"{many} places, and has to match one"
            raise MeasuringError(
                f"The pattern {self.pattern!r} of the metric {self.name} matches {times} in what "
                f"was printed: {_beginning(printed)}"
            )
        groups = found[0].groupdict()
        return groups.get("value") or found[0][1], groups.get("unit")

    def _in_json(self, printed: str) -> tuple[Any, None]:
        try:
            value = msgspec.json.decode(printed)
        except (msgspec.DecodeError, RecursionError) as error:
            raise MeasuringError(
                f"What was printed is no JSON ({error}): {_beginning(printed)}"
            ) from None
        for step in _steps(self.json):
            try:
                value = value[int(step)] if isinstance(value, list) else value[step]
            except (LookupError, TypeError, ValueError):
                raise MeasuringError(
                    f"The path {self.json} of the metric {self.name} leads nowhere: there is no "
                    f"{step!r}."
                ) from None
        return value, None

    def _factor(self, unit: str | None) -> float:
        if unit is None:
            return 1.0
        if unit not in self.units:
            raise MeasuringError(
                f"The metric {self.name} was printed in {printable(unit)!r}; its units are "
                f"{', '.join(self.units) or 'not given'}."
            )
        return self.units[unit]


def _steps(path: str) -> list[str]:
    return [step for step in re.split(r"[.\[\]]+", path.removeprefix("$")) if step]


@contextlib.contextmanager
def _in_time(pattern: str) -> Iterator[None]:
    """Give up a pattern after a while; what looks for it can't be interrupted from a thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(number: int, frame: object) -> None:
        raise MeasuringError(
            f"The pattern {pattern!r} was looked for longer than {PATIENCE:g} s in what was "
            "printed; write one that needs no backtracking."
        )

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _quoted(value: object) -> str:
    """What stands where a number was expected."""
    try:
        text = str(value)
    except ValueError:  # thousands of digits
        text = "a number of thousands of digits"
    return repr(printable(text[:SHOWN])) + (" …" if len(text) > SHOWN else "")


def _beginning(printed: str) -> str:
    text = " ".join(printed[: 100 * SHOWN].split())
    if not text:
        return "it printed nothing."
    return f"{printable(text[:SHOWN])!r}{' …' if len(text) > SHOWN else ''}."


@dataclass(frozen=True, slots=True)
class Check:
    """What proves an execution."""

    exit: int = 0
    """The code that it ends with."""
    pattern: str = ""
    """What it prints somewhere, as a regular expression."""
    file: str = ""
    sha256: str = ""
    """Of that file's content, in hexadecimal digits."""

    @property
    def said(self) -> str:
        """The proof in a sentence."""
        parts = [f"Every execution exited with code {self.exit}"]
        parts += [f"printed what matches {self.pattern!r}"] if self.pattern else []
        parts += [f"wrote {self.file} with its SHA-256"] if self.file else []
        return f"{', '.join(parts[:-1])} and {parts[-1]}." if len(parts) > 1 else f"{parts[0]}."


@dataclass(frozen=True, slots=True)
class Command:
    """A program that is measured by executing it."""

    words: tuple[str, ...]
    folder: Path
    """It is executed there."""
    readings: tuple[Reading, ...] = ()
    """The first is the metric; none: the time of an execution is."""
    check: Check = Check()
    build: str = ""
    """A shell's line that makes the program."""
    timeout: float = 600.0
    """Seconds that one execution may take."""
    environment: Mapping[str, str] = field(default_factory=dict)
    variant: None = None

    def measure(self, rule: Rule, process: int) -> tuple[Sample, dict[str, str]]:
        """Build it, execute it until the rule is content, and prove every execution.

        Raises:
            MeasuringError: it can't be built or started, or its output not be understood.
            WrongResult: an execution did not prove itself.
            Crashed: a signal ended it.
            TimedOut: it took too long.
        """
        from stend.running.sampling import measure, stopping_rule

        if process == 0 and self.build:
            self._build()
        before = self._digest()
        sample = measure(
            _Executions(self),
            clock=CLOCK,
            rule=stopping_rule(rule),
            budget=rule.seconds,
            proof=lambda: Proof(right=True, said=self.check.said),
            process=process,
        )
        if self._digest() != before:
            raise MeasuringError(f"{self.words[0]} was replaced while it was measured.")
        return sample, {"command": shlex.join(self.words), "program": before}

    def once(self) -> tuple[float, list[float]]:
        """Execute it once: seconds, and the figures."""
        with tempfile.TemporaryFile() as errors:
            printed, took, status = self._executed(errors)
            said = tail(errors, 1000).strip().splitlines()
        self._prove(printed, os.waitstatus_to_exitcode(status), said[-1] if said else "")
        return took, [reading.of(printed) for reading in self.readings]

    def _executed(self, errors: IO[bytes]) -> tuple[str, float, int]:
        """What it printed, its seconds, and how it ended.

        The launcher, which `stend time` uses too, ends it if this process is killed.
        """
        words = (self._path, *self.words[1:])
        if not self.folder.is_dir():
            raise MeasuringError(f"There is no folder {printable(str(self.folder))}.")
        read, write = os.pipe()
        with os.fdopen(read, "rb") as answer:
            try:
                child = Child(
                    (launcher(), str(write), str(os.getpid()), *words),
                    stderr=errors,
                    folder=self.folder,
                    environment=os.environ | self.environment,
                    answer=write,
                )
            except OSError as error:
                raise MeasuringError(f"{words[0]} can't be started: {error.strerror}.") from error
            text = self._printed(child, words[0])
            times = answer.read().split()
        if len(times) != 9:
            raise MeasuringError(f"{words[0]} was not measured: its launcher was killed.")
        if fault := int(times[8]):
            raise MeasuringError(f"{words[0]} can't be started: {os.strerror(fault)}.")
        return text.decode(errors="replace"), int(times[1]) / 1e9, int(times[5])

    def _printed(self, child: Child, name: str) -> bytes:
        """All that it prints until it ends, in time; what it leaves behind is ended."""
        text = bytearray()
        deadline = time.monotonic() + self.timeout
        with child:
            try:
                for chunk in child.chunks(child.output, self.timeout):
                    text += chunk
                    if len(text) > MOST_PRINTED:
                        raise MeasuringError(
                            f"{name} printed more than {MOST_PRINTED:,} bytes; it was ended."
                        )
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise TimedOut(
                    f"{name} took longer than {self.timeout:g} s; it was ended."
                ) from None
        return bytes(text)

    def _prove(self, printed: str, code: int, last_words: str) -> None:
        said = f": {printable(last_words)}" if last_words else ""
        if code < 0 and self.check.exit >= 0:
            raise Crashed(f"{self.words[0]} was ended by {signal_name(-code)}{said}.")
        if code != self.check.exit:
            raise WrongResult(
                f"{self.words[0]} exited with code {code} instead of {self.check.exit}{said}."
            )
        if self.check.pattern and not self._matches(printed):
            raise WrongResult(
                f"Nothing that {self.words[0]} printed matches {self.check.pattern!r}: "
                f"{_beginning(printed)}"
            )
        if self.check.file and (found := self._sum_of(self.check.file)) != self.check.sha256:
            raise WrongResult(f"{self.check.file} has the SHA-256 {found}, not the one given.")

    def _matches(self, printed: str) -> bool:
        with _in_time(self.check.pattern):
            return bool(re.search(self.check.pattern, printed, re.MULTILINE))

    def _sum_of(self, name: str) -> str:
        try:
            return _sha256(self.folder / name)
        except OSError as error:
            raise WrongResult(f"{name} can't be read: {error.strerror}.") from error

    def _build(self) -> None:
        try:
            building = Child(
                ["/bin/sh", "-c", self.build],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                folder=self.folder,
                environment=os.environ | self.environment,
                ladder=((signal.SIGTERM, 1.0),),
            )
        except OSError as error:
            raise MeasuringError(
                f"`{self.build}` can't be started in {self.folder}: {error.strerror}."
            ) from error
        text = b""
        with building:
            try:
                for chunk in building.chunks(building.output, self.timeout):
                    text = (text + chunk)[-32_000:]
                code = building.wait(self.timeout)
            except subprocess.TimeoutExpired:
                raise TimedOut(
                    f"`{self.build}` took longer than {self.timeout:g} s; it was ended."
                ) from None
        said = text.decode(errors="replace")
        if code:
            last = said.strip().splitlines()[-1:] or ["it printed nothing"]
            raise MeasuringError(
                f"`{self.build}` failed with code {code}: {printable(last[0])}.",
                {"build": printable(said[-8000:], name=False)},
            )

    @property
    def _path(self) -> str:
        """A program with a slash is found from its folder, another one on PATH."""
        first = self.words[0]
        return str(self.folder / first) if "/" in first else first

    def _digest(self) -> str:
        from shutil import which

        found = which(self._path, path=self.environment.get("PATH"))
        if found is None:
            raise MeasuringError(f"There is no program {self._path}.")
        try:
            return f"{Path(found).name}, SHA-256 {_sha256(Path(found))}"
        except OSError as error:
            raise MeasuringError(f"{found} can't be read: {error.strerror}.") from error


def _sha256(path: Path) -> str:
    """Of an ordinary file: a pipe would block, and /dev/zero never end."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file")
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Executions:
    """A collector: each repetition is one execution."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._names = [reading.name for reading in command.readings]

    def collect(self, batch: int, count: int, seconds: float, /) -> "Collected":
        """Execute it up to `count` times, beginning none after `seconds`."""
        import numpy as np

        from stend.running.sampling import Collected

        if batch != 1:
            raise MeasuringError(
                f"{self._command.words[0]} took less than 50 µs, as no program does."
            )
        started: list[int] = []
        took: list[float] = []
        figures: list[list[float]] = []
        end = time.monotonic() + seconds
        while len(took) < count and (not took or time.monotonic() < end):
            started.append(time.monotonic_ns())
            seconds_taken, read = self._command.once()
            took.append(seconds_taken)
            figures.append(read)
        columns = np.array(figures, dtype=np.float64).reshape(len(took), -1).T
        return Collected(
            started=np.array(started, dtype=np.int64),
            ticks=(np.array(took) * 1e9).astype(np.int64),
            core=np.full(len(took), -1, dtype=np.int64),
            preempted=np.zeros(len(took), dtype=np.int64),
            values=columns[0] if len(columns) else None,
            also=dict(zip(self._names[1:], columns[1:], strict=True)),
        )


def written(value: object) -> str:
    """A parameter's value as TOML and a command line write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def substituted(words: Sequence[str], values: Mapping[str, object]) -> tuple[str, ...]:
    """The words with `{name}` replaced by the value of that name; unknown names stay."""

    def value(found: "re.Match[str]") -> str:
        return written(values[found[1]]) if found[1] in values else found[0]

    return tuple(re.sub(r"\{(\w+)\}", value, word) for word in words)
