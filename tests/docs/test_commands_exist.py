"""Every command in the documents is one that stend takes: verb, options, choices, benchmarks."""

import functools
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main

import commands_page
from documents import DOCUMENTS, ROOT, blocks, commands, inline
from stend import cli
from stend.benchmarks.definition import ALL, DEFAULT, Benchmark
from stend.benchmarks.registry import find
from stend.cli.engine import engine_of
from stend.errors import StendError

NOT_OURS = {
    "tar": "it packs what is encrypted",
    "make": "tests/walls holds targets against the Makefile",
    "pip": "it would fetch packages",
    "sudo": "it would install packages",
    "cmake": "native/tests/installed builds and installs",
    "ctest": "native/tests/installed builds and installs",
    "cc": "engines/gost/tests/native/installed compiles and runs those programs",
    "c++": "engines/*/tests/native/installed compile those programs",
    "export": "it prepares the shell for the commands below it",
    "./program": "engines/gost/tests/native/installed compiles and runs those programs",
    "python3": "it reads what stend exported",
    "curl": "tests/web asks a server with it",
    ".": "it prepares the shell for the commands below it",
    "pytest": "it would run tests",
    "pre-commit": "it would change .git",
}
"""Programs in shell blocks that are not checked here, and why not."""

IN_BLOCKS = [
    (f"{block.document}:{block.line + below}", words)
    for document in DOCUMENTS
    for block in blocks(document)
    if block.language == "sh"
    for below, words in commands(block.text)
    if words[0].startswith("stend")
    or document.name != "gost.md"  # whose test runs all of it in a shell
]
IN_TEXT = [
    (f"{document.relative_to(ROOT)}:{line}", words)
    for document in DOCUMENTS
    for line, words in inline(document)
]
SECTIONS = dict(re.findall(r"^## (stend .*)\n((?:.*\n)*?)(?=^#|\Z)", commands_page.text(), re.M))
NO_COMMAND = {"stend gost file": "the first words of an encrypted file"}


class Taken(Exception):
    """What a verb was called with."""

    def __init__(self, **given: Any) -> None:
        self.given = given


def _deaf() -> Any:
    """The command line, whose verbs do nothing but tell what they were called with."""

    def tell(verb: Any) -> Any:
        @functools.wraps(verb)
        def told(**given: Any) -> None:
            raise Taken(verb=verb, **given)

        return told

    deaf = typer.Typer()
    deaf.callback()(cli.options)
    cli._add(deaf, {name: tell(verb) for name, verb in cli.VERBS.items()})
    for name, (_, verbs) in cli.GROUPS.items():
        group = typer.Typer(no_args_is_help=True)
        cli._add(group, {each: tell(verb) for each, verb in verbs.items()})
        deaf.add_typer(group, name=name)
    return typer.main.get_command(deaf)


DEAF = _deaf()


def fault(words: list[str]) -> str | None:
    """Why stend would refuse these words, or None."""
    words = _under_stend(words)
    if words[0] not in ("stend", ".venv/bin/stend"):
        return None if words[0] in NOT_OURS else f"{words[0]} is no program that is known here"
    try:
        DEAF(words[1:], standalone_mode=False)
    except Taken as taken:
        engine = engine_of(taken.given["verb"])
        return _of_parser(engine, words[2:]) if engine else _of_names(taken.given)
    except typer.Exit:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {getattr(error, 'message', '') or error}"
    return None if words[-1] in ("--help", "-h", "--version") else "nothing was called"


def _under_stend(words: list[str]) -> list[str]:
    """`stend-gost mac` as `stend gost mac`."""
    return [*words[0].split("-"), *words[1:]] if words[0].startswith("stend-") else words


def _of_parser(engine: str, words: list[str]) -> str | None:
    said = StringIO()
    try:
        with redirect_stderr(said), redirect_stdout(said):
            commands_page.engine_parsers(engine)[words[0]].parse_args(words[1:])
    except SystemExit as left:
        return said.getvalue() if left.code else None
    return None


