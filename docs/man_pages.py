"""The help of `stend` and of the engines' commands → manual pages.

python docs/man_pages.py FOLDER [COMMAND…]    one page a verb, of all commands or of these

`stend gost encrypt` is `stend-gost encrypt`, whose page is stend-gost-encrypt(1). Where a verb of
the laboratory differs from the engine's of that name, its page is in the section 1stend.
"""

import argparse
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from roff import Manual, Rows

ENGINES = ("gost", "tomo", "unet")
COMMANDS = ("stend", *(f"stend-{engine}" for engine in ENGINES))


def write(folder: Path, commands: Iterable[str] = COMMANDS) -> None:
    """Write the pages of commands."""
    folder.mkdir(parents=True, exist_ok=True)
    for manual in manuals(commands):
        (folder / manual.file).write_text(manual.roff(), encoding="utf-8")


def manuals(commands: Iterable[str] = COMMANDS) -> Iterator[Manual]:
    """Give the pages of commands."""
    for command in commands:
        yield from _laboratory() if command == "stend" else _engine(command.partition("-")[2])


# The laboratory: typer's commands


def _laboratory() -> Iterator[Manual]:
    import typer.main

    from stend import cli
    from stend.cli.engine import engine_of

    whole = typer.main.get_command(cli.app)
    root = typer.Context(whole, **whole.context_settings)
    of_engines = []
    for name in cli.VERBS:
        yield _of_typer(root, f"stend {name}", ["stend(1)"])
    for group, (_, verbs) in cli.GROUPS.items():
        above = [f"stend-{group}(1)", "stend(1)"]
        own = [name for name, verb in verbs.items() if not engine_of(verb)]
        pages = [_of_typer(root, f"stend {group} {name}", above, _section(group, name))
                 for name in own]  # fmt: skip
        yield from pages
        if group in ENGINES:
            of_engines += map(_reference, pages)
        else:
            yield _of_typer(root, f"stend {group}", [*map(_reference, pages), "stend(1)"])
    verbs_and_groups = [f"stend-{name}(1)" for name in (*cli.VERBS, *cli.GROUPS)]
    page = _of_typer(root, "stend", [*verbs_and_groups, *of_engines])
    page.rows["EXIT STATUS"] = _codes(cli.__doc__)
    yield page


def _section(group: str, verb: str) -> str:
    return "1stend" if group in ENGINES and verb in _verbs(_parser(group)) else "1"


def _reference(page: Manual) -> str:
    name, _, section = page.file.rpartition(".")
    return f"{name}({section})"


def _of_typer(root: Any, words: str, see_also: list[str], section: str = "1") -> Manual:
    context, command = root, root.command
    for name in words.split()[1:]:
        command = command.commands[name]
        context = type(root)(command, parent=context, info_name=name)
    about, examples, codes = _parts(command.help or "")
    verbs = getattr(command, "commands", {})
    options = (one.get_help_record(context) for one in command.get_params(context)
               if one.param_type_name == "option")  # fmt: skip
    return Manual(
        words=words,
        usage=" ".join(command.collect_usage_pieces(context)),
        about=about,
        rows={
            "COMMANDS": [(name, verb.get_short_help_str(1000)) for name, verb in verbs.items()],
            "ARGUMENTS": [(one.metavar, one.help or "") for one in command.params
                          if one.param_type_name == "argument"],
            "OPTIONS": [record for record in options if record],
            "EXIT STATUS": codes,
        },
        examples=examples,
        see_also=tuple(see_also),
        section=section,
    )  # fmt: skip


def _parts(help: str) -> tuple[str, tuple[str, ...], Rows]:
    """Give a help text without its examples and exit codes, the examples, and the codes."""
    about, examples, codes = [], [], []
    for paragraph in inspect.cleandoc(help).split("\n\n"):
        text, _, commands = re.sub(r"\bExample: ", "Examples: ", paragraph).partition("Examples: ")
        examples += re.findall(r"`([^`]+)`", commands)
        if paragraph.startswith("Exit codes: "):
            codes = _codes(paragraph)
        elif text:
            about.append(text)
    return "\n\n".join(about), tuple(" ".join(example.split()) for example in examples), codes


def _codes(text: str | None) -> Rows:
    """Give the exit codes of a text such as `Exit codes: 0 done; 2 wrong usage`."""
    (codes,) = re.findall(r"Exit codes: (.*?)\.?(?:\n\n|\s*\Z)", text or "", re.DOTALL)
    each = re.split(r"; (?=\d+ )", " ".join(codes.split()))
    return [(code.partition(" ")[0], code.partition(" ")[2]) for code in each]


# The engines: argparse's parsers


def _engine(engine: str) -> Iterator[Manual]:
    whole = _parser(engine)
    codes = _codes(import_module(f"stend_{engine}.cli").__doc__)
    verbs = _verbs(whole)
    yield _of_argparse(whole, codes, [f"stend-{engine}-{verb}(1)" for verb in verbs])
    for verb in verbs.values():
        yield _of_argparse(verb, codes, [f"stend-{engine}(1)"])


def _parser(engine: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = import_module(f"stend_{engine}.cli").parser(f"stend-{engine}")
    return parser


def _verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


def _of_argparse(parser: argparse.ArgumentParser, codes: Rows, see_also: list[str]) -> Manual:
    verbs = _verbs(parser)
    arguments = [a for a in parser._get_positional_actions() if a.dest != argparse.SUPPRESS]
    usage = ["COMMAND [ARGS]..."] if verbs else [_argument(one) for one in arguments]
    return Manual(
        words=parser.prog,
        usage=" ".join(["[OPTIONS]", *usage]),
        about=parser.description or "",
        rows={
            "COMMANDS": [(name, (verb.description or "").partition("\n\n")[0])
                         for name, verb in verbs.items()],
            "ARGUMENTS": [] if verbs else [(_argument(one), _help(one)) for one in arguments],
            "OPTIONS": [(_option(one), _help(one)) for one in parser._get_optional_actions()],
            "EXIT STATUS": codes,
        },
        examples=tuple(textwrap.dedent((parser.epilog or "").partition("\n")[2]).splitlines()),
        see_also=tuple(see_also),
    )  # fmt: skip


def _argument(action: argparse.Action) -> str:
    shapes = {"?": "[{}]", "*": "[{}]…", "+": "{}…"}
    return shapes.get(str(action.nargs), "{}").format(action.metavar)


def _option(action: argparse.Action) -> str:
    value = f"<{'|'.join(action.choices)}>" if action.choices else action.metavar or ""
    return f"{', '.join(action.option_strings)} {value}".strip()


def _help(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(COMMANDS):
        sys.exit(__doc__)
    write(Path(sys.argv[1]), sys.argv[2:] or COMMANDS)
