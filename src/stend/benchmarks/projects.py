"""A program that a project's `stend.toml` describes. Every repetition executes it once.

Its figures are read from what it prints. docs/own-programs.md has the format of the file.
"""

# The file of the current folder or the nearest one above it is read, those that STEND_PROJECTS
# names, and those that `stend add` keeps. Nothing is executed until a case is measured.

import contextlib
import math
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from stend.benchmarks.definition import About, Case, benchmark, registered
from stend.benchmarks.parameters import Parameter, Size
from stend.errors import BadValue, DefinitionError
from stend.record import Machine, Metric, Scalar
from stend.record.files import data_folder, write_whole
from stend.record.text import fault_of, printable
from stend.running.command import Check, Command, Reading, substituted, written

FILE = "stend.toml"
VARIABLE = "STEND_PROJECTS"
"""Of the environment: further files, or folders with one, joined by colons."""
WALL = Metric(name="wall time", unit="s", better="lower")
LARGEST = 1 << 20
"""Bytes of a stend.toml: a larger file is something else."""

_Factor = Annotated[float, msgspec.Meta(gt=0, le=1e100)]


class _Metric(msgspec.Struct, forbid_unknown_fields=True):
    unit: str
    better: Literal["higher", "lower"]
    pattern: str = ""
    json: str = ""
    scale: _Factor = 1.0
    units: dict[str, _Factor] = {}


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
    timeout: Annotated[float, msgspec.Meta(gt=0, le=1e7)] = 600.0
    environment: dict[str, str] = {}
    parameters: dict[str, list[Scalar] | _Parameter] = {}
    metrics: dict[str, _Metric] = {}
    proof: _Proof = msgspec.field(default_factory=_Proof)


class _Project(msgspec.Struct, forbid_unknown_fields=True):
    programs: dict[str, _Program]
    name: str = ""


def files() -> Iterator[Path]:
    """Every project's file, each once: the nearest, the variable's, the kept ones."""
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        near = []
    else:
        near = [folder / FILE for folder in (here, *here.parents)]
    named = [Path(word) for word in os.environ.get(VARIABLE, "").split(":") if word]
    nearest = [path for path in near if os.path.isfile(path)][:1]  # noqa: PTH113 - never raises
    yield from dict.fromkeys(map(file_of, (*nearest, *named, *kept())))


def file_of(path: Path) -> Path:
    """A project's file, of which the folder may be named."""
    # Path's methods raise for a loop of links, a name that is too long or a folder that is closed.
    whole = path / FILE if os.path.isdir(path) else path  # noqa: PTH112
    return Path(os.path.realpath(whole))


_BEGINNING = b"# Projects that `stend add` was given, a file a line.\n"


def _list_of_kept() -> Path:
    return data_folder() / "projects"


def kept() -> list[Path]:
    """Files that `keep` was given, in that order."""
    try:
        text = _list_of_kept().read_text(encoding="utf-8", errors="surrogateescape")
    except (OSError, RuntimeError):  # no home folder is known
        return []
    return [Path(line) for line in text.split("\n") if line and not line.startswith("#")]


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
        programs = {_whole_name(name, project, file): of for name, of in project.programs.items()}
        for name, program in programs.items():
            with _named(name):
                _define(name, program, file, only_check=True)
    except DefinitionError as error:
        raise BadValue(f"{printable(str(file))} can't be added: {error}") from error
    _write_kept(list(dict.fromkeys([*kept(), file])))
    return list(programs)


@contextlib.contextmanager
def _named(program: str) -> Iterator[None]:
    """Say of which program a fault is."""
    try:
        yield
    except DefinitionError as error:
        raise DefinitionError(f"{printable(program)}: {error}") from error


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
                _define(whole, program, path)
            except DefinitionError as error:
                name = printable(whole)
                where = f"{name} in {printable(str(path))}"
                broken[where if name in broken else name] = f"in {printable(str(path))}, {error}"
    return broken


def _read(path: Path) -> _Project:
    try:
        content = tomllib.loads(_content(path).decode())
        return msgspec.convert(content, _Project)
    except OSError as error:
        raise DefinitionError(f"it can't be read: {error.strerror}.") from error
    except msgspec.ValidationError as error:
        said = printable(str(error)).replace(" - at `$.", ", at `")
        raise DefinitionError(f"{said[:1].lower()}{said[1:]}.") from error
    except RecursionError as error:
        raise DefinitionError("it is nested too deeply.") from error
    except ValueError as error:  # tomllib's own, and int's for thousands of digits
        raise DefinitionError(f"it is no TOML: {printable(str(error))}.") from error


def _content(path: Path) -> bytes:
    """Of an ordinary file: a pipe would block every verb."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise DefinitionError("it is no ordinary file.")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise DefinitionError(f"it has more than {LARGEST:,} bytes.")
    return content


def _whole_name(name: str, project: _Project, path: Path) -> str:
    """A name without a family is of the project's."""
    family = re.sub(r"\W+", "_", (project.name or path.parent.name).lower()).strip("_")
    return name if "." in name else f"{family or 'project'}.{name}"


_files: dict[str, Path] = {}
"""Which file defined a program."""


