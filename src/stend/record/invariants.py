"""Invariants of every run: the first fault of a record, with its place.

Types are checked by decoding (record.py); here is what types can't say. Everything that is
stored, written to a run file or read from one has passed through `validate`.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from stend.record import (
    SCHEMA,
    Cache,
    CaseRecord,
    ClockFacts,
    Disk,
    Integers,
    Machine,
    NumaNode,
    Numbers,
    Published,
    Record,
    Run,
    Sample,
    Status,
    Stop,
    Watched,
    Work,
)
from stend.record.loads import DiskCourse, FioRun, Flow, Histogram, HostSamples, StorageTarget
from stend.record.text import fault_of, is_name, printable

MAX_MEMBERS = 100_000
"""Members of any list but a column, such as a run's cases: two days of two seconds each."""

MAX_HZ = 1e12
"""Of a clock and of a core: a hundred times the fastest."""

MAX_BATCH = 1 << 40
"""Executions in one repetition: a thousand times what any clock needs."""

MAX_WORK = 1e30
"""Of one execution, in any unit: a machine's work of millions of years."""

MIN_WORK = 1e-30
"""Of one execution that does any. What is derived from less leaves the range of numbers."""

MAX_VALUE = 1e30
"""Of what a kernel or a program reports, in any unit."""

MIN_VALUE = 1e-100
"""Of what is reported and not 0. Ratios of such values, and their squares, are still numbers."""

_RANGE = f"0 or from {MIN_VALUE:.0e} to {MAX_VALUE:.0e}, or the same below 0"

_ID = re.compile(r"[0-9a-f]{32}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)", re.ASCII)

_WORK_OF_UNIT = {
    "B/s": "bytes",
    "FLOP/s": "flops",
    "op/s": "operations",
    "block/s": "blocks",
    "s/slice": "operations",
}

_RATES = frozenset({"B/s", "FLOP/s", "op/s", "block/s", "IOPS"})
"""Units of what is done in a second, which is never less than nothing. A difference of times, a
temperature or a level in decibels may be below 0, so that any other unit may."""


class Fault(NamedTuple):
    """What is wrong, and where: a path below the record it was found in, such as `.hz`."""

    place: str
    said: str


def validate(record: Record, place: str = "$") -> None:
    """Check a run, or a record that will be part of one.

    Raises:
        msgspec.ValidationError: with the first fault and its place, as `from_json` words it.
    """
    fault = _first_fault(record, "")
    if fault:
        raise msgspec.ValidationError(f"{fault.said} - at `{place}{fault.place}`")


def _first_fault(value: Any, field: str) -> Fault | None:
    if isinstance(value, str):
        said = fault_of(value, is_name(field))
        return Fault("", said) if said else None
    if isinstance(value, Record):
        return _own_fault(value) or _in_parts(_fields(value))
    if isinstance(value, tuple | dict) and len(value) > MAX_MEMBERS:
        return Fault("", f"a list has at most {MAX_MEMBERS:,} members, not {len(value):,}")
    if isinstance(value, tuple):
        return _in_parts((f"[{i}]", field, part) for i, part in enumerate(value))
    if isinstance(value, dict):
        return _in_keys(value) or _in_parts((_at(key), field, value[key]) for key in value)
    said = _number_fault(value)
    return Fault("", said) if said else None


def _in_parts(parts: Iterable[tuple[str, str, Any]]) -> Fault | None:
    for place, field, part in parts:
        fault = _first_fault(part, field)
        if fault:
            return Fault(place + fault.place, fault.said)
    return None


def _in_keys(value: dict[str, Any]) -> Fault | None:
    faults = (Fault(_at(key), fault_of(key, name=True)) for key in value)
    return next((fault for fault in faults if fault.said), None)


def _at(key: str) -> str:
    return f"['{printable(key)[:40]}']"


def _fields(record: Record) -> Iterator[tuple[str, str, Any]]:
    for field in record.__struct_fields__:
        yield f".{field}", field, getattr(record, field)


