"""What all that is printed is made of: safe texts, styles, advice."""

import textwrap
from collections.abc import Sequence

from rich.padding import Padding
from rich.text import Text

from stend.console import Console
from stend.printable import printable

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
