"""One session of measuring: planned, begun in the store, watched, finished whatever happens.

The store is whatever keeps runs: `Store` itself, or what tells one on another machine.
"""

import shlex
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Protocol

from stend import __version__
from stend.record import CaseRecord, Conditions, Record, Run
from stend.record.text import without_passwords

if TYPE_CHECKING:
    from stend.benchmarks.definition import Benchmark
    from stend.benchmarks.parameters import Size
    from stend.record import Machine
    from stend.running.plan import Planned
    from stend.running.task import Effort


FEW = 8
"""Families that are still named one by one in a command."""


class Asked(Record, frozen=True, kw_only=True):
    """What the user wants measured, and how, wherever it will be."""

    patterns: tuple[str, ...] = ()
    size: Literal["quick", "full", "check"] = "quick"
    settings: dict[str, list[str]] = {}
    variants: tuple[str, ...] = ()
    versus: str | None = None
    pairs: int | None = None
    stop: Literal["precision", "rounds"] = "precision"
    seconds: float | None = None
    budget: float | None = None
    """Seconds that the whole run may take; None: as many as it needs."""

    def benchmarks(self) -> "tuple[Benchmark, ...]":
        """Those that the patterns name; UnknownName if one names none."""
        from stend.benchmarks.registry import find

        return find(self.patterns, quick=self.size == "quick")

    def plan(self, machine: "Machine", *, skips_will_do: bool = False) -> "tuple[Planned, ...]":
        """Every case on that machine; raises as `stend.running.plan.plan` does."""
        from stend.running.plan import Choice, plan

        choice = Choice(self.size, self.settings, self.variants, self.versus)
        return plan(self.benchmarks(), machine, choice, skips_will_do=skips_will_do)

    def effort(self) -> "Effort":
        """What is spent on a case."""
        from stend.running.task import effort

        return effort(self.size, self.stop, self.seconds, self.pairs)

    def command(self, families: Sequence[str]) -> str:
        """The command that measures these as they were asked for, at any length; of many, all."""
        patterns = families if len(families) <= FEW else self.patterns
        words = ["stend", "run", *patterns, *([f"--{self.size}"] if self.size != "quick" else [])]
        for name, values in self.settings.items():
            words += ["--set", f"{name}={','.join(values)}"]
        for variant in self.variants:
            words += ["--variant", variant]
        words += ["--versus", self.versus] if self.versus is not None else []
        words += ["--pairs", str(self.pairs)] if self.pairs is not None else []
        words += ["--stop", self.stop] if self.stop != "precision" else []
        words += ["--seconds", f"{self.seconds:g}"] if self.seconds is not None else []
        return shlex.join(words)


class RunSink(Protocol):
    """What keeps a run while it is measured; `stend.store.Store` says what each verb does."""

    def begin(self, run: Run) -> None:
        """Keep a new run."""

    def append(self, run_id: str, case: CaseRecord) -> int:
        """Keep a case, and give the number to extend it by."""

    def extend(self, number: int, case: CaseRecord) -> None:
        """Keep what has become of it."""

    def finish(self, run_id: str, finished: str, conditions: Conditions) -> None:
        """Note when the run ended and under which conditions it was made."""


@dataclass(frozen=True, slots=True)
class Title:
    """What a run is called and what it is part of."""

    label: str
    size: "Size"
    group: str = ""
    command: tuple[str, ...] = ()
    """Empty: the words of this program."""


@contextmanager
def session(
    runs: RunSink, machine: "Machine", title: Title, look: float | None = None
) -> Iterator[str]:
    """Begin a run, give its id, and note at the end what disturbed it.

    The watch looks every `look` seconds; None: as often as it costs little. Of a load of storage,
    which is told by `look`, the kernel's threads and interrupts are a part.

    Ctrl-C is `held` by the caller meanwhile, so that it ends only what is `heeding` it. Errors
    pass through after the run has been finished.
    """
    from stend.machine import Watch, conditions_now

    before = conditions_now()
    run = Run(
        id=uuid.uuid4().hex,
        label=title.label,
        group=title.group,
        started=now(),
        stend=__version__,
        command=title.command or ("stend", *map(without_passwords, sys.argv[1:])),
        size=title.size,
        machine=machine,
        conditions=Conditions(before=before),
    )
    watch = Watch() if look is None else Watch(look, kernel=True)
    runs.begin(run)
    try:
        with watch:
            yield run.id
    finally:
        runs.finish(run.id, now(), watch.conditions(before))


class CaseProgress(Protocol):
    """A case of which there is more than before, or both sides of one."""

    @property
    def place(self) -> int:
        """In the plan."""

    @property
    def records(self) -> tuple[CaseRecord, ...]:
        """All of it so far."""

    @property
    def share(self) -> float:
        """How much of it is done: 1.0 when it has ended."""


class CaseWriter:
    """Where in the store each case is."""

    def __init__(self, runs: RunSink, run_id: str) -> None:
        self._runs = runs
        self._run = run_id
        self._numbers: dict[int, list[int]] = {}

    def keep(self, case: CaseProgress) -> None:
        """Store what the last process of a case brought."""
        if case.place not in self._numbers:
            self._numbers[case.place] = self._appended(case.records)
            return
        for number, record in zip(self._numbers[case.place], case.records, strict=True):
            self._runs.extend(number, record)

    def _appended(self, records: Sequence[CaseRecord]) -> list[int]:
        return [self._runs.append(self._run, record) for record in records]


def now() -> str:
    """The time of day in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
