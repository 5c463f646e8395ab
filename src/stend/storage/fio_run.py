"""The line that shows what fio does at the moment.

fio's status documents go to a file in the run's folder as they come, one a second; that is all
that survives when it is killed. This process reads them behind it, and keeps differences only.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import IO, Any, Literal, NamedTuple

from stend.errors import OutputError
from stend.record.loads import Direction, FioRun
from stend.storage.fio.course import Growing, Interval
from stend.storage.fio.documents import Document, Scanner
from stend.storage.fio.results import of_bins, percentiles
from stend.storage.fio.verdict import Ended, judge
from stend.storage.fio_process import FioProcess
from stend.storage.gates import by_descriptor, by_path


class Rates(NamedTuple):
    """What went on in the last interval; NaN where nothing ended in it."""

    iops: float
    bandwidth: float
    """B/s."""
    latency: float
    """The mean, s."""
    p99: float
    """s, from the bins."""


class Moment(NamedTuple):
    """How far a run is, and what the last second of it was like."""

    elapsed: float
    """Seconds since the load began."""
    asked: float | None
    """Seconds that it is to run; None: until its work is done."""
    ways: Mapping[Direction, Rates]
    """Empty while fio has told nothing: it lays out its files, or the device does not answer."""


def rates(interval: Interval) -> Rates:
    """Give the rates of one way in one interval."""
    bins = of_bins("total", interval.ns, interval.counts)
    return Rates(
        iops=interval.operations / interval.seconds,
        bandwidth=interval.bytes / interval.seconds,
        latency=interval.latency,
        p99=percentiles(bins, [99])[0],
    )


def described(moment: Moment, cpu: float | None = None) -> str:
    """Say a moment in a line that fits a terminal; `cpu` is the busy share of the machine."""
    parts = [_time(moment), *(_way(way, moment.ways) for way in moment.ways)]
    if not moment.ways:
        parts.append("fio reports nothing")
    if cpu is not None and math.isfinite(cpu):
        parts.append(f"CPU {cpu:.0%}")
    return " · ".join(parts)


def _time(moment: Moment) -> str:
    return f"{moment.elapsed:.0f} s" + (f" of {moment.asked:.0f} s" if moment.asked else "")


def _way(way: Direction, ways: Mapping[Direction, Rates]) -> str:
    one = ways[way]
    named = f"{way} " if len(ways) > 1 else ""
    latency = "" if math.isnan(one.latency) else f", {one.latency * 1e3:.3g} ms"
    p99 = "" if math.isnan(one.p99) else f", p99 {one.p99 * 1e3:.3g} ms"
    return f"{named}{one.iops:,.0f} IOPS, {one.bandwidth / 1e6:,.1f} MB/s{latency}{p99}"


JOB, STATUS, ERRORS = "job.fio", "status.json", "stderr.txt"
"""What a run leaves in its folder."""

_OPTIONS = ("--output-format=json+", "--status-interval=1", "--eta=never")
"""Not --output: with it fio's errors go there too, and not to stderr (init.c, parse_cmd_line).
It flushes each document, wherever that goes."""

_TICK = 1.0
"""Seconds between two looks at what fio has told."""
_LOST = b", got signal="
"""What fio says of a worker that was killed (backend.c, reap_threads). It goes on with the others,
or waits for ever: to write its status it asks each worker, and the dead one does not answer."""
_LEAST = 0.2
"""Seconds between two documents, of less than which no rate is shown: the last two lie close."""
_SILENCE = 3.0
"""Seconds without a document after which the moment is unknown."""
_KEPT = 60_000
"""Bytes of a text: a broken device can bring a line a request."""
_PATIENCE = 120.0
"""Seconds more than asked that a run may take: to open its files, to await what is under way."""


Phase = Literal["precondition", "warm-up", "round", "measure"]


@dataclass(frozen=True)
class Asked:
    """What a run is to be."""

    phase: Phase
    seconds: float | None
    """None: until its work is done, however long that takes."""
    jobs: tuple[str, ...]
    """The names of the reports that it must give."""
    read_only: bool
    """fio itself refuses to write (--readonly)."""
    fio: str
    """The path of the binary."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Descriptors of the targets by path, which fio is given instead of the paths."""


@dataclass(frozen=True)
class PhaseRun:
    """What one run of fio gave."""

    run: FioRun
    document: Document | None
    """The last that fio gave, whose counters are the totals; None: it gave none."""
    stderr: str
    stray: tuple[str, ...]
    """Text that stood between fio's documents."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Descriptors that fio was given, by the targets' paths."""

    @property
    def detail(self) -> dict[str, str]:
        """What belongs to the record in words: the last document without its bins, and texts."""
        said = {"fio stderr": self.stderr.strip(), "fio notes": "\n".join(self.stray)}
        document = json.dumps(_without_bins(self.document or {}), separators=(",", ":"))
        result = by_path(document, self.held)
        if self.document and len(result) <= _KEPT:
            said["fio result"] = result
        return {name: text[:_KEPT] for name, text in said.items() if text}


class Stopped(KeyboardInterrupt):
    """The user stopped a run; `driven` is what it had done, its state *interrupted*."""

    def __init__(self, driven: PhaseRun) -> None:
        super().__init__()
        self.driven = driven


