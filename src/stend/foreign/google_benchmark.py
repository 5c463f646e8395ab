"""Google Benchmark's JSON: `--benchmark_out=FILE --benchmark_out_format=json`.

https://github.com/google/benchmark/blob/main/docs/user_guide.md, "Output Formats". Every repetition
is the mean of its iterations; its counters are columns beside it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec
import numpy as np

from stend.errors import RunFileError
from stend.foreign.cases import Process, Result, Told
from stend.foreign.json_text import decoded
from stend.record import Cache, Disturbance, Machine, Metric, Scalar
from stend.statistics import Floats

TOOL = "Google Benchmark"
FAMILY = "googlebenchmark"

_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_CPU = "CPU s"
_FURTHER = {
    _CPU: Metric(name="CPU time", unit="s", better="lower"),
    "bytes_per_second": Metric(name="bandwidth", unit="B/s", better="higher"),
    "items_per_second": Metric(name="item rate", unit="op/s", better="higher"),
}
_TIMERS = {"real_time", "process_time", "manual_time"}


class _Entry(msgspec.Struct, gc=False):
    name: str
    run_name: str = ""
    run_type: str = "iteration"
    aggregate_name: str = ""
    iterations: Annotated[int, msgspec.Meta(ge=1, le=1 << 62)] = 1
    real_time: float = float("nan")
    cpu_time: float = float("nan")
    time_unit: str = "ns"
    error_occurred: bool = False
    error_message: str = ""
    skipped: bool | str = False
    skip_message: str = ""
    counters: dict[str, float] = {}
    """Filled in later: a file has them among the other fields."""


class _Plain(_Entry, gc=False, forbid_unknown_fields=True):
    """An entry without counters: what a file may hold a million of."""

    family_index: int = 0
    per_family_instance_index: int = 0
    repetitions: int = 0
    repetition_index: int = 0
    threads: int = 1
    label: str = ""
    aggregate_unit: str = ""
    cpu_coefficient: float = 0
    real_coefficient: float = 0
    big_o: str = ""
    rms: float = 0


class _Cache(msgspec.Struct):
    type: str
    level: int
    size: int
    num_sharing: int | None = None


class _Context(msgspec.Struct):
    date: str = ""
    host_name: str | None = None
    num_cpus: int | None = None
    cpu_scaling_enabled: bool = False
    caches: list[_Cache] = []
    load_avg: list[float] = []
    library_version: str = ""
    library_build_type: str = ""


class _File(msgspec.Struct):
    context: _Context
    benchmarks: list[_Plain]


class _Counting(msgspec.Struct):
    context: _Context
    benchmarks: list[dict[str, Any]]


def read(text: bytes) -> Told:
    """All that a file tells."""
    try:
        plain = decoded(text, _File)
        return _told(plain.context, plain.benchmarks)
    except msgspec.ValidationError:  # most often for a counter
        counting = decoded(text, _Counting)
    return _told(counting.context, map(_counted, counting.benchmarks))


def _counted(fields: dict[str, Any]) -> _Entry:
    entry = msgspec.convert({**fields, "counters": {}}, _Entry)
    entry.counters = {
        name: float(value)
        for name, value in fields.items()
        if name not in _Plain.__struct_fields__
        and (type(value) is float or (type(value) is int and abs(value) < 1 << 63))
    }
    return entry


def _told(context: _Context, entries: Iterable[_Entry]) -> Told:
    version = context.library_version.lstrip("v")
    return Told(
        tool=f"{TOOL} {version}".strip(),
        results=[_result(name, of_it) for name, of_it in _by_name(entries).items()],
        machine=Machine(
            host=context.host_name,
            threads=context.num_cpus,
            caches=tuple(_cache(each) for each in context.caches),
            versions={TOOL: version} if version else {},
        ),
        started=_moment(context.date),
        disturbances=tuple(_disturbances(context)),
    )


def _by_name(entries: Iterable[_Entry]) -> dict[str, list[_Entry]]:
    found: dict[str, list[_Entry]] = defaultdict(list)
    for entry in entries:
        if entry.aggregate_name not in ("BigO", "RMS"):
            found[entry.run_name or entry.name].append(entry)
    return found


def _result(name: str, entries: Sequence[_Entry]) -> Result:
    first, *parameters = name.split("/")
    own = [entry for entry in entries if entry.run_type == "iteration"]
    benchmark, named = f"{FAMILY}.{first}", _parameters(parameters)
    if wrong := next((entry for entry in own if entry.error_occurred or entry.skipped), None):
        said = wrong.error_message or wrong.skip_message or "no reason given"
        return Result(benchmark, (), named, failed=f"The benchmark skipped itself: {said}.")
    if own:
        process = _process(own)
        return Result(benchmark, (process,), named, further=_further(process.also))
    aggregates = {entry.aggregate_name: entry for entry in entries}
    middle = aggregates.get("median") or aggregates.get("mean")
    if middle is None:
        return Result(benchmark, (), named, failed="The file has no repetition and no median.")
    process = _process([middle])
    lacks = f"The {middle.aggregate_name} of {middle.iterations} repetitions."
    return Result(benchmark, (process,), named, further=_further(process.also), lacks=lacks)


def _parameters(words: Sequence[str]) -> dict[str, Scalar]:
    """`/1000` is `arg1=1000`, `/n:1000` is `n=1000`, `/real_time` is `timer=real_time`."""
    found: dict[str, Scalar] = {}
    for word in words:
        name, colon, value = word.partition(":")
        if not colon:
            name, value = "timer" if word in _TIMERS else f"arg{len(found) + 1}", word
        while name in found:
            name += "'"
        found[name] = int(value) if value.isdecimal() and len(value) < 19 else value
    return found


def _process(entries: Sequence[_Entry]) -> Process:
    units = {entry.time_unit for entry in entries}
    if len(units) > 1 or not units <= set(_SECONDS):
        raise RunFileError(
            f"The times of one benchmark are in {' and '.join(sorted(map(repr, units)))}; "
            f"{TOOL} has one of the units {', '.join(_SECONDS)} for each."
        )
    scale = _SECONDS[units.pop()]
    real = scale * np.array([entry.real_time for entry in entries])
    iterations = np.array([entry.iterations for entry in entries], dtype=np.float64)
    return Process(
        values=real,
        seconds=real * iterations,
        batch=entries[0].iterations if (iterations == iterations[0]).all() else 1,
        also={
            _CPU: scale * np.array([entry.cpu_time for entry in entries]),
            **_counters([entry.counters for entry in entries]),
        },
    )


def _counters(counted: Sequence[Mapping[str, float]]) -> dict[str, Floats]:
    """What the benchmark counted, where every repetition has it."""
    whole = [name for name in counted[0] if all(name in each for each in counted)]
    return {name: np.array([each[name] for each in counted]) for name in whole}


def _further(also: Mapping[str, Floats]) -> dict[str, Metric]:
    return {name: metric for name, metric in _FURTHER.items() if name in also}


_KINDS = {"data": "data", "instruction": "instruction"}


def _cache(cache: _Cache) -> Cache:
    return msgspec.convert(
        {
            "level": cache.level,
            "kind": _KINDS.get(cache.type.lower(), "unified"),
            "bytes": cache.size,
            "shared_by": cache.num_sharing or None,
        },
        Cache,
    )


def _moment(date: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:  # before 1.5 the form was the locale's
        return None
    return moment if moment.tzinfo else None


def _disturbances(context: _Context) -> Iterable[Disturbance]:
    if context.cpu_scaling_enabled:
        yield Disturbance(kind="governor", said=f"{TOOL} saw that the frequency may change.")
    if context.load_avg and context.num_cpus and context.load_avg[0] > 0.5 * context.num_cpus:
        said = f"The load was {context.load_avg[0]:.1f} on {context.num_cpus} CPUs."
        yield Disturbance(kind="load", said=said)
