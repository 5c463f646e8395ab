"""What a tool's results are turned into, and the run that is made of them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
import numpy as np

from stend import __version__
from stend.errors import RunFileError
from stend.record import (
    CaseRecord,
    Conditions,
    Disturbance,
    Integers,
    Machine,
    Metric,
    Numbers,
    Proof,
    Run,
    Sample,
    Scalar,
    Status,
    Stop,
    Work,
)
from stend.record.invariants import validate
from stend.record.text import printable
from stend.running.sampling import examine
from stend.statistics import Floats, median_interval

TIME = Metric(name="time", unit="s", better="lower")
QUESTION = "How long does one execution take?"


@dataclass(frozen=True, slots=True)
class Process:
    """What a tool tells of one process: a value of each repetition, in the metric's unit."""

    values: Floats
    seconds: Floats | None = None
    """How long each repetition lasted; None where the tool doesn't tell."""
    batch: int = 1
    """Executions in each repetition, where all have as many."""
    also: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """One benchmark of a tool with its parameters."""

    benchmark: str
    """As the tool names it, without its parameters."""
    processes: Sequence[Process]
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    metric: Metric = TIME
    question: str = QUESTION
    further: Mapping[str, Metric] = field(default_factory=dict)
    """The name of a column of `also` → its metric."""
    work: Work = field(default_factory=Work)
    proof: str = ""
    """What shows that the work was done; empty: nothing does."""
    failed: str = ""
    """Why there is no figure."""
    lacks: str = ""
    """What the file has instead of its samples."""
    detail: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """All that a file tells."""

    tool: str
    """Its name as its makers write it, and its version where the file has it."""
    results: Sequence[Result]
    machine: Machine = field(default_factory=Machine)
    started: datetime | None = None
    disturbances: Sequence[Disturbance] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where results come from."""

    name: str
    """What to call it in a sentence."""
    label: str
    """Of the run."""
    content: bytes
    modified: float
    """When it was written, in seconds since 1970, for files that tell no time."""


def run_of(told: Told, source: Source) -> Run:
    """Make the run of a file, the same one for the same content and label.

    Raises:
        RunFileError: it has no result, or a value that no record can have.
    """
    if not told.results:
        raise RunFileError(f"{source.name} has no result of {told.tool}.")
    began = _began(told.started) or datetime.fromtimestamp(source.modified, UTC)
    time = began.isoformat(timespec="seconds").replace("+00:00", "Z")
    run = Run(
        id=hashlib.sha256(source.label.encode() + source.content).hexdigest()[:32],
        label=printable(source.label),
        started=time,
        finished=time,
        stend=__version__,
        command=("stend", "import", source.name),
        machine=told.machine,
        conditions=Conditions(before=(_lacking(told), *told.disturbances)),
        cases=tuple(_case(result, told.tool) for result in told.results),
    )
    try:
        validate(run)
    except msgspec.ValidationError as error:
        raise RunFileError(f"{source.name} can't be imported: {printable(str(error))}.") from error
    return run


def _began(moment: datetime | None) -> datetime | None:
    """The moment in UTC; None where that is outside of the years that there are."""
    try:
        return moment.astimezone(UTC) if moment else None
    except OverflowError:
        return None


def _lacking(told: Told) -> Disturbance:
    unproved = "" if all(result.proof for result in told.results) else "no proof of the work, "
    return Disturbance(
        kind="imported",
        said=f"{told.tool} measured this: the file has {unproved}no times of day of its "
        "repetitions, and nothing of what else the machine did.",
        advice="Read differences that are small next to those between repeated runs with care.",
    )


def _case(result: Result, tool: str) -> CaseRecord:
    samples = tuple(
        _sample(process, number, result.proof, tool)
        for number, process in enumerate(result.processes)
    )
    detail = {"imported from": tool, **result.detail}
    if result.lacks:
        detail["instead of samples"] = result.lacks
    return CaseRecord(
        benchmark=printable(result.benchmark),
        question=result.question,
        parameters={printable(k): _scalar(v) for k, v in result.parameters.items()},
        variant=None,
        metric=result.metric,
        further=dict(result.further),
        work=result.work,
        status=Status.FAILED if result.failed else Status.MEASURED,
        reason=printable(result.failed),
        samples=() if result.failed else samples,
        detail={printable(k): printable(v, name=False) for k, v in detail.items()},
    )


def _scalar(value: Scalar) -> Scalar:
    return printable(value) if isinstance(value, str) else value


def _sample(process: Process, number: int, proof: str, tool: str) -> Sample:
    values = np.asarray(process.values, dtype=np.float64)
    count = len(values)
    seconds = np.zeros(count) if process.seconds is None else process.seconds
    ticks = np.clip(np.nan_to_num(seconds * 1e9), 0, 1 << 56).astype(np.int64)
    started = np.concatenate([[0], np.minimum(np.cumsum(ticks.astype(float))[:-1], 1 << 62)])
    reached = median_interval(values)
    sample = Sample(
        process=number,
        clock=tool,
        hz=1e9,
        origin=0,
        batch=process.batch,
        started=Integers(started.astype(np.int64).tobytes()),
        ticks=Integers(ticks.tobytes()),
        core=Integers(np.full(count, -1, dtype=np.int64).tobytes()),
        preempted=Integers(np.zeros(count, dtype=np.int64).tobytes()),
        values=Numbers(values.tobytes()),
        also={
            printable(name): Numbers(np.asarray(column, dtype=np.float64).tobytes())
            for name, column in process.also.items()
        },
        stop=Stop(
            rule="once",
            criterion="imported",
            half_width=reached.half_width,
            effective=reached.effective,
        ),
        proof=Proof(right=True, said=proof or "The file has no proof."),
    )
    return msgspec.structs.replace(sample, cautions=examine(sample))
