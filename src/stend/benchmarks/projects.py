"""A program that a project's `stend.toml` describes. Every repetition executes it once.

Its figures are read from what it prints. docs/own-programs.md has the format of the file.
"""

# The file of the current folder or the nearest one above it is read, those that STEND_PROJECTS
# names, and those that `stend add` keeps. Nothing is executed until a case is measured.

import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from stend.benchmarks.definition import Case, benchmark
from stend.benchmarks.parameters import Parameter, Size
from stend.errors import BadValue, DefinitionError
from stend.record import Machine, Metric, Scalar
from stend.record.files import data_folder, write_whole
from stend.record.text import printable
from stend.running.command import Check, Command, Reading, substituted

FILE = "stend.toml"
VARIABLE = "STEND_PROJECTS"
"""Of the environment: further files, or folders with one, joined by colons."""
WALL = Metric(name="wall time", unit="s", better="lower")


class _Metric(msgspec.Struct, forbid_unknown_fields=True):
    unit: str
    better: Literal["higher", "lower"]
    pattern: str = ""
    json: str = ""
    scale: float = 1.0
    units: dict[str, float] = {}


class _Parameter(msgspec.Struct, forbid_unknown_fields=True):
    values: Annotated[list[Scalar], msgspec.Meta(min_length=1)]
    full: list[Scalar] = []
    """With --full, instead of `values`."""
    help: str = ""


class _Proof(msgspec.Struct, forbid_unknown_fields=True):
    exit: int = 0
    pattern: str = ""
    file: str = ""
    sha256: str = ""


class _Program(msgspec.Struct, forbid_unknown_fields=True):
    command: str
    question: str = ""
    build: str = ""
    folder: str = "."
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 600.0
    environment: dict[str, str] = {}
    parameters: dict[str, list[Scalar] | _Parameter] = {}
    metrics: dict[str, _Metric] = {}
    proof: _Proof = msgspec.field(default_factory=_Proof)


class _Project(msgspec.Struct, forbid_unknown_fields=True):
    programs: dict[str, _Program]
    name: str = ""


def files() -> Iterator[Path]:
    """Every project's file, each once: the nearest, the variable's, the kept ones."""
    here = Path.cwd()
    near = [folder / FILE for folder in (here, *here.parents)]
    named = [Path(word) for word in os.environ.get(VARIABLE, "").split(":") if word]
    nearest = [path for path in near if path.is_file()][:1]
    yield from dict.fromkeys(map(file_of, (*nearest, *named, *kept())))


def file_of(path: Path) -> Path:
    """A project's file, of which the folder may be named."""
    return (path / FILE if path.is_dir() else path).resolve()


_BEGINNING = b"# Projects that `stend add` was given, a file a line.\n"


def _list_of_kept() -> Path:
    return data_folder() / "projects"


def kept() -> list[Path]:
    """Files that `keep` was given, in that order."""
    try:
        text = _list_of_kept().read_text(encoding="utf-8", errors="surrogateescape")
    except (OSError, RuntimeError):  # no home folder is known
        return []
    return [Path(line) for line in text.splitlines() if line and not line.startswith("#")]


def keep(path: Path) -> list[str]:
    """Have a project's benchmarks found from every folder, and give their names.

    Raises:
        BadValue: there is no such file, or a benchmark of it can't be defined.
        OutputError: the list can't be written.
    """
    file = file_of(path)
    if "\n" in str(file):
        raise BadValue(f"The path {printable(str(file))} has a line break; rename the folder.")
    try:
        project = _read(file)
    except DefinitionError as error:
        raise BadValue(f"{printable(str(file))} can't be added: {error}") from error
    _write_kept(list(dict.fromkeys([*kept(), file])))
    return [_whole_name(name, project, file) for name in project.programs]


def forget(path: Path) -> None:
    """Take a project off the list.

    Raises:
        BadValue: it is not there.
        OutputError: the list can't be written.
    """
    file, names = file_of(path), kept()
    if file not in names:
        raise BadValue(f"{printable(str(file))} was not added; `stend add` lists what was.")
    _write_kept([name for name in names if name != file])


def _write_kept(names: list[Path]) -> None:
    path = _list_of_kept()
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [os.fsencode(name) + b"\n" for name in names]
    write_whole(path, b"".join([_BEGINNING, *lines]), _BEGINNING)


