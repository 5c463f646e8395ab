"""Shows on stderr how far measuring is: a bar on a terminal, a line a case elsewhere."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from stend.console import Console


class Shown:
    """A progress display over `total` cases, used as a context manager."""

    def __init__(self, total: int) -> None:
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total)
        self._whole = 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def begin(self, name: str) -> Callable[[int, int], None]:
        """Say which case is under way; gives what is to be told after each process."""
        self._bar.update(self._task, description=name)

        def told(done: int, most: int) -> None:
            self._bar.update(self._task, completed=self._whole + min(done / most, 0.99))

        return told

    def end(self, line: str) -> None:
        """A case has ended; `line` says how."""
        self._whole += 1
        self._bar.update(self._task, completed=self._whole)
        self._console.print(line, markup=False, soft_wrap=True)
