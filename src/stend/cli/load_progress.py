"""Shows on stderr what fio does at the moment: a bar on a terminal, a line a run elsewhere."""

import math
from typing import TYPE_CHECKING

from rich.progress import TimeElapsedColumn
from rich.table import Column

from stend.cli.progress import Lines
from stend.record.times import duration

if TYPE_CHECKING:
    from stend.storage.fio.profile import Profile
    from stend.storage.fio_run import Moment
    from stend.storage.host_sampler import Sampler
    from stend.storage.phases import Reached, Step


class Loading(Lines):
    """A progress display over all runs of fio of a profile."""

    def __init__(self, profile: "Profile", sampler: "Sampler") -> None:
        super().__init__(TimeElapsedColumn(table_column=Column(no_wrap=True)), a_second=1)
        self._sampler = sampler
        self._task = self._bar.add_task("", total=profile.least_seconds)
        self.doing = ""
        """Which run of fio is under way."""
        self._total = profile.least_seconds
        self._before = 0.0
        """Seconds of runs that are over."""
        self._now = 0.0
        """Seconds of the one under way."""

    def begin(self, step: "Step") -> None:
        """Say which run of fio begins."""
        self._before, self._now = self._before + self._now, 0.0
        number = f" {step.number}/{step.of}" if step.of and step.of > 1 else f" {step.number}"
        self.doing = f"{step.name} {step.phase}{'' if step.of == 1 else number}".lstrip()
        self._bar.below = ""
        self._bar.update(self._task, description=self.doing)
        if not self._console.is_terminal:
            lasts = f", {duration(step.seconds)}" if step.seconds else ""
            self.line(f"{self.doing}{lasts}")

    @property
    def share(self) -> float:
        """How much of all is done."""
        return min(1.0, self._before / self._total) if self._total else 0.0

    def told(self, moment: "Moment") -> None:
        """Show what the last second was like."""
        from stend.storage.fio_run import described

        if moment.asked:  # how long preconditioning takes nobody knows
            self._now = min(moment.elapsed, moment.asked)
        busy = [share for share in self._sampler.latest().values() if not math.isnan(share)]
        self._bar.below = described(moment, busy[-1] if busy else None)
        self._bar.update(self._task, completed=self._before + self._now)

    def reached(self, case: "Reached") -> None:
        """Leave a line of a case that has ended."""
        from stend.report.terminal import case_line

        if case.share == 1.0:
            for record in case.records:
                self.line(case_line(record))
