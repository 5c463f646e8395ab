"""The terminal, written to by rich."""

from rich.console import Console as RichConsole


class Console(RichConsole):
    """Writes what it is given, without guesses about numbers and paths in it."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False)

    def on_broken_pipe(self) -> None:
        """Leave it to the verb: rich would end the program with code 1."""
        raise  # the BrokenPipeError that rich is handling when it calls this
