"""pytest-benchmark's JSON (`--benchmark-json FILE`, or `--benchmark-save` with `-save-data`).

Every round is one value, the mean of its iterations. A file without them has their median.
"""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
import numpy as np

from stend.foreign.cases import Process, Result, Told
from stend.record import Machine, Scalar

TOOL = "pytest-benchmark"
FAMILY = "pytest"


class _Stats(msgspec.Struct):
    median: float | None = None
    rounds: int = 0
    iterations: Annotated[int, msgspec.Meta(le=1 << 40)] = 1
    data: list[float] = []


class _Benchmark(msgspec.Struct):
    name: str
    stats: _Stats
    fullname: str = ""
    params: dict[str, Any] | None = None


class File(msgspec.Struct):
    """What is read of a file."""

    machine_info: dict[str, Any]
    benchmarks: list[_Benchmark]
    datetime: str = ""
    version: str = ""


def told(file: File) -> Told:
    """All that a file tells."""
    return Told(
        tool=f"{TOOL} {file.version}".strip(),
        results=[_result(benchmark) for benchmark in file.benchmarks],
        machine=_machine(file.machine_info, file.version),
        started=_moment(file.datetime),
    )


def _result(benchmark: _Benchmark) -> Result:
    stats = benchmark.stats
    name, _, bracketed = (benchmark.fullname or benchmark.name).partition("[")
    parameters: dict[str, Scalar] = {
        key: value if isinstance(value, bool | int | float | str) else repr(value)
        for key, value in (benchmark.params or {}).items()
    }
    if bracketed and not parameters:
        parameters = {"param": bracketed.removesuffix("]")}
    values = stats.data or ([] if stats.median is None else [stats.median])
    process = Process(
        values=np.array(values),
        seconds=np.array(values) * stats.iterations,
        batch=max(1, stats.iterations),
    )
    return Result(
        f"{FAMILY}.{name}",
        (process,),
        parameters,
        failed="" if values else "The file has neither rounds nor a median.",
        lacks="" if stats.data else f"The median of {stats.rounds} rounds.",
    )


def _machine(info: dict[str, Any], version: str) -> Machine:
    cpu = info.get("cpu")
    cpu = cpu if isinstance(cpu, dict) else {}

    def text(of: dict[str, Any], name: str) -> str | None:
        value = of.get(name)
        return value if isinstance(value, str) and value else None

    threads = cpu.get("count")
    versions = {TOOL: version, "Python": text(info, "python_version") or ""}
    return Machine(
        host=text(info, "node"),
        architecture=text(info, "machine"),
        cpu_vendor=text(cpu, "vendor_id_raw"),
        cpu_model=text(cpu, "brand_raw"),
        threads=threads if isinstance(threads, int) and threads > 0 else None,
        kernel=text(info, "release"),
        versions={name: text for name, text in versions.items() if text},
    )


def _moment(date: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)  # before 4.0 without a zone
