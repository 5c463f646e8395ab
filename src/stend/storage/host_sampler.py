"""Samples hosts every second while a load runs, into the columns of each machine.

One thread reads this machine and hears the others. It sleeps in between, and takes less than
0.1% of one core (peers/storage/own_cost.py).
"""

import math
import os
import select
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from types import TracebackType
from typing import Self

from stend.errors import BadValue, MeasuringError
from stend.machine.sampling import (
    IDLE,
    UNKNOWN,
    UNTOLD,
    CpuShares,
    DiskRates,
    Here,
    Rates,
    Reading,
    cpus_here,
    is_part,
    rates,
)
from stend.processes.remote_shell import shell_for
from stend.record.columns import Integers, Numbers
from stend.record.loads import DiskCourse, HostSamples
from stend.record.text import printable
from stend.storage.remote import CONNECTING, Remote, checked_host

MOST_DISKS = 512
"""Block devices of one machine whose columns are kept."""

_KINDS = (*CpuShares._fields, "memory_used", "memory_cached")
_DRESSED = ("loop", "ram", "zram")
"""Devices that only dress up a file or memory."""


class Sampled:
    """One machine's columns, which grow by a row a sample or gap.

    Of block devices those are kept that did something, and `wanted` ones in any case; of others
    neither partitions nor what only dresses up a file or memory.
    """

    def __init__(self, host: str, remote: bool, wanted: Collection[str] = ()) -> None:
        self.host = host
        self.remote = remote
        self.offset: float | None = None
        self.uncertainty: float | None = None
        self.cpus: int | None = None
        self.memory_bytes: int | None = None
        self.gaps = 0
        self._wanted = frozenset(wanted)
        self._since = Integers()
        self._at = Integers()
        self._columns = {kind: Numbers() for kind in _KINDS}
        self._disks: dict[str, tuple[Numbers, ...]] = {}
        self._there: dict[str, int] = {}
        """The row since which a device is there."""

    def __len__(self) -> int:
        return len(self._at)

    def gap(self, at: int) -> None:
        """Note that a sample was due and is not there.

        Where the sample before came so late that this one was due already, the row follows it
        at once: rows are in order of time.
        """
        if self._at:
            at = max(at, self._at[-1] + 1)
        self.gaps += 1
        self._append(Rates(at, at, UNTOLD, None, {}))

    def add(self, rates: Rates) -> None:
        """Add what happened since the sample before."""
        self._there = {name: self._there.get(name, len(self)) for name in rates.disks}
        for name, done in rates.disks.items():
            if name not in self._disks and self._is_kept(name, done, rates):
                self._disks[name] = self._backwards(self._there[name])
        self._append(rates)

    def _append(self, rates: Rates) -> None:
        self._since.append(rates.since)
        self._at.append(rates.at)
        memory = rates.memory
        kept = (memory.used, memory.cached) if memory else (math.nan, math.nan)
        for column, value in zip(self._columns.values(), (*rates.cpu, *kept), strict=True):
            column.append(value)
        for name, columns in self._disks.items():
            for column, value in zip(columns, rates.disks.get(name, UNKNOWN), strict=True):
                column.append(value)

    @property
    def busy(self) -> float:
        """Share of its CPU time that was used between the last two samples; NaN: unknown."""
        used = [self._columns[kind] for kind in ("user", "system", "interrupts")]
        return sum(column[-1] for column in used) if self._at else math.nan

    def record(self, begin: int, end: int) -> HostSamples:
        """What lies wholly between two times (CLOCK_MONOTONIC, ns)."""
        first = bisect_left(self._since, begin)
        last = max(first, bisect_right(self._at, end))
        part = slice(first, last)
        return HostSamples(
            host=self.host,
            remote=self.remote,
            offset=self.offset,
            uncertainty=self.uncertainty,
            cpus=self.cpus,
            memory_bytes=self.memory_bytes,
            at=Integers(self._at[part].tobytes()),
            **{kind: _cut(column, part) for kind, column in self._columns.items()},
            disks=tuple(
                DiskCourse(name=name, **{
                    kind: _cut(column, part)
                    for kind, column in zip(DiskRates._fields, columns, strict=True)
                })
                for name, columns in sorted(self._disks.items())
            ),
        )  # fmt: skip

    def _is_kept(self, name: str, done: DiskRates, rates: Rates) -> bool:
        if name in self._wanted:
            return True
        if done in (IDLE, UNKNOWN) or len(self._disks) >= MOST_DISKS:
            return False
        return not name.startswith(_DRESSED) and not is_part(name, rates.disks)

    def _backwards(self, since: int) -> tuple[Numbers, ...]:
        """Columns of a device that did nothing as long as it was there and could be seen."""
        known = self._columns["user"]
        value = [
            0.0 if row >= since and known[row] == known[row] else math.nan
            for row in range(len(self))
        ]
        return tuple(Numbers(value) for _ in DiskRates._fields)


