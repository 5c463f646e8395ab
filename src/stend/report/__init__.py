"""What people read: tables for the terminal, one HTML file with charts."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stend.comparing import Medians
    from stend.record import Run

__all__ = ["write_report"]


def write_report(
    runs: "Sequence[Run]", path: "Path | str", history: "Iterable[Run | Medians]" = ()
) -> None:
    """Write one self-contained HTML file about one run, or several beside the first.

    `history` is what `stend.compare` takes: other runs of the machines, the newest first. It is
    read once for each comparison.

    Raises:
        UsageError: there is no run.
        OutputError: the file can't be written.
    """
    from stend.report.page import write  # jinja2 and numpy are only needed here

    write(runs, Path(path), history)
