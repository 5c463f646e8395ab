"""The runner of jobs: starts the program, asks it for repetitions and a proof, ends it.

It ends in every case: asked to first, so that a launcher can end what it started elsewhere.
"""

import collections
import contextlib
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from stend import native
from stend.benchmarks.runner import Rule
from stend.errors import Crashed, MeasuringError, TimedOut
from stend.processes.child import Child, signal_name, tail
from stend.record import ClockFacts, Proof, Sample

if TYPE_CHECKING:
    import numpy as np

    from stend.running.sampling import Collected
    from stend.statistics import Floats

CLOCK = ClockFacts(name="CLOCK_MONOTONIC", available=True, hz=1e9, resolution=1e-9)
"""Of rank 0; every rank has its own, and only durations are compared."""
MARK = "stend\t"
"""What begins a line of ours; others are passed over."""
OTHERS = 50
"""Lines of others that are kept: MPICH tells there which rank was killed."""
LONGEST = 1 << 16
"""Bytes of a line that are kept; ours are shorter by far."""
TAIL = 8000
"""Characters of standard error that are kept."""
CLEANING = 4.0
"""Seconds that the launcher may take to end the ranks, before it is killed."""
LEAVING = 10.0
"""Seconds that the ranks may take to leave when they are told to."""


@dataclass(frozen=True, slots=True)
class Job:
    """A program that measures itself when it is asked: how it is started, how long it is awaited.

    It may be of processes on several hosts. Calibration, warm-up, stopping rule, cautions and
    proofs are those of every other benchmark; native/mpi/README.md has the words.
    """

    variant: str | None
    command: tuple[str, ...]
    environment: Mapping[str, str]
    """All of it, not only what differs."""
    starting: float = 30.0
    """Seconds until it must be ready."""
    answering: float = 20.0
    """Seconds that an answer may take beside the time that was asked for."""
    last_words: Callable[[str], str] = field(default=lambda said: said.strip()[-200:])
    """What it or its launcher printed to standard error → the words that tell why it ended."""

    def measure(self, rule: Rule, process: int) -> tuple[Sample, dict[str, str]]:
        """Measure by `rule`; the second is what else belongs to the record.

        Raises:
            Crashed: the program ended too early.
            TimedOut: it gave no answer in time.
            native.Unavailable: it can't run here, as it says itself.
        """
        from stend.running.sampling import measure, stopping_rule  # numpy, which no list needs

        with Program(self) as program:
            sample = measure(
                program,
                clock=CLOCK,
                rule=stopping_rule(rule),
                budget=rule.seconds,
                proof=program.prove,
                process=process,
                origin=program.origin,
            )
            program.leave()
        return sample, {"about": program.about, "command": shlex.join(self.command)}


