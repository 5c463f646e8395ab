"""A plan → a stored run, measured on this machine, with its progress on the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.interrupts import heeding

if TYPE_CHECKING:
    from stend.plan import Planned
    from stend.record import Machine, Run
    from stend.running.effort import Effort
    from stend.running.passes import Underway
    from stend.session import Title
    from stend.store import Store as Runs


def measure_here(
    planned: "Sequence[Planned]",
    machine: "Machine",
    effort: "Effort",
    title: "Title",
    runs: "Runs",
    said: str = "",
) -> "Run":
    """Measure every case and keep each process when it ended; `said` is shown first."""
    from stend.cli.progress import Shown
    from stend.machine import default_clock
    from stend.report.terminal import case_line
    from stend.running.launch import launch
    from stend.running.passes import measure_all
    from stend.session import Rows, session

    clock, work = default_clock(), heeding(launch)
    cases = [one.case for one in planned]
    with session(runs, machine, title) as run_id, Shown(len(planned), cases) as shown:
        if said:
            shown.line(said)
        rows = Rows(runs, run_id)

        def begin(case: "Underway") -> None:
            shown.case(case)
            runs.progress.tell(run_id, shown.share, str(case.planned.case))

        for case in measure_all(planned, effort, clock, work, begin):
            rows.keep(case)
            shown.reached(case.place, case.share)
            for record in case.records if case.ended else ():
                shown.line(case_line(record))
    return runs.load(run_id)
