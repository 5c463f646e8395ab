"""Files of results: whose they are, told by their content, and the runs they become."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from stend.errors import RunFileError
from stend.foreign import asv, catch2, criterion, google_benchmark, hyperfine, jmh, pytest_benchmark
from stend.foreign.cases import Source, Told, run_of
from stend.foreign.json_text import decoded
from stend.record import Run
from stend.record.run_file import content_of, from_run_file
from stend.record.text import printable


class _Tool(NamedTuple):
    name: str
    marks: tuple[bytes, ...]
    """What is in every file of this tool, and in none of another."""
    told: Callable[[bytes, Path], Told]


def _decoded(text: bytes, kind: Any) -> Any:
    return decoded(text, kind, strict=False)


_TOOLS = (
    _Tool(
        google_benchmark.TOOL,
        (b'"context"', b'"benchmarks"'),
        lambda text, _: google_benchmark.read(text),
    ),
    _Tool(
        pytest_benchmark.TOOL,
        (b'"machine_info"', b'"benchmarks"'),
        lambda text, _: pytest_benchmark.told(_decoded(text, pytest_benchmark.File)),
    ),
    _Tool(
        hyperfine.TOOL,
        (b'"results"', b'"command"'),
        lambda text, _: hyperfine.told(_decoded(text, hyperfine.File)),
    ),
    _Tool(
        asv.TOOL,
        (b'"commit_hash"', b'"results"'),
        lambda text, path: asv.told(_decoded(text, asv.File), path),
    ),
    _Tool(
        jmh.TOOL,
        (b'"jmhVersion"',),
        lambda text, _: jmh.told(_decoded(text, jmh.File)),
    ),
    _Tool(
        criterion.TOOL,
        (b'"iters"', b'"times"'),
        lambda text, path: criterion.told([(path, _decoded(text, criterion.File))]),
    ),
    _Tool(
        catch2.TOOL,
        (b"<Catch",),
        lambda text, _: catch2.told(text),
    ),
)
TOOLS = tuple(tool.name for tool in _TOOLS)
"""Whose results are read, in the order in which their marks are looked for."""

_HEAD = 1 << 16
"""Bytes at a file's beginning and end in which a mark is looked for."""


def read_results(path: str | os.PathLike[str], label: str = "") -> Run:
    """Read a run file, a file of another tool's results, or a folder of Criterion's.

    Args:
        path: of the file or folder; a pipe will do.
        label: of a run of another tool's results; by default the file's name.

    Raises:
        RunFileError: it can't be read, or is none of these.
    """
    path = Path(path)
    name = printable(str(path))
    if path.is_dir():
        return _folder(path, name, label)
    text, modified = content_of(path, name)
    if _is_run_file(text):
        return from_run_file(text, name)
    tool = _tool_of(text)
    if tool is None:
        raise RunFileError(
            f"{name} is neither a run file nor a result of {', '.join(TOOLS[:-1])} or {TOOLS[-1]}."
        )
    told = _told(tool, text, path, name)
    return run_of(told, Source(name, label or path.stem, text, modified))


def _is_run_file(text: bytes) -> bool:
    return b"".join(text[:64].split()).startswith(b'{"stend"')


def _tool_of(text: bytes) -> _Tool | None:
    ends = text[:_HEAD] + text[-_HEAD:]
    return next((tool for tool in _TOOLS if all(mark in ends for mark in tool.marks)), None)


def _told(tool: _Tool, text: bytes, path: Path, name: str) -> Told:
    try:
        return tool.told(text, path)
    except RunFileError as error:
        raise RunFileError(f"{name} can't be imported: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        said = printable(str(error)).replace(" - at `$", ", at `$").rstrip(".")
        raise RunFileError(f"{name} is no valid result of {tool.name}: {said}.") from error
    except RecursionError as error:
        raise RunFileError(f"{name} is nested too deeply for {tool.name}.") from error


def _folder(path: Path, name: str, label: str) -> Run:
    found = criterion.samples_of(path)
    if not found:
        raise RunFileError(
            f"{name} is a folder without Criterion's new/sample.json; name a file, or the folder "
            "target/criterion."
        )
    texts = {sample: content_of(sample, printable(str(sample))) for sample in found}
    told = criterion.told([(sample, _sample(text, sample)) for sample, (text, _) in texts.items()])
    content = b"\n".join(text for text, _ in texts.values())
    modified = max(time for _, time in texts.values())
    return run_of(told, Source(name, label or path.name, content, modified))


def _sample(text: bytes, path: Path) -> criterion.File:
    try:
        return msgspec.json.decode(text, type=criterion.File)
    except msgspec.DecodeError as error:
        said = printable(str(error))
        raise RunFileError(f"{printable(str(path))} is no sample of Criterion: {said}.") from error
