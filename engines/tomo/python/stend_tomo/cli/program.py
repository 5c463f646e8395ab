"""What the command says of itself: it is called `stend-tomo`, or `stend tomo` in the laboratory."""

import sys
from contextvars import ContextVar

called: ContextVar[str] = ContextVar("called", default="stend-tomo")


def command(words: str) -> str:
    """Give a command that is to be typed, as `stend-tomo view`."""
    return f"{called.get()} {words}"


def note(sentence: str) -> None:
    """Say something next to what the verb prints."""
    print(f"{called.get().split()[0]}: {sentence}", file=sys.stderr)
