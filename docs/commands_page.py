"""The command line's verbs, as their functions declare them → the text of docs/commands.md."""

import argparse
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

from stend.cli import GROUPS, VERBS
from stend.cli.engine import engine_of

Verb = Callable[..., None]

BEGINNING = """# Commands

Every verb of `stend`, its arguments and options, as `--help` behind the verb has them. Runs are
named by an id or its beginning, a label, `last`, `last~1`, or the name of a run file. `show`,
`compare`, `report` and `export` take `published:NAME`, too, a machine of the literature, and
`compare` takes `label:NAME`, all runs of a label. [The tutorial](tutorial.md) shows them at work.
"""


def text() -> str:
    """All verbs, groups behind the others, each as a section."""
    parts = [BEGINNING]
    for name, verb in VERBS.items():
        parts.append(_section(name, verb))
    for group, (about, verbs) in GROUPS.items():
        parts.append(f"# stend {group}\n\n{about}\n")
        parts += [_section(f"{group} {name}", verb) for name, verb in verbs.items()]
    return "\n".join(parts)


def _section(name: str, verb: Verb) -> str:
    if engine := engine_of(verb):
        return _engine_section(name, engine_parsers(engine)[name.split()[-1]])
    parameters = list(_parameters(verb))
    arguments = " ".join(_argument(name, info) for name, hint, info, _ in parameters
                         if isinstance(info, ArgumentInfo))  # fmt: skip
    rows = [_row(*each) for each in parameters]
    table = ["", "| | |", "| --- | --- |", *rows] if rows else []
    return "\n".join(
        [
            f"## stend {name}",
            "",
            _said(verb),
            "",
            f"`stend {name} {arguments}".rstrip() + "`",
            *table,
            "",
        ]
    )


def engine_parsers(engine: str) -> dict[str, argparse.ArgumentParser]:
    """Give the parser of each verb of an engine's command, as `stend ENGINE` calls it."""
    whole = import_module(f"stend_{engine}.cli").parser(f"stend {engine}")
    (verbs,) = (a for a in whole._actions if isinstance(a, argparse._SubParsersAction))
    return dict(verbs.choices)


def _engine_section(name: str, parser: argparse.ArgumentParser) -> str:
    actions = [action for action in parser._actions if action.dest != "help"]
    arguments = " ".join(
        f"[{action.metavar}]" if action.nargs == "?" else str(action.metavar)
        for action in actions
        if not action.option_strings
    )
    examples = textwrap.dedent((parser.epilog or "").partition("\n")[2])
    return "\n".join(
        [
            f"## stend {name}",
            "",
            _unwrapped(parser.description or ""),
            "",
            f"```sh\n{examples}\n```",
            "",
            f"`stend {name} {arguments}".rstrip() + "`",
            "",
            "| | |",
            "| --- | --- |",
            *(_engine_row(action) for action in actions),
            "",
        ]
    )


def _engine_row(action: argparse.Action) -> str:
    shown = ", ".join(sorted(action.option_strings, key=len, reverse=True))
    value = "\\|".join(action.choices or ()) or str(action.metavar or "")
    help = action.help or ""
    return f"| `{f'{shown} {value}'.strip()}` | {_cell(help[:1].upper() + help[1:])}. |"


def _said(verb: Verb) -> str:
    return _unwrapped(inspect.getdoc(verb) or "")


def _unwrapped(text: str) -> str:
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text)


def _parameters(verb: Verb) -> Iterator[tuple[str, Any, ParameterInfo, Any]]:
    """The name, the type, what is said of it, and the default of each."""
    hints = get_type_hints(verb, include_extras=True)
    for name, parameter in inspect.signature(verb).parameters.items():
        hint, default = hints[name], parameter.default
        if get_origin(hint) is Annotated:
            hint, info = get_args(hint)[:2]
            yield name, hint, info, None if default is inspect.Parameter.empty else default


def _argument(name: str, info: ParameterInfo) -> str:
    return info.metavar or name.upper()


def _row(name: str, hint: Any, info: ParameterInfo, default: Any) -> str:
    if isinstance(info, OptionInfo):
        given = [info.default, *(info.param_decls or ())]  # Annotated: the first is a name, too
        names = [word for word in given if isinstance(word, str) and word.startswith("-")]
        shown = ", ".join(sorted(names, key=len, reverse=True) or [f"--{name.replace('_', '-')}"])
        value = _value(hint, info)
    else:
        shown, value = _argument(name, info), ""
    first = f"`{shown} {value}".rstrip() + "`"
    usual = f" Default: {_told(default)}." if default not in (None, False, "", ()) else ""
    return f"| {first} | {_cell(info.help or '')}{usual} |".replace("  ", " ")


def _value(hint: Any, info: ParameterInfo) -> str:
    """What follows the option's name; nothing behind a flag."""
    kinds = [kind for kind in _kinds(hint) if kind is not type(None)]
    if info.metavar:
        return info.metavar.strip("<>").replace("|", "\\|")
    if kinds == [bool]:
        return ""
    words = [str(word) for kind in kinds for word in _words(kind)]
    return "\\|".join(words) or kinds[0].__name__.upper()


def _kinds(hint: Any) -> Iterator[Any]:
    if get_origin(hint) in (Union, UnionType, list):
        for inner in get_args(hint):
            yield from _kinds(inner)
    else:
        yield hint


def _words(kind: Any) -> list[Any]:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [each.value for each in kind]
    return []


def _told(default: Any) -> str:
    return f"`{default.value if isinstance(default, Enum) else default}`"


def _cell(help: str) -> str:
    return " ".join(help.split()).replace("|", "\\|")
