"""A verdict → its sign and word, and the colour that they are printed in."""

from stend.comparing import Verdict
from stend.report.terminal.words import BAD, GOOD, SOFT
from stend.report.two_systems import SIGNS, UNSURE

_STYLES = {Verdict.FASTER: GOOD, Verdict.SLOWER: BAD}


def signed(verdict: Verdict, word: str) -> tuple[str, str]:
    """`▲ faster` and its style: only what is told has a colour."""
    return f"{SIGNS.get(verdict, UNSURE)} {word}", _STYLES.get(verdict, SOFT)