def _number_fault(value: Any) -> str:
    if isinstance(value, Numbers):
        return "" if _all_in_range(value) else f"a column's numbers are {_RANGE}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"a number must be finite, not {value}"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return "an integer does not fit into 64 bits"
    return ""


_LONG = 4096
"""Values of a column from which loading NumPy is worth its time."""


def _all_in_range(column: Numbers) -> bool:
    if len(column) < _LONG:
        return all(map(_is_in_range, column))
    import numpy as np

    magnitudes = np.abs(np.asarray(column))
    wrong = (magnitudes > MAX_VALUE) | ((magnitudes < MIN_VALUE) & (magnitudes > 0))
    return not wrong.any()


def _is_in_range(x: float) -> bool:
    """Whether it is no value (NaN), none of it (0) or what can be reckoned with."""
    return not x or x != x or MIN_VALUE <= abs(x) <= MAX_VALUE


def _own_fault(record: Record) -> Fault | None:
    rules = _RULES.get(type(record))
    return next(rules(record), None) if rules else None


def _run(run: Run) -> Iterator[Fault]:
    if run.schema != SCHEMA:
        yield Fault(".schema", f"the record's version is {run.schema}, not {SCHEMA}")
    if not _ID.fullmatch(run.id):
        yield Fault(".id", "a run's id is 32 hexadecimal digits")
    if run.group and not _ID.fullmatch(run.group):
        yield Fault(".group", "a group is 32 hexadecimal digits, or empty")
    if not _is_time(run.started):
        yield Fault(".started", "a time must look like 2026-01-31T12:00:00Z")
    if run.finished is not None and not _is_time(run.finished):
        yield Fault(".finished", "a time must look like 2026-01-31T12:00:00Z")


def _is_time(text: str) -> bool:
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


_NEED_NO_REASON = (Status.MEASURED, Status.CHECKED, Status.PUBLISHED)


def _case(case: CaseRecord) -> Iterator[Fault]:
    if not case.benchmark:
        yield Fault(".benchmark", "a case names its benchmark")
    if case.status not in _NEED_NO_REASON and not case.reason:
        yield Fault(".reason", f"a case that is {case.status} needs a reason")
    processes = [sample.process for sample in case.samples]
    if len(set(processes)) < len(processes):
        yield Fault(".samples", "two samples are of the same process")
    if case.has_figure:
        yield from _measured(case)
    yield from _rates(case)
    if (case.status is Status.PUBLISHED) != (case.published is not None):
        yield Fault(".published", "a published case, and no other, has what was published")
    if case.published and case.samples:
        yield Fault(".samples", "a published case has no samples")


def _rates(case: CaseRecord) -> Iterator[Fault]:
    rates = [name for name, metric in case.further.items() if metric.unit in _RATES]
    for i, sample in enumerate(case.samples):
        columns = {f".also{_at(name)}": sample.also.get(name) for name in rates}
        if case.metric.unit in _RATES:
            columns[".values"] = sample.values
            columns[".stop.mean"] = Numbers([sample.stop.mean or 0.0])
        for place, column in columns.items():
            least = _least(column or ())
            if least < 0:
                yield Fault(f".samples[{i}]{place}", f"a rate is at least 0, not {least}")
    if case.published and case.metric.unit in _RATES:
        least = _least(x for x in (case.published.value, case.published.low) if x is not None)
        if least < 0:
            yield Fault(".published", f"a rate is at least 0, not {least}")


def _least(values: Iterable[float]) -> float:
    """The least of these and 0; what has no value (NaN) is passed over."""
    return min((x for x in values if x < 0), default=0.0)


def _published(published: Published) -> Iterator[Fault]:
    low, value, high = published.low, published.value, published.high
    for field, x in (("low", low), ("value", value), ("high", high)):
        if not _is_in_range(x or 0.0):
            yield Fault(f".{field}", f"a published figure is {_RANGE}, not {x}")
    if low is not None and high is not None and low > high:
        yield Fault(
            ".low", f"the ends of a figure's spread must ascend, not go from {low} to {high}"
        )