def _cut(column: Numbers, part: slice) -> Numbers:
    return Numbers(column[part].tobytes())


INTERVAL = 1.0
"""Seconds from one sample to the next."""

_EVER = 1 << 62


class Sampler:
    """Samples this machine, and others over ssh, from `with` to its end.

    A sample that comes too late or not at all is a gap, and what comes first after a gap has no
    rates. All methods can be called at any time, and from any thread.
    """

    def __init__(
        self,
        remotes: Sequence[str] = (),
        disks: Collection[str] = (),
        interval: float = INTERVAL,
    ) -> None:
        """Prepare it; `disks` are names of this machine's devices, such as sda, kept in any case.

        Raises:
            BadValue: a name of a host is none, or is there twice.
            SetupError: there is no ssh.
        """
        hosts = [checked_host(host) for host in remotes]
        if twice := sorted({host for host in hosts if hosts.count(host) > 1}):
            raise BadValue(f"{twice[0]} is named twice; name each host once.")
        shell = shell_for(slurm=False) if hosts else None
        self._interval = int(interval * 1e9)
        self._here = _Course(Sampled(printable(os.uname().nodename), remote=False, wanted=disks))
        self._remotes = (
            {Remote(host, shell): _Course(Sampled(host, remote=True)) for host in hosts}
            if shell
            else {}
        )
        self._lock = threading.Lock()
        self._why = ""
        self._thread = threading.Thread(target=self._look_on, name="stend beside", daemon=True)

    def __enter__(self) -> Self:
        """Reach all hosts, and begin.

        Raises:
            MeasuringError: a host can't be reached, or is no Linux.
        """
        self._woken, self._wake = os.pipe()
        try:
            self._reach()
        except BaseException:
            self._close()
            raise
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.write(self._wake, b"x")
        self._thread.join()
        self._close()

    def records(self) -> tuple[HostSamples, ...]:
        """All columns so far, this machine's first."""
        return self.between(0, _EVER)

    def between(self, begin: int, end: int) -> tuple[HostSamples, ...]:
        """What lies wholly between two times (CLOCK_MONOTONIC, ns), this machine's first."""
        with self._lock:
            return tuple(course.sampled.record(begin, end) for course in self._courses)

    def latest(self) -> dict[str, float]:
        """Share of all CPU time that was used in the last second, by host; NaN: not known."""
        with self._lock:
            return {course.sampled.host: course.sampled.busy for course in self._courses}

    def said(self) -> tuple[str, ...]:
        """A sentence for each machine of which something is missing."""
        with self._lock:
            found = [_lacking(course.sampled) for course in self._courses]
            for position, remote in enumerate(self._remotes, 1):
                if remote.lost:
                    found[position] += (
                        f" The connection was lost {_times(remote.lost)}, "
                        f"the last time by this: {remote.reason}."
                    )
        return tuple(words.strip() for words in [*found, self._why] if words)

    @property
    def _courses(self) -> "list[_Course]":
        return [self._here, *self._remotes.values()]

    def _reach(self) -> None:
        for remote in self._remotes:
            remote.connect()
        over = time.monotonic_ns() + int(CONNECTING * 1e9)
        while any(not remote.ready and not remote.lost for remote in self._remotes):
            if time.monotonic_ns() >= over:
                break
            self._wait(over)
        missing = [remote for remote in self._remotes if not remote.ready]
        if missing:
            raise MeasuringError(" ".join(map(_not_reached, missing)))
        for remote, course in self._remotes.items():
            course.sampled.cpus = remote.cpus
        self._here.sampled.cpus = cpus_here()

    def _close(self) -> None:
        for remote in self._remotes:
            remote.end()
        patience = time.monotonic() + 1.0
        for remote in self._remotes:
            remote.close(max(0.0, patience - time.monotonic()))
        os.close(self._woken)
        os.close(self._wake)

    def _look_on(self) -> None:
        here = Here()
        try:
            self._look_until_over(here)
        except Exception as error:  # the load goes on without what runs beside it
            self._why = f"Sampling ended early: {type(error).__name__}: {error}."
        finally:
            here.close()

    def _look_until_over(self, here: Here) -> None:
        due = time.monotonic_ns()
        while True:
            with self._lock:
                while due + self._interval <= time.monotonic_ns():
                    for course in self._courses:
                        course.begin(due, asked=False)
                    due += self._interval
                for remote, course in self._remotes.items():
                    course.begin(due, asked=remote.ask())
                self._here.begin(due, asked=True)
                self._here.take(here.read())
            due += self._interval
            if self._hear_until(due):
                return

    def _hear_until(self, due: int) -> bool:
        """Hear the other machines until a time; whether it was to be over meanwhile."""
        while not self._wait(due):
            if time.monotonic_ns() >= due:
                return False
        return True

    def _wait(self, due: int) -> bool:
        """Wait until a machine says something, or it is due; whether it is to be over."""
        files = {file: remote for remote in self._remotes for file in remote.outputs}
        ears = select.poll()
        for file in (self._woken, *files):
            ears.register(file, select.POLLIN)
        for file, _ in ears.poll(max(0, due - time.monotonic_ns()) / 1e6):
            if file == self._woken:
                return True
            with self._lock:
                self._hear(files[file], file)
        return False

    def _hear(self, remote: Remote, file: int) -> None:
        reading = remote.hear(file)
        if reading is None:
            return
        course = self._remotes[remote]
        course.take(reading)
        if remote.clock is not None:
            course.sampled.offset, course.sampled.uncertainty = remote.clock


