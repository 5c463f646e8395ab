"""Shows on stderr how far measuring is: a bar on a terminal, a line a case elsewhere."""

from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from stend.console import Console

if TYPE_CHECKING:
    from stend.running.passes import Underway


class Shown:
    """A progress display over `total` cases, used as a context manager."""

    def __init__(self, total: int) -> None:
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.percentage:3.0f}%"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total)
        self._shares: dict[int, float] = {}
        self._passes = 0

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

    def case(self, case: "Underway") -> None:
        """Say which case is under way; where no bar is drawn, which pass over all of them."""
        self.begin(str(case.planned.case))
        if not self._console.is_terminal and case.made == self._passes:
            self._passes += 1
            self.line(f"pass {self._passes}")

    def begin(self, name: str) -> None:
        """Say what is under way."""
        self._bar.update(self._task, description=name)

    def reached(self, place: int, share: float) -> None:
        """Say how much of a case is done."""
        self._shares[place] = share
        self._bar.update(self._task, completed=sum(self._shares.values()))

    def line(self, text: str) -> None:
        """Leave a line behind that says how a case ended."""
        with suppress(OSError):  # nobody reads on, which is no reason to stop measuring
            self._console.print(text, markup=False, soft_wrap=True)