def drive(job: str, folder: Path, asked: Asked, report: Callable[[Moment], None]) -> PhaseRun:
    """Run fio on the text of a job file in an existing folder, and tell each moment.

    Raises:
        Stopped: Ctrl-C came meanwhile (KeyboardInterrupt); fio was let end.
        OutputError: the folder can't be written.
        BadValue: the job names what is not held, though something is.
    """
    if asked.held:
        job = by_descriptor(job, asked.held)
    options = [*_OPTIONS, *(["--readonly"] if asked.read_only else [])]
    with _files(folder, job) as (output, errors, status, said):
        follower = _Follower(status, said, asked, report)
        words = [str(Path(asked.fio).absolute()), *options, JOB]
        with FioProcess(words, folder, output, errors, tuple(asked.held.values())) as fio:
            stopped = follower.follow(fio)
        follower.read()
    driven = follower.driven(fio, stopped)
    if stopped == "interrupted":
        raise Stopped(driven)
    return driven


@contextmanager
def _files(folder: Path, job: str) -> Iterator[tuple[IO[bytes], ...]]:
    """Write the job file; open where fio writes its status and its errors, and both to read."""
    with ExitStack() as files:
        try:
            (folder / JOB).write_text(job, encoding="utf-8")
            opened = tuple(
                files.enter_context((folder / name).open(mode, buffering=0))
                for mode in ("wb", "rb")
                for name in (STATUS, ERRORS)
            )
        except OSError as error:
            raise OutputError(
                f"fio's files can't be written to {folder}: {error.strerror}; make room there, "
                "or choose another folder."
            ) from error
        yield opened


Why = Literal["interrupted", "late", "lost"]

_STOPPED = {
    "late": "fio was stopped: it had not ended long after it should have.",
    "lost": "fio was stopped: one of its workers had been killed.",
}


class _Follower:
    """Reads the documents behind fio, and knows when it takes too long."""

    def __init__(
        self, status: IO[bytes], errors: IO[bytes], asked: Asked, report: Callable[[Moment], None]
    ) -> None:
        self._status = status
        self._errors = errors
        self._said = b""
        self._asked = asked
        self._report = report
        self._scanner = Scanner()
        self._course = Growing()
        self._document: Document | None = None
        self._began = monotonic()
        self._heard = self._began
        self._to_monotonic = time.monotonic_ns() - time.time_ns()

    def follow(self, fio: FioProcess) -> Why | None:
        """Read until nobody of fio lives; give why it was stopped, if it was."""
        stopped: Why | None = None
        try:
            while fio.lives(_TICK):
                self.read()
                if stopped is None and (stopped := self._hopeless()):
                    fio.end()
        except KeyboardInterrupt:
            stopped = "interrupted"
            fio.stop()
            while fio.lives(_TICK):
                self.read()
        return stopped

    def read(self) -> None:
        """Take what fio has told since the last time."""
        self._said = (self._said + self._errors.read())[:_KEPT]
        documents = self._scanner.feed(self._status.read())
        for document in documents:
            self._document = document
            ways = self._course.add(document)
            if ways and max(interval.seconds for interval in ways.values()) > _LEAST:
                self._tell({way: rates(interval) for way, interval in ways.items()})
        if documents:
            self._heard = monotonic()
        elif monotonic() - self._heard > _SILENCE:
            self._tell({})

    def driven(self, fio: FioProcess, stopped: Why | None) -> PhaseRun:
        """Judge the run when it is over."""
        stderr = by_path(self._said.decode(errors="replace"), self._asked.held)
        stray = tuple(by_path(text, self._asked.held) for text in self._scanner.stray)
        ended = Ended(
            code=None if _by_signal(fio) else fio.code,
            signal=_by_signal(fio),
            stderr=stderr,
            documents=(self._document,) if self._document else (),
            truncated=self._scanner.truncated,
            interrupted=stopped == "interrupted",
            stray=stray,
        )
        state, reasons = judge(ended, self._asked.jobs, self._asked.seconds)
        course = self._course.finished()
        ours = tuple(_of_the_processes(fio))
        if stopped in _STOPPED:
            ours = (_STOPPED[stopped], *ours)
            state = "failed"
        run = FioRun(
            phase=self._asked.phase,
            state="partial" if ours and state == "ok" else state,
            reasons=(*ours, *reasons, *course.gaps),
            began=self._beginning(),
            asked=self._asked.seconds,
            lasted=max((flow.seconds for flow in course.flows), default=0.0),
            flows=course.flows,
        )
        return PhaseRun(run, self._document, stderr, stray, self._asked.held)

    def _tell(self, ways: Mapping[Direction, Rates]) -> None:
        start, last = self._course.start, self._course.last
        if ways and start and last:
            elapsed = (last.ms - start.ms) / 1000
        else:
            elapsed = monotonic() - self._began
        self._report(Moment(elapsed, self._asked.seconds, ways))

    def _beginning(self) -> int:
        """When the load began, by CLOCK_MONOTONIC: fio tells it by the time of day."""
        start = self._course.start
        return start.ms * 1_000_000 + self._to_monotonic if start else int(self._began * 1e9)

    def _hopeless(self) -> Why | None:
        """Why nothing more can come of it."""
        if _LOST in self._said:
            return "lost"
        asked = self._asked.seconds
        late = asked is not None and monotonic() - self._began > asked + _PATIENCE
        return "late" if late else None


def _without_bins(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_bins(part) for key, part in value.items() if key != "bins"}
    return [_without_bins(part) for part in value] if isinstance(value, list) else value


def _by_signal(fio: FioProcess) -> int | None:
    return -fio.code if fio.code is not None and fio.code < 0 else None


def _of_the_processes(fio: FioProcess) -> Iterator[str]:
    """A sentence for each thing that happened to fio's processes, and should not have."""
    if fio.abandoned:
        yield "The watchdog of fio was killed, so fio was stopped."
    if fio.killed and not fio.left:
        yield f"fio left {fio.killed} of its workers behind; they were killed."
    if fio.left:
        pids = ", ".join(map(str, fio.left))
        yield f"Processes of fio can't be ended, as they wait for a device: {pids}."
