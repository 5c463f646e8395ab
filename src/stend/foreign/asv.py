"""airspeed velocity's results: `results/MACHINE/COMMIT-ENVIRONMENT.json`.

With `asv run --record-samples` a file has its samples, else their median. Names and units of
parameters are in `results/benchmarks.json`, which is read where it is.
"""

import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from stend.foreign.cases import QUESTION, TIME, Process, Result, Told
from stend.record import Machine, Metric, Scalar

TOOL = "asv"
FAMILY = "asv"
_UNITS = {"seconds": "s", "bytes": "B"}
_LARGEST = sys.float_info.max
_QUESTIONS = {"s": QUESTION, "B": "How much memory does it take?"}


class File(msgspec.Struct):
    """What is read of a file."""

    results: dict[str, Any]
    commit_hash: str = ""
    date: int = 0
    result_columns: tuple[str, ...] = ("result", "params")
    params: dict[str, Any] = {}
    python: str = ""


class _Described(msgspec.Struct):
    param_names: list[str] = []
    unit: str = ""
    type: str = ""


def told(file: File, path: Path) -> Told:
    """All that a file tells, with what `benchmarks.json` beside its folder says of it."""
    described = _described(path)
    return Told(
        tool=TOOL,
        results=[
            result
            for name, of in file.results.items()
            for result in _results(name, _columns(file, of), described.get(name))
        ],
        machine=_machine(file),
        started=datetime.fromtimestamp(file.date / 1000, UTC) if 0 < file.date < 1 << 45 else None,
    )


def _described(path: Path) -> Mapping[str, _Described]:
    """Every benchmark's, by name; none where the file is not there or can't be read."""
    try:
        text = (path.parent.parent / "benchmarks.json").read_bytes()
        entries = msgspec.json.decode(text, type=dict[str, Any])
        return {
            name: msgspec.convert(entry, _Described)
            for name, entry in entries.items()
            if isinstance(entry, dict)
        }
    except (OSError, msgspec.DecodeError):
        return {}


def _columns(file: File, of: Any) -> Mapping[str, Any]:
    """Of one benchmark; before asv 0.5 a file had a dict or the result alone."""
    if isinstance(of, dict):
        return of
    if isinstance(of, list):
        return dict(zip(file.result_columns, of, strict=False))
    return {"result": [of]}


def _results(name: str, of: Mapping[str, Any], described: _Described | None) -> Iterator[Result]:
    described = described or _Described()
    names, metric = described.param_names, _metric(name, described.unit)
    results, samples = _list(of.get("result")), _list(of.get("samples"))
    every = itertools.product(*map(_list, _list(of.get("params"))))
    combinations = list(itertools.islice(every, len(results)))
    if not results:
        yield Result(f"{FAMILY}.{name}", (), metric=metric, failed="asv kept no result of it.")
    for i, result in enumerate(results):
        values = _numbers(samples[i]) if i < len(samples) else []
        known = values or _numbers([result])
        chosen: Sequence[object] = combinations[i] if i < len(combinations) else ()
        yield Result(
            f"{FAMILY}.{name}",
            (_process(known, metric),),
            _parameters(names, chosen),
            metric=metric,
            question=_QUESTIONS.get(metric.unit, f"What is {name}?"),
            failed="" if known else "asv kept no result of it.",
            lacks="" if values or not known else "The median of the samples.",
        )


def _process(values: Sequence[float], metric: Metric) -> Process:
    column = np.array(values)
    return Process(column, seconds=column if metric is TIME else None)


def _metric(name: str, unit: str) -> Metric:
    """Of the unit that asv has for it, or of the kind that its name begins with."""
    kind = name.rpartition(".")[2].partition("_")[0]
    unit = _UNITS.get(unit, unit) or {"time": "s", "timeraw": "s"}.get(kind, "")
    if unit == "s":
        return TIME
    if unit == "B" or kind in ("mem", "peakmem"):
        return Metric(name="memory", unit="B", better="lower")
    return Metric(name="value", unit=unit or "unit", better="lower")


def _parameters(names: Sequence[str], values: Sequence[object]) -> dict[str, Scalar]:
    """Every value is kept as Python's repr of it."""
    found: dict[str, Scalar] = {}
    for i, value in enumerate(values):
        text = str(value)
        name = names[i] if i < len(names) else f"param{i + 1}"
        found[name] = int(text) if text.isdecimal() and len(text) < 19 else text.strip("'\"")
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _numbers(values: Any) -> list[float]:
    """The finite ones: a failed benchmark has null, one that was left out NaN."""
    numbers = [x for x in _list(values) if isinstance(x, int | float) and not isinstance(x, bool)]
    return [float(x) for x in numbers if -_LARGEST <= x <= _LARGEST]


def _machine(file: File) -> Machine:
    def text(name: str) -> str | None:
        value = file.params.get(name)
        return value if isinstance(value, str) and value else None

    def number(name: str) -> int | None:
        value = text(name) or ""
        return int(value) or None if value.isdecimal() and len(value) < 19 else None

    return Machine(
        host=text("machine"),
        architecture=text("arch"),
        cpu_model=text("cpu"),
        threads=number("num_cpu"),
        memory_bytes=number("ram"),
        kernel=text("os"),
        versions={"Python": file.python, "commit": file.commit_hash[:40]},
    )