def _measured(case: CaseRecord) -> Iterator[Fault]:
    """No proof, no number; and a number needs what its unit is made of."""
    if not case.samples:
        yield Fault(".samples", "a measured case has samples")
    unit = case.metric.unit
    of = _WORK_OF_UNIT.get(unit)
    reported = all(sample.values is not None for sample in case.samples)
    if of and not reported and not getattr(case.work, of):
        yield Fault(f".work.{of}", f"the unit {unit} needs work of more than 0 {of}")
    for i, sample in enumerate(case.samples):
        if not sample.proof.right:
            yield Fault(f".samples[{i}].proof.right", "a measured case needs a successful proof")
        if not sample.ticks:
            yield Fault(f".samples[{i}].ticks", "a sample has at least one repetition")
        if sample.values is None and not any(sample.ticks):
            yield Fault(
                f".samples[{i}].ticks", "at least one repetition must take more than 0 ticks"
            )
        if not of and unit != "s" and sample.values is None:
            yield Fault(f".samples[{i}].values", f"the unit {unit} needs reported values")


def _sample(sample: Sample) -> Iterator[Fault]:
    for place, column in _columns(sample):
        if len(column) != len(sample.ticks):
            said = f"a column has {len(column):,} values, but ticks has {len(sample.ticks):,}"
            yield Fault(place, said)
    if not 1 <= sample.hz <= MAX_HZ:
        yield Fault(".hz", f"a clock runs at 1 to {MAX_HZ:.0e} Hz, not {sample.hz}")
    for hz in sample.core_hz or ():
        if not 1 <= hz <= MAX_HZ:
            yield Fault(".core_hz", f"a core runs at 1 to {MAX_HZ:.0e} Hz, not {hz}")
    yield from _below(sample, batch=1, process=0, warm_up=0)
    if sample.batch > MAX_BATCH:
        yield Fault(".batch", f"a batch has at most {MAX_BATCH} executions, not {sample.batch}")
    if sorted(sample.started) != sample.started.tolist():
        yield Fault(".started", "a repetition starts before the one that was made before it")
    yield from _column_below(sample, ticks=0, core=-1)
    if not set(sample.preempted) <= {0, 1}:
        yield Fault(".preempted", "preempted is 0 or 1")
    if sample.stop.accepted_from > len(sample.ticks):
        yield Fault(".stop.accepted_from", "the accepted round begins after the last repetition")


def _columns(sample: Sample) -> Iterator[tuple[str, Integers | Numbers]]:
    yield ".started", sample.started
    yield ".core", sample.core
    yield ".preempted", sample.preempted
    if sample.values is not None:
        yield ".values", sample.values
    for name, column in sample.also.items():
        yield f".also{_at(name)}", column


def _stop(stop: Stop) -> Iterator[Fault]:
    yield from _below(stop, half_width=0, effective=0, rounds=0, restarts=0, accepted_from=0)
    if not _is_in_range(stop.mean or 0.0):
        yield Fault(".mean", f"a mean is {_RANGE}, not {stop.mean}")


def _work(work: Work) -> Iterator[Fault]:
    yield from _below(work, bytes=0, flops=0, operations=0, blocks=0)
    for field in ("bytes", "flops", "operations", "blocks"):
        amount = getattr(work, field) or 0
        if amount > MAX_WORK:
            yield Fault(f".{field}", f"one execution's work is at most {MAX_WORK:.0e} {field}")
        if 0 < amount < MIN_WORK:
            yield Fault(
                f".{field}", f"one execution's work is 0 or at least {MIN_WORK:.0e} {field}"
            )


def _cache(cache: Cache) -> Iterator[Fault]:
    yield from _below(cache, level=1, bytes=0, line_bytes=1, ways=0, shared_by=1, count=1)


def _machine(machine: Machine) -> Iterator[Fault]:
    yield from _below(machine, packages=1, cores=1, threads=1, process_limit=0, page_bytes=1)
    yield from _below(machine, memory_bytes=0, memory_available=0, memory_limit=0, cpu_limit=0)
    yield from _below(machine, memory_bandwidth=0, threads_free=0)
    if not _is_in_range(machine.memory_bandwidth or 0.0):
        yield Fault(".memory_bandwidth", f"a bandwidth is {_RANGE}")


