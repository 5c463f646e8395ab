"""Runs, comparisons and machines → tables on the terminal, good at 80 columns.

Colour only adds to what words and signs say, and rich leaves it out where the output is no
terminal or NO_COLOR is set. Texts of records are shown as they are, never read as markup.
"""

from stend.report.terminal.comparison import print_comparison
from stend.report.terminal.fleet import print_fleet
from stend.report.terminal.machine import print_machine
from stend.report.terminal.run import case_line, print_run
from stend.report.terminal.stored import print_runs

__all__ = [
    "case_line",
    "print_comparison",
    "print_fleet",
    "print_machine",
    "print_run",
    "print_runs",
]