def _of_names(given: dict[str, Any]) -> str | None:
    if given["verb"] not in (cli.VERBS["run"], cli.VERBS["list"]):
        return None
    try:
        chosen = find(given["patterns"] or [])
    except StendError as error:
        return str(error)
    return next(_wrong(chosen, given), None)


def _wrong(chosen: tuple[Benchmark, ...], given: dict[str, Any]) -> Iterator[str]:
    parameters = {name: p for b in chosen for name, p in b.parameters.items()}
    for setting in given.get("settings") or []:
        name, _, values = setting.partition("=")
        if name not in parameters:
            yield f"no parameter {name!r}"
            continue
        for value in values.split(","):
            try:
                parameters[name].parse(value)
            except StendError as error:
                yield str(error)
    known = {v.name for b in chosen for v in b.available()} | {DEFAULT, ALL}
    named = [*(given.get("variants") or []), given.get("versus")]
    yield from (f"no variant {name!r}" for name in named if name and name not in known)


def lacking(words: list[str]) -> str | None:
    """What of a command that the text only mentions is not there: its verb, or an option."""
    words = _under_stend(words)
    verb = " ".join(words[:3] if words[1] in cli.GROUPS else words[:2])
    if verb not in SECTIONS:
        return None if verb in NO_COMMAND or verb[6:] in {*cli.GROUPS, "--help"} else "no such verb"
    options = {word.partition("=")[0] for word in words if re.match("--[a-z]", word)}
    missing = options - set(re.findall(r"^\| `(--[a-z-]+)", SECTIONS[verb], re.M)) - {"--help"}
    return f"no option {min(missing)}" if missing else None


def test_every_command_in_a_block_is_one_that_stend_takes() -> None:
    wrong = [f"{at}: {' '.join(words)}: {why}" for at, words in IN_BLOCKS if (why := fault(words))]
    assert wrong == []


def test_every_command_in_the_text_has_a_verb_and_options_that_there_are() -> None:
    wrong = [f"{at}: {' '.join(words)}: {why}" for at, words in IN_TEXT if (why := lacking(words))]
    assert wrong == []


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("stend rum", "No such command"),
        ("stend run --ful", "No such option"),
        ("stend run --stop sometimes", "sometimes"),
        ("stend run stream.quad", "no benchmark is called"),
        ("stend run stream.triad --set thread=1", "no parameter"),
        ("stend run stream.triad --set threads=some", "not a whole number"),
        ("stend run stream.triad --versus slow", "no variant"),
        ("strend run", "no program"),
        ("stend gost mac --lines", "unrecognized arguments: --lines"),
        ("stend-gost sign", "No such command"),
    ],
)
def test_a_wrong_command_is_found(command: str, why: str) -> None:
    assert why in (fault(command.split()) or "")


def test_commands_are_found_behind_settings_pipes_and_before_comments(tmp_path: Path) -> None:
    text = "STEND_STORE=a stend runs | head -3  # all\nstend compare a \\\n  b > c.txt\n"
    assert list(commands(text)) == [
        (0, ["stend", "runs"]),
        (0, ["head", "-3"]),
        (2, ["stend", "compare", "a", "b"]),
    ]
    page = tmp_path / "a.md"
    page.write_text("```sh\nstend x\n```\nUse `stend run\nmpi`, or `stend …`.\n")
    assert list(inline(page)) == [(4, ["stend", "run", "mpi"])]


def test_a_mentioned_option_that_there_is_not_is_found() -> None:
    assert lacking(["stend", "compare", "--json"]) is None
    assert lacking(["stend", "storage", "import"]) is None
    assert lacking(["stend", "compare", "--jason"]) == "no option --jason"
    assert lacking(["stend", "storage", "export"]) == "no such verb"


def test_no_reason_is_kept_for_a_program_that_no_document_names() -> None:
    assert set(NOT_OURS) <= {words[0] for _, words in IN_BLOCKS}