def _node(node: NumaNode) -> Iterator[Fault]:
    yield from _below(node, index=0, bytes=0, available=0)


def _disk(disk: Disk) -> Iterator[Fault]:
    yield from _below(disk, bytes=0)


def _clock(clock: ClockFacts) -> Iterator[Fault]:
    yield from _below(clock, hz=0, hz_uncertainty=0, resolution=0)


def _watched(watched: Watched) -> Iterator[Fault]:
    counted = [field for field in ("throttles", "stops") if getattr(watched, field)]
    yield from _unequal(watched, "at", "steal", "others", "mhz", *counted)


def _histogram(histogram: Histogram) -> Iterator[Fault]:
    yield from _unequal(histogram, "ns", "counts")
    yield from _column_below(histogram, ns=0, counts=0)
    if any(a >= b for a, b in itertools.pairwise(histogram.ns)):
        yield Fault(".ns", "the bins of a histogram ascend")


def _flow(flow: Flow) -> Iterator[Fault]:
    yield from _below(flow, operations=0, bytes=0, seconds=0, mean=0, least=0, most=0)
    yield from _unequal(flow, "at", "iops", "bandwidth", "latency")
    yield from _unequal(flow, "interval", "ns", "counts")
    yield from _column_below(flow, at=0, interval=0, ns=0, counts=0)
    for field in ("iops", "bandwidth", "latency"):
        least = _least(getattr(flow, field))
        if least < 0:
            yield Fault(f".{field}", f"{field} is at least 0, not {least}")
    if sorted(flow.at) != flow.at.tolist():
        yield Fault(".at", "an interval ends before the one before it")
    if max(flow.interval, default=-1) >= len(flow.at):
        yield Fault(".interval", "a bin refers to a missing interval")


def _fio_run(run: FioRun) -> Iterator[Fault]:
    yield from _below(run, asked=0, lasted=0)


def _host_samples(samples: HostSamples) -> Iterator[Fault]:
    yield from _below(samples, uncertainty=0, cpus=1, memory_bytes=0)
    shares = ("user", "system", "interrupts", "waiting", "steal")
    yield from _unequal(samples, "at", *shares, "memory_used", "memory_cached")
    for i, disk in enumerate(samples.disks):
        if len(disk.reads) != len(samples.at):
            said = f"a column has {len(disk.reads):,} values, but at has {len(samples.at):,}"
            yield Fault(f".disks[{i}].reads", said)


def _disk_course(disk: DiskCourse) -> Iterator[Fault]:
    yield from _unequal(disk, "reads", "writes", "read", "written", "busy")


def _target(target: StorageTarget) -> Iterator[Fault]:
    yield from _below(target, bytes=0)


def _unequal(record: Record, first: str, *others: str) -> Iterator[Fault]:
    length = len(getattr(record, first))
    for field in others:
        column = getattr(record, field)
        if len(column) != length:
            said = f"a column has {len(column):,} values, but {first} has {length:,}"
            yield Fault(f".{field}", said)


def _below(record: Record, **least: int) -> Iterator[Fault]:
    for field, bound in least.items():
        value = getattr(record, field)
        if value is not None and value < bound:
            yield Fault(f".{field}", f"{field} is at least {bound}, not {value}")


def _column_below(record: Record, **least: int) -> Iterator[Fault]:
    for field, bound in least.items():
        smallest = min(getattr(record, field), default=bound)
        if smallest < bound:
            yield Fault(f".{field}", f"{field} is at least {bound}, not {smallest}")


_RULES: dict[type, Callable[[Any], Iterator[Fault]]] = {
    Run: _run,
    CaseRecord: _case,
    Published: _published,
    Sample: _sample,
    Stop: _stop,
    Work: _work,
    Machine: _machine,
    Cache: _cache,
    NumaNode: _node,
    Disk: _disk,
    ClockFacts: _clock,
    Watched: _watched,
    Histogram: _histogram,
    Flow: _flow,
    FioRun: _fio_run,
    HostSamples: _host_samples,
    DiskCourse: _disk_course,
    StorageTarget: _target,
}
