"""Criterion's folder `target/criterion`, or a `sample.json` in it.

Of each benchmark the newest measurement, `new/sample.json`, is read: a repetition is as many
executions as it says, and its value the mean of them. `benchmark.json` beside it has the name.
"""

from pathlib import Path

import msgspec
import numpy as np

from stend.errors import RunFileError
from stend.foreign.cases import Process, Result, Told
from stend.record import Scalar, Work

TOOL = "Criterion"
FAMILY = "criterion"


class File(msgspec.Struct):
    """What is read of a `sample.json`: counts of executions, and how many ns they took."""

    iters: list[float]
    times: list[float]


class _Named(msgspec.Struct):
    group_id: str
    function_id: str | None = None
    value_str: str | None = None
    throughput: dict[str, float] | None = None


def samples_of(folder: Path) -> list[Path]:
    """Every newest measurement below a folder, in the order of their names."""
    return sorted(path for path in folder.glob("**/new/sample.json") if path.is_file())


def told(files: list[tuple[Path, File]]) -> Told:
    """All that these files tell; they have no time of day and no machine."""
    return Told(tool=TOOL, results=[_result(path, file) for path, file in files])


def _result(path: Path, file: File) -> Result:
    if len(file.iters) != len(file.times) or not file.times or min(file.iters) < 1:
        raise RunFileError(
            f"A sample has {len(file.iters)} counts and {len(file.times)} times; each time needs "
            "a count of at least 1."
        )
    times = np.array(file.times) * 1e-9
    process = Process(times / np.array(file.iters), seconds=times)
    try:
        named = msgspec.json.decode(path.with_name("benchmark.json").read_bytes(), type=_Named)
    except (OSError, msgspec.DecodeError):
        return Result(f"{FAMILY}.{path.parent.parent.name or 'sample'}", (process,))
    name = "/".join(part for part in (named.group_id, named.function_id) if part)
    parameters: dict[str, Scalar] = {"value": named.value_str} if named.value_str else {}
    return Result(f"{FAMILY}.{name}", (process,), parameters, work=_work(named.throughput or {}))


def _work(throughput: dict[str, float]) -> Work:
    size = throughput.get("Bytes") or throughput.get("BytesDecimal")
    return Work(bytes=size, operations=throughput.get("Elements"))
