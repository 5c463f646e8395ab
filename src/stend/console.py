"""The terminal, written to by rich."""

from typing import IO

from rich.console import Console as RichConsole


class Console(RichConsole):
    """Writes what it is given, without guesses about numbers and paths in it."""

    def __init__(
        self, *, stderr: bool = False, file: IO[str] | None = None, width: int | None = None
    ) -> None:
        super().__init__(stderr=stderr, file=file, width=width, highlight=False)

    def on_broken_pipe(self) -> None:
        """Leave it to the verb: rich would end the program with code 1."""
        raise  # the BrokenPipeError that rich is handling when it calls this
