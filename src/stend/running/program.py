"""The runner of programs: alone by a stopping rule, or interleaved with another program.

A small launcher of ours starts it (native/command), because Linux counts the memory of the
process that launches into the peak of what it launches.
"""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

import msgspec
import numpy as np

from stend.errors import MeasuringError
from stend.processes.child import Child, signal_name, tail
from stend.processes.launcher import launcher
from stend.record import (
    PROGRAM,
    CaseRecord,
    ClockFacts,
    Integers,
    Metric,
    Numbers,
    Proof,
    Sample,
    Status,
    Stop,
    Work,
)
from stend.record.text import without_passwords
from stend.running.sampling import Collected, Precision, measure


@dataclass(frozen=True, slots=True)
class Once:
    """What one execution of a program took."""

    start_ns: int
    """CLOCK_MONOTONIC."""
    wall_ns: int
    user: float
    """Seconds of processor time in the program."""
    system: float
    """Seconds of processor time in the kernel on its behalf."""
    peak_bytes: int
    """Largest resident set of any one process that it waited for."""
    core: int
    switches: int
    """Times that the scheduler took the processor away."""


def execute(command: Sequence[str]) -> Once:
    """Run the program once, its output thrown away.

    Raises:
        MeasuringError: it can't be started, fails or is killed.
        SetupError: the launcher is not installed.
    """
    read, write = os.pipe()
    with tempfile.TemporaryFile() as stderr, os.fdopen(read, "rb") as answer:
        words = (launcher(), str(write), str(os.getpid()), *command)
        process = Child(words, stdout=subprocess.DEVNULL, stderr=stderr, answer=write)
        with process:  # what the program leaves behind would disturb the next execution
            times = answer.read().split()
        return _once(command, times, stderr)


def _once(command: Sequence[str], words: list[bytes], stderr: IO[bytes]) -> Once:
    if len(words) != 9:
        raise MeasuringError(f"`{shlex.join(command)}` was not measured: its launcher was killed.")
    start, wall, user, system, peak, status, core, switches, errno = map(int, words)
    if errno:
        raise MeasuringError(f"`{command[0]}` can't be started: {os.strerror(errno)}.")
    if status:
        raise MeasuringError(f"`{shlex.join(command)}` {_failure(status)}{_last_line(stderr)}.")
    return Once(start, wall, user / 1e6, system / 1e6, peak, core, switches)


