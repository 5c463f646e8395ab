"""What people read: tables for the terminal, one HTML file with charts."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stend.record import Run

__all__ = ["write_report"]


def write_report(runs: "Sequence[Run]", path: "Path | str") -> None:
    """Write one self-contained HTML file about one run, or several beside the first.

    Raises:
        UsageError: there is no run.
        OutputError: the file can't be written.
    """
    from stend.report.page import write  # jinja2 and numpy are only needed here

    write(runs, Path(path))