def _define(name: str, program: _Program, file: Path, only_check: bool = False) -> None:
    """Register a program, or only look whether that could be done."""
    metrics = {metric: _reading(metric, of) for metric, of in program.metrics.items()}
    words = _words(program)
    check = _check(program.proof)
    _refuse_unsafe(name, program)
    if name in registered() and only_check and _files.get(name) == file:
        return
    if name in registered():
        earlier = _files.get(name, registered()[name].module)
        raise DefinitionError(
            f"it is defined twice, first in {printable(str(earlier))}; rename one, or give its "
            "file another `name`."
        )

    def make(case: Case) -> Command:
        variables = program.environment
        values = substituted(list(variables.values()), case.parameters)
        return Command(
            words=substituted(words, case.parameters),
            folder=file.parent / program.folder,
            readings=tuple(metrics.values()),
            check=check,
            build=program.build,
            timeout=program.timeout,
            environment=dict(zip(variables, values, strict=True)),
        )

    first, *others = [
        Metric(name=metric, unit=of.unit, better=of.better)
        for metric, of in program.metrics.items()
    ] or [WALL]
    define = benchmark(
        name,
        question=program.question or f"What does `{printable(program.command)[:200]}` achieve?",
        metric=first,
        parameters={p: _parameter(p, of) for p, of in program.parameters.items()},
        quick=False,  # whoever measures a machine from a strange folder executes nothing of it
        further={metric.name: metric for metric in others},
        longest=3 * program.timeout,  # the first execution, one to warm up, one that counts
        about=About(
            program=f"`{printable(program.command)}` in `{printable(str(file.parent))}`, as "
            f"`{printable(str(file))}` says."
        ),
    )
    make.__module__ = __name__
    if not only_check:
        define(make)
        _files[name] = file


def _refuse_unsafe(name: str, program: _Program) -> None:
    """What no process can be given, and what no record can hold."""
    texts = [program.command, program.folder, program.build, *program.environment.values()]
    if any("\0" in text for text in (*texts, *program.environment)):
        raise DefinitionError("it has a NUL character, which no program can be given.")
    for variable in program.environment:
        if not variable or "=" in variable:
            raise DefinitionError(f"{variable!r} can't name a variable of the environment.")
    names = [name, *program.parameters, *program.metrics]
    names += [of.unit for of in program.metrics.values()]
    for each in names:
        if not each or fault_of(each, name=True):
            said = fault_of(each, name=True) or "it is empty"
            raise DefinitionError(
                f"the name or unit {printable(each)[:40]!r} can't be kept: {said}."
            )
    if said := fault_of(program.question, name=False):
        raise DefinitionError(f"its question can't be kept: {said}.")
    places = [program.command, *program.environment.values()]
    for parameter in program.parameters:
        if not re.fullmatch(r"\w+", parameter):
            raise DefinitionError(
                f"the parameter {parameter!r} needs a name of letters, digits and underscores."
            )
        if not any(f"{{{parameter}}}" in place for place in places):
            raise DefinitionError(
                f"the parameter {parameter!r} changes nothing: neither the command nor the "
                f"environment has {{{parameter}}}."
            )


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
        if ("unit" in groups.groupindex) != bool(of.units):
            raise DefinitionError(
                f"the metric {name!r} needs both a group `unit` in its pattern and `units`, or "
                "neither."
            )
    elif of.units:
        raise DefinitionError(f"the metric {name!r} has `units`, which only a pattern can use.")
    return Reading(name, of.pattern, of.json, of.scale, of.units)


def _compiled(pattern: str, what: str) -> "re.Pattern[str]":
    try:
        return re.compile(pattern)
    except (re.error, OverflowError) as error:
        raise DefinitionError(f"{what} is no regular expression: {error}.") from error
    except RecursionError as error:
        raise DefinitionError(f"{what} is nested too deeply.") from error


def _check(of: _Proof) -> Check:
    _compiled(of.pattern, "the pattern of the proof")
    if bool(of.file) != bool(of.sha256):
        raise DefinitionError("a proof by a file needs both `file` and `sha256`.")
    if of.sha256 and not re.fullmatch(r"[0-9a-fA-F]{64}", of.sha256):
        raise DefinitionError("the `sha256` of the proof is not 64 hexadecimal digits.")
    return Check(of.exit, of.pattern, of.file, of.sha256.lower())


def _parameter(name: str, of: list[Scalar] | _Parameter) -> Parameter:
    given = of if isinstance(of, _Parameter) else _Parameter(of)
    if not given.values:
        raise DefinitionError(f"the parameter {name!r} has no value.")
    known = [*given.values, *given.full]
    for value in known:
        if said := _fault(value):
            raise DefinitionError(f"the parameter {name!r} has a value that can't be kept: {said}.")

    def parse(word: str) -> Scalar:
        """One of the values as it is written there, or another of such a type."""
        for value in known:
            if word == written(value):
                return value
        types = {type(value) for value in known} - {bool}
        kind = next((kind for kind in (str, float, int) if kind in types), None)
        if kind is None:
            raise BadValue(f"{word!r} is neither true nor false.")
        try:
            value = kind(word)
        except ValueError:
            raise BadValue(f"{printable(word)!r} is no {kind.__name__}.") from None
        if said := _fault(value):
            raise BadValue(f"{printable(word)!r} can't be kept: {said}.")
        return value

    def defaults(machine: Machine, size: Size) -> list[Scalar]:
        if size == "full" and given.full:
            return given.full
        return given.values[:1] if size == "check" else given.values

    return Parameter(given.help or f"the program's {name}", parse, defaults)


def _fault(value: Scalar) -> str:
    """Why a parameter can't have this value; empty: it can."""
    if isinstance(value, str):
        return "it has a NUL character" if "\0" in value else fault_of(value, name=True)
    if isinstance(value, float):
        return "" if math.isfinite(value) else "it is not finite"
    return "" if -(2**63) <= value < 2**63 else "it does not fit into 64 bits"


BROKEN = _registered()
"""What could not be registered, by the name of a file or a program, and why."""
