"""The terminal, written to by rich."""

from typing import IO

from rich.console import Console as RichConsole

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
