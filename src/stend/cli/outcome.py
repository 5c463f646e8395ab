"""What `run` and `time` do with a finished run: show it, and leave with a code."""

import sys

from stend.record import Run, Status

INTERRUPTED = 130
"""As a shell says of a program that Ctrl-C ended: 128 and the signal's number."""


def show(run: Run, json: bool) -> None:
    """Print its figures; of interleaved pairs also the verdicts."""
    from stend.comparing import compare_sides, has_sides
    from stend.report import figures, terminal

    if json:
        print(figures.to_json(run))
    else:
        terminal.print_run(run)
        if has_sides(run):
            terminal.print_comparison(compare_sides(run))
    if exit_code(run) == INTERRUPTED:
        print(
            f"\nStopped. What was measured is stored: `stend show {run.id[:8]}`.", file=sys.stderr
        )


def exit_code(run: Run) -> int:
    """130 after Ctrl-C, 5 when something could not be measured or was wrong, else 0."""
    ended = {case.status for case in run.cases}
    if Status.INTERRUPTED in ended:
        return INTERRUPTED
    return 5 if ended & {Status.FAILED, Status.WRONG, Status.CRASHED, Status.TIMED_OUT} else 0
