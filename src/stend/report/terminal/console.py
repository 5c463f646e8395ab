"""The terminal, written to by rich: safe texts, styles and advice."""

import textwrap
from collections.abc import Sequence
from typing import IO

from rich.console import Console as RichConsole
from rich.padding import Padding
from rich.text import Text

from stend.record.text import printable

WIDTH = 80
"""Columns where no terminal tells."""


class Console(RichConsole):
    """Writes what it is given, without guesses about numbers and paths in it."""

    def __init__(
        self, *, stderr: bool = False, file: IO[str] | None = None, width: int | None = None
    ) -> None:
        super().__init__(stderr=stderr, file=file, width=width, highlight=False)
        if self.width < 1:  # COLUMNS=0, which says that nobody knows
            self.width = WIDTH

    def on_broken_pipe(self) -> None:
        """Leave it to the verb: rich would end the program with code 1."""
        raise  # the BrokenPipeError that rich is handling when it calls this


GOOD, BAD, SOFT = "green", "dark_orange3", "grey50"

_FIRM = "\N{NO-BREAK SPACE}"


def text(words: str, style: str = "") -> Text:
    """Words of a record as they are: no control sequence, no markup."""
    return Text(printable(words, name=False), style=style)


def broken_at_dots(parts: str, width: int, style: str = "") -> Text:
    """`a · b c · d` on lines of that width, broken only between its parts where they fit."""
    end = f"{_FIRM}·"
    firm = (
        part.replace(" ", _FIRM) if len(part) + len(end) <= width else part
        for part in parts.split(" · ")
    )
    lines = textwrap.wrap(f"{end} ".join(firm), max(1, width), break_on_hyphens=False)
    return text("\n".join(lines).replace(_FIRM, " "), style)


def print_advice(out: Console, title: str, said: Sequence[tuple[str, str]]) -> None:
    """What is the matter, each with what to do about it."""
    if not said:
        return
    out.print(text(f"\n{title}", "bold"))
    for what, advice in said:
        out.print(Padding(text(what), (0, 0, 0, 2)))
        if advice:
            out.print(Padding(text(f"→ {advice}", SOFT), (0, 0, 0, 4)))
