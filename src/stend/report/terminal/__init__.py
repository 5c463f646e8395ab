"""Tables on the terminal, for 80 columns: runs, comparisons, machines.

Colour only adds to what words and signs say, and rich leaves it out where the output is no
terminal or NO_COLOR is set. Texts of records are shown as they are, never read as markup.

Each part is imported when it is first used: a list of runs need not wait for what draws charts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stend.report.terminal.comparison import print_comparison
    from stend.report.terminal.comparisons import print_comparisons
    from stend.report.terminal.lists import print_audit, print_removed, print_runs, print_tokens
    from stend.report.terminal.machines import print_fleet, print_machine
    from stend.report.terminal.published_runs import print_published, print_published_runs
    from stend.report.terminal.run import case_line, print_run
    from stend.report.terminal.trend import print_trends

__all__ = [
    "case_line",
    "print_audit",
    "print_comparison",
    "print_comparisons",
    "print_fleet",
    "print_machine",
    "print_published",
    "print_published_runs",
    "print_removed",
    "print_run",
    "print_runs",
    "print_tokens",
    "print_trends",
]

_HOME = {
    "case_line": "run",
    "print_audit": "lists",
    "print_comparison": "comparison",
    "print_comparisons": "comparisons",
    "print_fleet": "machines",
    "print_machine": "machines",
    "print_published": "published_runs",
    "print_published_runs": "published_runs",
    "print_run": "run",
    "print_removed": "lists",
    "print_runs": "lists",
    "print_tokens": "lists",
    "print_trends": "trend",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
