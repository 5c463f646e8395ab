"""Verbs of an engine's own command below the laboratory's: `stend tomo …` is `stend-tomo …`."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer

from stend.aliases import check_version
from stend.cli.streams import Command

Verb = Callable[..., None]
SETTINGS = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}
"""So that every word, --help too, reaches the engine's command as it was typed."""


def forward(engine: str, name: str, about: str) -> Verb:
    """Make a verb that gives all its words to the engine's; `about` is its line in the help."""

    def verb(context: typer.Context) -> None:
        check_version(f"stend_{engine}")
        main = import_module(f"stend_{engine}.cli").main
        raise typer.Exit(main([name, *context.args], program=f"stend {engine}"))

    verb.__doc__ = about
    verb.__dict__["engine"] = engine
    return verb


def engine_of(verb: Verb) -> str | None:
    """Give the engine whose command this verb calls, or None if the verb is the laboratory's."""
    return verb.__dict__.get("engine")


class EngineCommand(Command):
    """A verb whose words are completed as the engine's own command completes them."""

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Give what may stand there: values after an option that has some, or options."""
        parser = _parser(str(ctx.parent.info_name), str(self.name))
        words = _words(parser, previous=["", *ctx.args][-1])
        return [word for word in words if word.value.startswith(incomplete)]


@dataclass(frozen=True)
class _Word:
    """What typer asks of a completion."""

    value: str
    help: str | None = None
    type: str = "plain"


def _parser(engine: str, verb: str) -> argparse.ArgumentParser:
    whole = import_module(f"stend_{engine}.cli").parser(f"stend {engine}")
    (verbs,) = (a for a in whole._actions if isinstance(a, argparse._SubParsersAction))
    found: argparse.ArgumentParser = verbs.choices[verb]
    return found


def _words(parser: argparse.ArgumentParser, previous: str) -> Iterator[_Word]:
    for action in parser._actions:
        if action.choices and previous in action.option_strings:
            return map(_Word, action.choices)
    options = ((name, action.help) for action in parser._actions for name in action.option_strings)
    return (_Word(*option) for option in options)


TOMO_HELP = (
    "Tomography: slices from X-ray projections, the same as `stend-tomo`.\n\n"
    "Look at a scan with `info` and `preview`, check its axis of rotation with `center`, then "
    "`reconstruct` it and `view` it; `fdk` is for cone beams. `phantom` makes a scan to experiment "
    "with."
)
TOMO_VERBS: dict[str, Callable[..., None]] = {
    name: forward("tomo", name, about)
    for name, about in (
        ("info", "Show what a file holds, and what is missing to reconstruct it."),
        ("preview", "Reconstruct one slice, write it as a PNG, and print its figures."),
        ("center", "Find the axis of rotation, and report whether it is reliable."),
        ("reconstruct", "Reconstruct a scan into slices, a slab of rows at a time."),
        ("fdk", "Reconstruct a cone-beam scan into slices."),
        ("phantom", "Write the projections of a phantom or of a published problem."),
        ("view", "Show projections, sinograms and slices, or a volume, in the browser."),
    )
}