class _Course:
    """One machine's samples as they become due and come in."""

    def __init__(self, sampled: Sampled) -> None:
        self.sampled = sampled
        self._before: Reading | None = None
        self._due: int | None = None

    def begin(self, due: int, asked: bool) -> None:
        """A sample is due; what was due before and has not come will not count any more."""
        self._missed()
        self._due = due
        if not asked:
            self._missed()

    def take(self, reading: Reading) -> None:
        """A sample has come."""
        if self._due is None:
            return
        before = self._before or reading
        self.sampled.add(rates(before, reading))
        if reading.memory is not None:
            self.sampled.memory_bytes = reading.memory.total
        self._before, self._due = reading, None

    def _missed(self) -> None:
        if self._due is not None:
            self.sampled.gap(self._due)
            self._before = self._due = None


def _not_reached(remote: Remote) -> str:
    why = remote.reason or f"no answer in {CONNECTING:.0f} s"
    return (
        f"{remote.host} can't be watched: {why}. Make `ssh {remote.host} true` work without a "
        "password, or leave that host out."
    )


def _lacking(sampled: Sampled) -> str:
    if not sampled.gaps:
        return ""
    what = f"{sampled.host} over ssh" if sampled.remote else "this machine"
    return f"Of {len(sampled):,} samples of {what}, {sampled.gaps:,} came late or not at all."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