class Program:
    """The running program, as a collector."""

    def __init__(self, job: Job) -> None:
        """Start it; on entering it is awaited."""
        self._job = job
        self._left = b""
        """The beginning of a line."""
        self._whole: collections.deque[bytes] = collections.deque()
        """Lines that came with the one that was awaited."""
        self._others: collections.deque[str] = collections.deque(maxlen=OTHERS)
        self._stderr: IO[bytes] = os.fdopen(os.memfd_create("stderr"), "w+b")
        self._process = self._start()
        self.about = ""
        self.origin = 0

    def __enter__(self) -> Self:
        try:
            self.about = self._ready()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()
        self._stderr.close()

    def collect(self, batch: int, count: int, seconds: float, /) -> "Collected":
        """Up to `count` repetitions, none begun after `seconds`."""
        columns: dict[str, list[str]] = {}
        limit = min(seconds, 1e6)  # it may be for ever
        with self._understanding():
            for words in self._answers(f"collect {batch} {count} {limit!r}", limit):
                if words[0] == "column":
                    columns.setdefault(words[1], []).extend(words[2].split())
                elif words[0] == "collected":
                    return _collected(columns, right=words[1] == "right")
        raise AssertionError("answers end with what is looked for")

    def prove(self) -> Proof:
        """Whole messages compared with what was sent; of a barrier, who has left it too early."""
        with self._understanding():
            what, how, rank = next(self._answers("prove", 0.0))
            if what != "proof":
                raise ValueError(f"{what!r} is no proof")
        if how == "right":
            return Proof(right=True, said="All that had to arrive did, whole, on every rank.")
        said = f"Rank {rank} received an unexpected message, or missed one."
        return Proof(right=False, said=said)

    def leave(self) -> None:
        """Tell it to; one that doesn't is ended."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._ask("leave")
            self._process.wait(LEAVING)

    def _start(self) -> Child:
        try:
            return Child(
                self._job.command,
                environment=self._job.environment,
                stdin=subprocess.PIPE,
                stderr=self._stderr,
                ladder=((signal.SIGTERM, CLEANING),),
                dying=CLEANING,
                own_group=False,
            )
        except OSError as error:
            raise MeasuringError(
                f"`{self._job.command[0]}` can't be started: {error.strerror}."
            ) from error

    def _ready(self) -> str:
        words = next(self._lines(time.monotonic() + self._job.starting, "to be ready"))
        self.origin = time.monotonic_ns()
        with self._understanding():
            if words[0] == "refused":
                raise native.Unavailable(_sentence(words[1]))
            version, where, overhead = words[1:4]
        return f"{version}; {where}; {overhead} ns of reading the clock are taken off each duration"

    def _ask(self, question: str) -> None:
        self._process.input.write(question.encode() + b"\n")
        self._process.input.flush()

    def _answers(self, question: str, seconds: float) -> Iterator[list[str]]:
        with contextlib.suppress(BrokenPipeError):  # its last words tell more
            self._ask(question)
        deadline = time.monotonic() + seconds + self._job.answering
        return self._lines(deadline, "for an answer")

    def _lines(self, deadline: float, what: str) -> Iterator[list[str]]:
        """The program's lines as words; ends by an error at the latest."""
        began = time.monotonic()
        yield from self._marked()
        try:
            for chunk in self._process.chunks(self._process.output, deadline - began):
                *whole, self._left = (self._left + chunk).split(b"\n")
                self._whole.extend(line[:LONGEST] for line in whole)
                self._left = self._left[:LONGEST]
                yield from self._marked()
                if time.monotonic() > deadline:  # somebody may print without end
                    raise self._late(time.monotonic() - began, what)
        except subprocess.TimeoutExpired:
            raise self._late(time.monotonic() - began, what) from None
        raise self._ended()

    def _marked(self) -> Iterator[list[str]]:
        """Our lines among those that have come, as words; the others are kept."""
        while self._whole:
            text = self._whole.popleft().decode(errors="replace").rstrip("\r")
            if text.startswith(MARK):
                yield text.removeprefix(MARK).split("\t")
            elif text:
                self._others.append(text)

    @contextlib.contextmanager
    def _understanding(self) -> Iterator[None]:
        """What stands in an answer may be anything."""
        try:
            yield
        except (ValueError, LookupError, OverflowError) as error:
            raise MeasuringError(
                f"What the ranks answered can't be read: {error}.", self._detail()
            ) from error

    def _late(self, waited: float, what: str) -> TimedOut:
        self._end()
        return TimedOut(
            f"The ranks took longer than {waited:.0f} s {what}, so they were "
            f"stopped{self._last_words()}.",
            self._detail(),
        )

    def _ended(self) -> Crashed:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLEANING)
        self._end()
        code = self._process.returncode
        how = f"was ended by {signal_name(-code)}" if code < 0 else f"exited with code {code}"
        launcher = Path(self._job.command[0]).name
        return Crashed(f"{launcher} {how}{self._last_words()}.", self._detail())

    def _last_words(self) -> str:
        printed = self._printed()
        return f": {self._job.last_words(printed).rstrip('.')}" if printed.strip() else ""

    def _printed(self) -> str:
        """The end of standard error, then of what else came to standard output."""
        said = tail(self._stderr, TAIL)
        return "\n".join([said, *self._others]) if self._others else said

    def _detail(self) -> dict[str, str]:
        printed = self._printed()
        return {"command": shlex.join(self._job.command)} | (
            {"stderr": printed[-TAIL:]} if printed else {}
        )

    def _end(self) -> None:
        self._process.close()
        self._process.end()


def _collected(columns: dict[str, list[str]], right: bool) -> "Collected":
    import numpy as np

    from stend.running.sampling import Collected

    def integers(name: str) -> "np.typing.NDArray[np.int64]":
        return np.array(columns.pop(name), dtype=np.int64)

    def numbers(name: str) -> "Floats":
        return np.array(columns.pop(name), dtype=np.float64)

    return Collected(
        started=integers("started"),
        ticks=integers("ticks"),
        core=integers("core"),
        preempted=integers("preempted"),
        values=numbers("value") if "value" in columns else None,
        right=right,
        also={name: numbers(name) for name in list(columns)},
    )


def _sentence(said: str) -> str:
    return said[:1].upper() + said[1:]