def _registered() -> Mapping[str, str]:
    """Register all that is described; give why what can't be, by the file's or program's name."""
    broken = {}
    for path in files():
        try:
            project = _read(path)
        except DefinitionError as error:
            broken[printable(str(path))] = str(error)
            continue
        for name, program in project.programs.items():
            whole = _whole_name(name, project, path)
            try:
                _register(whole, program, path.parent)
            except DefinitionError as error:
                broken[printable(whole)] = str(error)
    return broken


def _read(path: Path) -> _Project:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(content, _Project)
    except OSError as error:
        raise DefinitionError(f"it can't be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DefinitionError(f"it is no TOML: {printable(str(error))}.") from error
    except msgspec.ValidationError as error:
        said = printable(str(error)).replace(" - at `$.", ", at `")
        raise DefinitionError(f"{said[:1].lower()}{said[1:]}.") from error


def _whole_name(name: str, project: _Project, path: Path) -> str:
    """A name without a family is of the project's."""
    family = re.sub(r"\W+", "_", (project.name or path.parent.name).lower()).strip("_")
    return name if "." in name else f"{family or 'project'}.{name}"


def _register(name: str, program: _Program, folder: Path) -> None:
    metrics = {metric: _reading(metric, of) for metric, of in program.metrics.items()}
    words = _words(program)
    check = _check(program.proof)

    def make(case: Case) -> Command:
        return Command(
            words=substituted(words, case.parameters),
            folder=folder / program.folder,
            readings=tuple(metrics.values()),
            check=check,
            build=program.build,
            timeout=program.timeout,
            environment=program.environment,
        )

    first, *others = [
        Metric(name=metric, unit=of.unit, better=of.better)
        for metric, of in program.metrics.items()
    ] or [WALL]
    define = benchmark(
        name,
        question=program.question or f"What does `{printable(program.command)}` achieve?",
        metric=first,
        parameters={p: _parameter(p, of) for p, of in program.parameters.items()},
        quick=False,  # whoever measures a machine from a strange folder executes nothing of it
        further={metric.name: metric for metric in others},
    )
    make.__module__ = __name__
    define(make)


def _words(program: _Program) -> list[str]:
    try:
        words = shlex.split(program.command)
    except ValueError as error:
        raise DefinitionError(f"its command can't be split into words: {error}.") from error
    if not words:
        raise DefinitionError("its command is empty.")
    return words


def _reading(name: str, of: _Metric) -> Reading:
    if bool(of.pattern) == bool(of.json):
        raise DefinitionError(f"the metric {name!r} needs either a `pattern` or a `json` path.")
    if of.pattern:
        groups = _compiled(of.pattern, f"the pattern of the metric {name!r}")
        if "value" not in groups.groupindex and groups.groups != 1:
            raise DefinitionError(
                f"the pattern of the metric {name!r} has {groups.groups} groups; it needs one, or "
                "one called `value`."
            )
    return Reading(name, of.pattern, of.json, of.scale, of.units)


def _compiled(pattern: str, what: str) -> "re.Pattern[str]":
    try:
        return re.compile(pattern)
    except re.error as error:
        raise DefinitionError(f"{what} is no regular expression: {error}.") from error


def _check(of: _Proof) -> Check:
    _compiled(of.pattern, "the pattern of the proof")
    if bool(of.file) != bool(of.sha256):
        raise DefinitionError("a proof by a file needs both `file` and `sha256`.")
    return Check(of.exit, of.pattern, of.file, of.sha256.lower())


def _parameter(name: str, of: list[Scalar] | _Parameter) -> Parameter:
    given = of if isinstance(of, _Parameter) else _Parameter(of)
    if not given.values:
        raise DefinitionError(f"the parameter {name!r} has no value.")
    kind = type(given.values[0])

    def parse(word: str) -> Scalar:
        try:
            return word if kind in (str, bool) else kind(word)
        except ValueError:
            raise BadValue(f"{word!r} is no {kind.__name__}.") from None

    def defaults(machine: Machine, size: Size) -> list[Scalar]:
        if size == "full" and given.full:
            return given.full
        return given.values[:1] if size == "check" else given.values

    return Parameter(given.help or f"the program's {name}", parse, defaults)


BROKEN = _registered()
"""What could not be registered, by the name of a file or a program, and why."""
