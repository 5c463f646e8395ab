"""A verb's signature as the words that it is called with.

A verb is a function; the last paragraph of its docstring has examples, without the program. Each
of its parameters is an `Annotated[type, Argument(…) or Option(…)]`, or a group: a frozen dataclass
whose fields are such. `Given` as a type tells which options were typed.
"""

import inspect
from argparse import (
    SUPPRESS,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
    _SubParsersAction,
)
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from pathlib import Path
from textwrap import fill
from typing import Any, TypeAlias, cast, get_args, get_type_hints

WIDTH = 80
METAVARS = {int: "N", float: "NUMBER", str: "NAME", Path: "PATH"}
"""What stands for a value of that type where an option names nothing better."""

Verb: TypeAlias = Callable[..., None]
Verbs: TypeAlias = "_SubParsersAction[ArgumentParser]"


@dataclass(frozen=True)
class Argument:
    """A word without a name."""

    metavar: str
    help: str


class Option:
    """A word with a name; without a value where its type is bool."""

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        min: int | None = None,
        max: int | None = None,
    ) -> None:
        self.names, self.help, self.metavar, self.min, self.max = names, help, metavar, min, max


class Given(tuple[str, ...]):
    """Options that were typed, by their longest names, in the verb's order."""

    __slots__ = ()


@dataclass(frozen=True)
class _Parameter:
    """One of a verb, or of a group: `path` is the parameter's name, and the field's in a group."""

    path: tuple[str, ...]
    kind: type
    mark: Argument | Option
    default: Any

    @property
    def key(self) -> str:
        return ".".join(self.path)

    @property
    def named(self) -> bool:
        """Whether its values are names of a list."""
        return issubclass(self.kind, StrEnum)


def add_verb(verbs: Verbs, name: str, verb: Verb, program: str) -> None:
    """Add a verb's parser; the namespace that it fills is for `call`."""
    summary, *paragraphs = inspect.cleandoc(verb.__doc__ or "").split("\n\n")
    *about, examples = [summary, *paragraphs]
    commands = [f"  {program} {' '.join(words.split())}" for words in examples.split("`")[1::2]]
    parser = verbs.add_parser(
        name,
        help=" ".join(summary.split()),
        description="\n\n".join(_filled(text) for text in about),
        epilog="\n".join(["examples:", *commands]),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for parameter in _parameters(verb):
        _add(parser, parameter)
    parser.set_defaults(verb=verb)


def _filled(text: str) -> str:
    return fill(" ".join(text.split()), WIDTH, break_on_hyphens=False)


def joined(words: Sequence[str], verb: Verb | None) -> list[str]:
    """Join options with their values: argparse takes `-90:90:181` for another option."""
    if verb is None:
        return list(words)
    valued = {
        name: max(parameter.mark.names, key=len)
        for parameter in _parameters(verb)
        if isinstance(parameter.mark, Option) and parameter.kind is not bool
        for name in parameter.mark.names
    }
    left = iter(words)
    found: list[str] = []
    for word in left:
        if word == "--":
            return [*found, word, *left]
        value = next(left, None) if word in valued else None
        found.append(word if value is None else f"{valued[word]}={value}")
    return found


def call(typed: Namespace) -> None:
    """Call the verb with what was typed."""
    parameters = [each for each in _parameters(typed.verb) if hasattr(typed, each.key)]
    values: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {name: {} for name, _ in _groups(typed.verb)}
    for each in parameters:
        *group, name = each.path
        value = getattr(typed, each.key)
        (groups[group[0]] if group else values)[name] = each.kind(value) if each.named else value
    values |= {name: group(**groups[name]) for name, group in _groups(typed.verb)}
    for name, hint in _hints(typed.verb):
        if hint is Given:
            options = (each.mark for each in parameters if isinstance(each.mark, Option))
            values[name] = Given(max(option.names, key=len) for option in options)
    typed.verb(**values)


def _hints(verb: Callable[..., Any]) -> list[tuple[str, Any]]:
    hints = get_type_hints(verb, include_extras=True)
    return [(name, hints[name]) for name in inspect.signature(verb).parameters]


def _groups(verb: Verb) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, hint in _hints(verb):
        if isinstance(hint, type) and is_dataclass(hint):
            yield name, hint


def _parameters(verb: Verb) -> Iterator[_Parameter]:
    groups = dict(_groups(verb))
    for name, hint in _hints(verb):
        if name in groups:
            signature = inspect.signature(groups[name])
            for field, of_field in _hints(groups[name]):
                yield _parameter((name, field), of_field, signature.parameters[field].default)
        elif hint is not Given:
            yield _parameter((name,), hint, inspect.signature(verb).parameters[name].default)


def _parameter(path: tuple[str, ...], hint: Any, default: Any) -> _Parameter:
    kind, mark = get_args(hint)
    kinds = [each for each in get_args(kind) if each is not type(None)]
    return _Parameter(path, kinds[0] if kinds else kind, mark, default)


def _add(parser: ArgumentParser, parameter: _Parameter) -> None:
    mark, kind = parameter.mark, parameter.kind
    help = mark.help.rstrip(".").replace("%", "%%") + _default(parameter)
    if isinstance(mark, Argument):
        parser.add_argument(parameter.key, metavar=mark.metavar, help=help, type=kind)
        return
    settings: dict[str, Any] = {"dest": parameter.key, "help": help}
    if kind is bool:
        settings["action"] = "store_true"
    elif parameter.named:
        settings["choices"] = [str(name) for name in cast("type[StrEnum]", kind)]
    else:
        settings |= {"type": _checked(kind, mark), "metavar": mark.metavar or METAVARS[kind]}
    required = parameter.default is inspect.Parameter.empty
    parser.add_argument(*mark.names, required=required, default=SUPPRESS, **settings)


def _default(parameter: _Parameter) -> str:
    default = parameter.default
    shown = default not in (None, False, inspect.Parameter.empty)
    return f" (default: {default})" if shown and "default" not in parameter.mark.help else ""


def _checked(kind: type, mark: Option) -> Callable[[str], Any]:
    """Give what makes a value of a word, or says what is wrong with it."""
    if mark.min is None and mark.max is None:
        return kind

    def checked(word: str) -> Any:
        value = kind(word)
        if mark.min is not None and value < mark.min:
            raise ArgumentTypeError(f"{value} is too small; the minimum is {mark.min}")
        if mark.max is not None and value > mark.max:
            raise ArgumentTypeError(f"{value} is too large; the maximum is {mark.max}")
        return value

    checked.__name__ = kind.__name__  # argparse names it where no value can be made
    return checked
