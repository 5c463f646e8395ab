"""The runner of a project's programs: every repetition is one execution, and prints its figures."""

import hashlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from stend.benchmarks.runner import Rule
from stend.errors import Crashed, MeasuringError, TimedOut, WrongResult
from stend.processes.child import Child, signal_name, tail
from stend.record import ClockFacts, Proof, Sample
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.running.sampling import Collected

CLOCK = ClockFacts(name="CLOCK_MONOTONIC", available=True, hz=1e9, resolution=1e-9)
MOST_PRINTED = 16 << 20
"""Bytes that one execution may print: a program that prints more does nothing else."""
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
            value = float(number)
        except (TypeError, ValueError):
            raise MeasuringError(
                f"The metric {self.name} is {printable(str(number))!r}, which is no number."
            ) from None
        return value * self.scale * self._factor(unit)

    def _matched(self, printed: str) -> tuple[str, str | None]:
        found = list(re.finditer(self.pattern, printed, re.MULTILINE))
        if len(found) != 1:
            times = "nothing" if not found else f"{len(found)} places, and has to match one"
            raise MeasuringError(
                f"The pattern {self.pattern!r} of the metric {self.name} matches {times} in what "
                f"was printed: {_beginning(printed)}"
            )
        groups = found[0].groupdict()
        return groups.get("value") or found[0][1], groups.get("unit")

    def _in_json(self, printed: str) -> tuple[Any, None]:
        try:
            value = msgspec.json.decode(printed)
        except msgspec.DecodeError as error:
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


def _beginning(printed: str) -> str:
    text = " ".join(printed.split())
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
            began = time.monotonic()
            printed, code = self._executed(errors)
            took = time.monotonic() - began
            said = tail(errors, 1000).strip().splitlines()
        self._prove(printed, code, said[-1] if said else "")
        return took, [reading.of(printed) for reading in self.readings]

    def _executed(self, errors: IO[bytes]) -> tuple[str, int]:
        words = (self._path, *self.words[1:])
        try:
            child = Child(
                words,
                stderr=errors,
                folder=self.folder,
                environment=os.environ | self.environment,
            )
        except OSError as error:
            raise MeasuringError(f"{words[0]} can't be started: {error.strerror}.") from error
        text = bytearray()
        with child:
            try:
                for chunk in child.chunks(child.output, self.timeout):
                    text += chunk
                    if len(text) > MOST_PRINTED:
                        raise MeasuringError(
                            f"{words[0]} printed more than {MOST_PRINTED:,} bytes; it was ended."
                        )
                code = child.wait(max(0.1, self.timeout))
            except subprocess.TimeoutExpired:
                raise TimedOut(
                    f"{words[0]} took longer than {self.timeout:g} s; it was ended."
                ) from None
        return text.decode(errors="replace"), code

    def _prove(self, printed: str, code: int, last_words: str) -> None:
        said = f": {printable(last_words)}" if last_words else ""
        if code < 0 and self.check.exit >= 0:
            raise Crashed(f"{self.words[0]} was ended by {signal_name(-code)}{said}.")
        if code != self.check.exit:
            raise WrongResult(
                f"{self.words[0]} exited with code {code} instead of {self.check.exit}{said}."
            )
        if self.check.pattern and not re.search(self.check.pattern, printed, re.MULTILINE):
            raise WrongResult(
                f"Nothing that {self.words[0]} printed matches {self.check.pattern!r}: "
                f"{_beginning(printed)}"
            )
        if self.check.file and (found := self._sum_of(self.check.file)) != self.check.sha256:
            raise WrongResult(f"{self.check.file} has the SHA-256 {found}, not the one given.")

    def _sum_of(self, name: str) -> str:
        try:
            return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise WrongResult(f"{name} can't be read: {error.strerror}.") from error

    def _build(self) -> None:
        done = Child(
            ["/bin/sh", "-c", self.build],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            folder=self.folder,
            ladder=((signal.SIGTERM, 1.0),),
        )
        with done:
            said = b"".join(done.chunks(done.output, self.timeout)).decode(errors="replace")
            code = done.wait(self.timeout)
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

        found = which(self._path)
        if found is None:
            raise MeasuringError(f"There is no program {self._path}.")
        with Path(found).open("rb") as file:
            return f"{Path(found).name}, SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()}"


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


def substituted(words: Sequence[str], values: Mapping[str, object]) -> tuple[str, ...]:
    """The words with `{name}` replaced by the value of that name; unknown names stay."""

    def value(found: "re.Match[str]") -> str:
        return str(values.get(found[1], found[0]))

    return tuple(re.sub(r"\{(\w+)\}", value, word) for word in words)
