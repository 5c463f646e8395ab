"""hyperfine's JSON (`--export-json FILE`): the same records as those of `stend time`."""

from collections.abc import Mapping

import msgspec
import numpy as np

from stend.foreign.cases import Process, Result, Told
from stend.record import PROGRAM, Metric
from stend.record.text import without_passwords

TOOL = "hyperfine"
_MEMORY = "peak memory B"


class _Command(msgspec.Struct):
    command: str
    times: list[float] | None = None
    mean: float | None = None
    median: float | None = None
    user: float | None = None
    system: float | None = None
    memory_usage_byte: list[float] | None = None
    exit_codes: list[int | None] = []
    parameters: dict[str, str] = {}


class File(msgspec.Struct):
    """What is read of a file."""

    results: list[_Command]


def told(file: File) -> Told:
    """All that a file tells; it has no time of day, no host and no version."""
    return Told(tool=TOOL, results=[_result(command) for command in file.results])


def _result(command: _Command) -> Result:
    named = {**command.parameters, "command": without_passwords(command.command)}
    metric = Metric(name="wall time", unit="s", better="lower")
    question = "How long does this command take?"
    failed, times, lacks = _failure(command.exit_codes), command.times, ""
    if not times:
        middle = command.median if command.median is not None else command.mean
        times, lacks = [middle or 0.0], "The median of all executions."
        failed = failed or ("" if middle is not None else "The file has no time of it.")
    values = np.array(times)
    memory = command.memory_usage_byte or []
    process = Process(
        values=values,
        seconds=values,
        also={_MEMORY: np.array(memory)} if len(memory) == len(times) else {},
    )
    return Result(
        PROGRAM,
        (process,),
        named,
        metric=metric,
        question=question,
        proof="Every execution exited with code 0." if command.exit_codes else "",
        failed=failed,
        lacks=lacks,
        detail=_means(command),
    )


def _failure(codes: list[int | None]) -> str:
    wrong = [code for code in codes if code != 0]
    if not wrong:
        return ""
    how = "was ended by a signal" if wrong[0] is None else f"exited with code {wrong[0]}"
    return f"{len(wrong)} of {len(codes)} executions failed; the first {how}."


def _means(command: _Command) -> Mapping[str, str]:
    times = {"user s, mean": command.user, "system s, mean": command.system}
    return {name: f"{value:.6g}" for name, value in times.items() if value is not None}
