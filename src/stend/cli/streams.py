"""Standard streams that lose no sign, and verbs whose help is plain text."""

import codecs
import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

import typer
import typer.core

from stend.errors import OutputError

REPLACING = "stend.nearest"
"""The name of the error handler, for `reconfigure(errors=…)`."""

_NEAREST = str.maketrans({
    "−": "-", "–": "-", "—": "-", "…": "..", "±": "+-", "×": "x", "÷": "/", "·": ".", "→": "->",
    "▲": "^", "▼": "v", "●": "o", "≤": "<=", "≥": ">=", "≈": "~", "µ": "u", "μ": "u",
    "²": "^2", "³": "^3", "⁰": "0", "⁶": "^6", "⁹": "^9",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "‘": "'", "’": "'", "“": '"', "”": '"',
})  # fmt: skip
"""Of what stend itself prints: a minus that became a question mark would tell another number."""


def register() -> None:
    """Make the error handler known to Python."""
    codecs.register_error(REPLACING, _nearest)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(_NEAREST)
    return lacking.encode("ascii", "replace").decode(), error.end


_REFUSED = {
    errno.ENOSPC: "No space is left for the output; send it elsewhere.",
    errno.EBADF: "Standard output is closed, so nothing could be shown; send it elsewhere.",
}


def make_usable() -> None:
    """One that is closed refuses what it gets; one that lacks a character shows another.

    A closed error output swallows it: there is nowhere left to complain.
    """
    register()
    if sys.stdout is None:
        # in its place, or the next file that is opened would become it; to write to it fails
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - until the end
    for name in ("stdout", "stderr"):
        getattr(sys, name).reconfigure(errors=REPLACING)


@contextmanager
def until_nobody_reads() -> Iterator[None]:
    """End as SIGPIPE ends a program when what it prints to was closed, as `| head` does.

    Raises:
        OutputError: what was printed can't be written.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout, sys.stderr)
        raise typer.Exit(128 + signal.SIGPIPE) from None
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        _silence(sys.stdout)
        raise OutputError(_REFUSED[error.errno]) from error


def _silence(*streams: TextIO) -> None:
    """Python flushes them once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream.fileno())


PLAIN: Final = None
"""Help and faults of usage are plain text: Rich's boxes take as long as all else of `--help`."""


class Command(typer.core.TyperCommand):
    """A verb whose wrong values are told without the name that their checker gives the fault."""

    def get_help_option(self, ctx: Any) -> Any:
        """Give `--help`, which may be read as far as one likes."""
        return _until_nobody_reads(super().get_help_option(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments as their metavars have them, which say what is optional or many."""
        return ["[OPTIONS]", *(argument.metavar for argument in self._arguments())]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """List the arguments without their Python types, then the options."""
        arguments = [(argument.metavar, argument.help) for argument in self._arguments()]
        options = (one.get_help_record(ctx) for one in self.get_params(ctx)
                   if one.param_type_name == "option")  # fmt: skip
        sections = (("Arguments", arguments), ("Options", list(filter(None, options))))
        for title, records in sections:
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def _arguments(self) -> list[Any]:
        return [one for one in self.params if one.param_type_name == "argument"]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed."""
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


class Group(typer.core.TyperGroup):
    """Verbs below one name."""

    def get_help_option(self, ctx: Any) -> Any:
        """Give `--help`, which may be read as far as one likes."""
        return _until_nobody_reads(super().get_help_option(ctx))


def _until_nobody_reads(option: Any) -> Any:
    if option is not None:
        option.callback = _print_help
    return option


def _print_help(ctx: Any, _: Any, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        with until_nobody_reads():
            print(ctx.get_help())
        ctx.exit()
