"""Verbs of an engine's own command under the laboratory's: `stend gost mac` is `stend-gost mac`."""

from collections.abc import Callable
from importlib import import_module

import typer

from stend.aliases import check_version

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
