"""Shows on stderr how far measuring is, or what fio does: a bar on a terminal, else lines."""

import math
import shlex
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)
from rich.table import Column
from rich.text import Text

from stend.record import Status
from stend.record.text import duration
from stend.report.terminal.console import Console

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from stend.benchmarks.definition import Case
    from stend.fleet import Member
    from stend.fleet.connection import Answer
    from stend.record import Scalar
    from stend.running.plan import Planned
    from stend.running.schedule import RunningCase
    from stend.running.session import CaseProgress
    from stend.storage.fio.profile import Profile
    from stend.storage.fio_run import Moment
    from stend.storage.host_sampler import Sampler
    from stend.storage.phases import Reached, Step


class _Bars(Progress):
    """Bars, and a line below them."""

    below = ""

    def get_renderables(self) -> "Iterable[RenderableType]":
        """Give all that is drawn."""
        yield from super().get_renderables()
        if self.below:
            yield Text(self.below, no_wrap=True, overflow="ellipsis")


class Lines:
    """Lines that stay and, on a terminal, bars below them; used as a context manager."""

    def __init__(self, *beside: ProgressColumn, a_second: float = 10) -> None:
        """Draw anew so often a second."""
        self._console = Console(stderr=True)
        self._bar = _Bars(
            TextColumn("{task.percentage:3.0f}%"),
            BarColumn(bar_width=24),
            *beside,
            TextColumn("{task.description}", markup=False),
            console=self._console,
            transient=True,
            refresh_per_second=a_second,
            disable=not self._console.is_terminal,
        )

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

    def line(self, text: str) -> None:
        """Leave a line behind that says how a case ended."""
        with suppress(OSError):  # nobody reads on, which is no reason to stop measuring
            self._console.print(text, markup=False, soft_wrap=True)


class Shown(Lines):
    """A progress display of what the laboratory measures: its observer."""

    def __init__(self) -> None:
        super().__init__(TimeElapsedColumn(table_column=Column(no_wrap=True)))
        self._task: TaskID | None = None
        self._shared: set[tuple[str, Scalar]] = set()
        self._shares: dict[int, float] = {}
        self._passes = 0

    def begun(self, planned: "Sequence[Planned]") -> None:
        """Draw the bar: of a program, which is in no plan, it is one case."""
        self._task = self._bar.add_task("", total=len(planned) or 1)
        self._shared = _shared([each.case for each in planned])

    def program(self, command: "Sequence[str]") -> None:
        """Say which program is measured."""
        self._update(description=shlex.join(command))

    def case(self, case: "RunningCase") -> None:
        """Say which case is under way; where no bar is drawn, which pass over all of them."""
        self._update(description=_name(case.planned.case, self._shared))
        if not self._console.is_terminal and case.made == self._passes:
            self._passes += 1
            self.line(f"pass {self._passes}")

    def reached(self, case: "CaseProgress") -> None:
        """Say how much of a case is done, and leave a line when it has ended."""
        from stend.report.terminal import case_line

        self._shares[case.place] = case.share
        self._update(completed=sum(self._shares.values()))
        for record in case.records if case.share == 1.0 else ():
            if record.status is not Status.SKIPPED:  # what was skipped, and why, the run tells
                self.line(case_line(record))

    def _update(self, **fields: Any) -> None:
        if self._task is not None:
            self._bar.update(self._task, **fields)


class Steps(Lines):
    """How many steps are done, of as many as are told then; nothing where no bar is drawn."""

    def __init__(self) -> None:
        super().__init__(TimeElapsedColumn(table_column=Column(no_wrap=True)))
        self._task = self._bar.add_task("", total=None)

    def reached(self, done: int, steps: int) -> None:
        """Say how far it is."""
        self._bar.update(self._task, completed=done, total=steps)


def _shared(cases: "Sequence[Case]") -> "set[tuple[str, Scalar]]":
    """Parameters that are the same in all of several cases, which tell none from another."""
    if len(cases) < 2:
        return set()
    return set.intersection(*(set(case.parameters.items()) for case in cases))


def _name(case: "Case", shared: "set[tuple[str, Scalar]]") -> str:
    """Give a case's name, without those: a bar stands beside it, and a terminal is narrow."""
    own = {name: value for name, value in case.parameters.items() if (name, value) not in shared}
    return str(replace(case, parameters=own))


class Sent(Lines):
    """How much of a file has been sent."""

    def __init__(self, name: str) -> None:
        super().__init__(DownloadColumn(), TransferSpeedColumn())
        self._task = self._bar.add_task(name, total=None)

    def reached(self, sent: int, of: int) -> None:
        """Say how many of its bytes are there."""
        self._bar.update(self._task, completed=sent, total=of)


class FleetShown(Lines):
    """How far each of several nodes is: a bar each on a terminal, a line a case elsewhere."""

    def __init__(self, hosts: "Sequence[str]") -> None:
        super().__init__()
        self._tasks = {host: self._bar.add_task(f"{host} is called", total=None) for host in hosts}

    def show_answer(self, member: "Member", answer: "Answer | None") -> None:
        """Show what a node told; None: it has told its last."""
        from stend.report.terminal import case_line

        task = self._tasks[member.host]
        if answer is None:
            self.line(f"{member.host} {member.lost or 'is done'}")
            self._bar.update(task, visible=False)
        elif answer.kind == "begin":
            self._bar.update(task, total=answer.cases, description=member.host)
        elif answer.kind in ("append", "extend"):
            record = member.records[answer.number]
            done = sum(member.done.values())
            self._bar.update(task, completed=done, description=f"{member.host} {record.name}")
            if answer.share == 1.0:
                self.line(f"{member.host}: {case_line(record)}")


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

    def show_moment(self, moment: "Moment") -> None:
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
