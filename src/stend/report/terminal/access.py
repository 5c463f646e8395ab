"""Tokens, and what was done by whom → tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.console import Console
from stend.report.terminal.grid import Line, print_grid
from stend.report.terminal.words import SOFT, text
from stend.times import minute

if TYPE_CHECKING:
    from stend.store import Entry, Token


def print_tokens(found: "Sequence[Token]", console: Console | None = None) -> None:
    """One line a token, in UTC; of those that are worth nothing any more since when."""
    out = console or Console()
    if not found:
        out.print("There is no token; `stend token add` makes one.", markup=False)
        return
    heads = ("name", "right", "id", "ends", "last used")
    print_grid(out, heads, [_token(token) for token in found])


def _token(token: "Token") -> Line:
    style = "" if token.live else SOFT
    used = minute(token.used) if token.used else "never"
    cells = (token.name, token.right, token.id, _end(token), used)
    made = f"made {token.made[:10]} by {token.by}"
    return Line(tuple(text(cell, style) for cell in cells), made)


def _end(token: "Token") -> str:
    if token.revoked:
        return f"revoked {token.revoked[:10]}"
    if token.expires is None:
        return "never"
    return token.expires[:10] if token.live else f"expired {token.expires[:10]}"


def print_audit(found: "Sequence[Entry]", console: Console | None = None) -> None:
    """One line a deed."""
    out = console or Console()
    if not found:
        out.print("Nothing is noted in this store.", markup=False)
        return
    heads = ("date and time (UTC)", "who", "did", "to")
    print_grid(out, heads, [_entry(entry) for entry in found], right=(0,))


def _entry(entry: "Entry") -> Line:
    cells = (entry.at[:19].replace("T", " "), entry.who, entry.did, entry.to)
    more = (entry.said, entry.address and f"from {entry.address}")
    return Line(tuple(map(text, cells)), " · ".join(filter(None, more)))