def _failure(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"was ended by {signal_name(os.WTERMSIG(status))}"
    return f"exited with code {os.WEXITSTATUS(status)}"


def _last_line(stderr: IO[bytes]) -> str:
    lines = tail(stderr, 1000).strip().splitlines()
    return f": {lines[-1]}" if lines else " and printed nothing"


Execute = Callable[[Sequence[str]], Once]

WALL = Metric(name="wall time", unit="s", better="lower")
CLOCK = ClockFacts(name="CLOCK_MONOTONIC", available=True, hz=1e9, resolution=1e-9)
SUCCESS = Proof(right=True, said="Every execution exited with code 0.")
FEWEST = 10
"""Executions that are made of a slow program when the user sets no time."""
SECONDS = 5.0


class Program:
    """A collector: each repetition is one execution of the program."""

    def __init__(self, command: Sequence[str], execute: Execute = execute) -> None:
        self._command = command
        self._execute = execute
        self.made: list[Once] = []

    def collect(self, batch: int, count: int, seconds: float, /) -> Collected:
        """Execute it up to `count` times, beginning none after `seconds`."""
        if batch != 1:
            raise MeasuringError(
                f"`{shlex.join(self._command)}` took less than 50 µs, which no program does; "
                "the clock of this machine can't be trusted."
            )
        begun, first = time.monotonic(), len(self.made)
        while len(self.made) - first < count:
            self.made.append(self._execute(self._command))
            if time.monotonic() - begun > seconds:
                break
        return _columns(self.made[first:])


def measure_program(
    command: Sequence[str], seconds: float | None, execute: Execute = execute
) -> CaseRecord:
    """Measure a program by the rule `precision`; a failing one is a record that says why."""
    program = Program(command, execute)
    warm: list[int] = []

    def sampling_begins() -> None:
        warm.append(len(program.made))

    try:
        if seconds is None:
            first = execute(command).wall_ns / 1e9
            seconds = max(SECONDS, (FEWEST + 1) * first / 0.75)  # a quarter may be warm-up
        sample = measure(
            program,
            clock=CLOCK,
            rule=Precision(),
            budget=seconds,
            proof=lambda: SUCCESS,
            core_frequency=sampling_begins,  # is asked right before sampling, and after it
        )
    except MeasuringError as error:
        return _record(command, _cut_short(program.made), Status.FAILED, str(error))
    except KeyboardInterrupt:
        cut = _cut_short(program.made[warm[0] :], warm[0]) if warm else ()
        return _record(command, cut, Status.INTERRUPTED, "Ctrl-C ended it.")
    kept = program.made[-len(sample.ticks) :]
    return _record(command, (msgspec.structs.replace(_from_first(sample), also=_also(kept)),))


def measure_programs(
    a: Sequence[str],
    b: Sequence[str],
    pairs: int,
    report: Callable[[int], None],
    execute: Execute = execute,
) -> tuple[CaseRecord, CaseRecord]:
    """Execute two programs in turn, A B B A …, after one execution of each that is discarded.

    `report` is given how many pairs are done.
    """
    commands = (a, b)
    samples: tuple[list[Sample], list[Sample]] = ([], [])
    ended: dict[int, tuple[Status, str]] = {}
    for pair in range(-1, pairs):
        for side in (0, 1) if pair % 2 == 0 else (1, 0):
            try:
                once = execute(commands[side])
            except MeasuringError as error:
                ended[side] = (Status.FAILED, str(error))
                break
            except KeyboardInterrupt:
                ended[side] = (Status.INTERRUPTED, "Ctrl-C ended it.")
                break
            if pair >= 0:
                samples[side].append(_sample([once], pair, warm_up=1 if pair == 0 else 0))
        if ended:
            break
        report(pair + 1)
    for side in (0, 1):
        if not samples[side] and ended:
            ended.setdefault(side, next(iter(ended.values())))
    first, second = (
        msgspec.structs.replace(
            _record(commands[i], tuple(samples[i]), *ended.get(i, (Status.MEASURED, ""))),
            side="AB"[i],
        )
        for i in (0, 1)
    )
    return first, second


def _cut_short(made: Sequence[Once], warm_up: int = 0) -> tuple[Sample, ...]:
    """What had been executed when a later execution failed or was interrupted."""
    return (_sample(made, process=0, warm_up=warm_up),) if made else ()


def _sample(made: Sequence[Once], process: int, warm_up: int) -> Sample:
    columns = _columns(made)
    sample = Sample(
        process=process,
        clock=CLOCK.name,
        hz=1e9,
        origin=0,
        batch=1,
        started=Integers(columns.started.tolist()),
        ticks=Integers(columns.ticks.tolist()),
        core=Integers(columns.core.tolist()),
        preempted=Integers(columns.preempted.tolist()),
        also=_also(made),
        warm_up=warm_up,
        stop=Stop(rule="once", criterion="once"),
        proof=SUCCESS,
    )
    return _from_first(sample)


def _from_first(sample: Sample) -> Sample:
    """The same instants counted from the first execution, not from the system's start."""
    first = sample.started[0]
    started = Integers(start - first for start in sample.started)
    return msgspec.structs.replace(sample, origin=sample.origin + first, started=started)


def _columns(made: Sequence[Once]) -> Collected:
    return Collected(
        started=np.array([once.start_ns for once in made], dtype=np.int64),
        ticks=np.array([once.wall_ns for once in made], dtype=np.int64),
        core=np.full(len(made), -1, dtype=np.int64),
        preempted=np.array([once.switches > 0 for once in made], dtype=np.int64),
    )


def _also(made: Sequence[Once]) -> dict[str, Numbers]:
    return {
        "user s": Numbers(once.user for once in made),
        "system s": Numbers(once.system for once in made),
        "peak memory B": Numbers(float(once.peak_bytes) for once in made),
    }


def _record(
    command: Sequence[str],
    samples: tuple[Sample, ...],
    status: Status = Status.MEASURED,
    reason: str = "",
) -> CaseRecord:
    return CaseRecord(
        benchmark=PROGRAM,
        question="How long does this command take?",
        parameters={"command": without_passwords(shlex.join(command))},
        variant=None,
        metric=WALL,
        work=Work(),
        status=status,
        reason=reason,
        samples=samples,
    )
