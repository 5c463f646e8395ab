"""The conductor: plan → measure → keep → judge, for the verbs, a fleet's nodes and programs.

    run("stream", "memory")            measure benchmarks on this machine, and store the run
    time(["sort", "big.txt"])          measure a program, and store the run
    load("last")                       a run by its name
    stend.compare(a, b)                two runs → verdicts

`record` is what all of them share: cases that grow come in, and each process is kept when it ended.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol

from stend.errors import BadValue, UnknownName
from stend.processes.interrupts import heeding, held
from stend.record.text import refuse_unfit
from stend.running.session import Asked, CaseProgress, CaseWriter, RunSink, Title, session

if TYPE_CHECKING:
    from stend.record import CaseRecord, Machine, Run
    from stend.running.budget import Budget
    from stend.running.plan import Planned
    from stend.running.schedule import RunningCase
    from stend.running.task import Effort
    from stend.store import Store


PUBLISHED = "published:"
"""What names of the literature's runs begin with."""
PAIRS = 20
"""Executions of each of two programs."""


class Observer(Protocol):
    """Who is told how far measuring is."""

    def begun(self, planned: "Sequence[Planned]") -> None:
        """Take note that a run began; `planned` is empty where its cases are not known before."""

    def program(self, command: Sequence[str]) -> None:
        """Take note that this program is measured."""

    def case(self, case: Any) -> None:
        """Take note that a process of this case begins."""

    def reached(self, case: Any) -> None:
        """Take note that a process of this case ended and is stored."""


class Silent:
    """An observer that shows nothing."""

    def begun(self, planned: "Sequence[Planned]") -> None:
        """Show nothing."""

    def program(self, command: Sequence[str]) -> None:
        """Show nothing."""

    def case(self, case: Any) -> None:
        """Show nothing."""

    def reached(self, case: Any) -> None:
        """Show nothing."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How far a run is, between two processes of it."""

    load: "Callable[[], Run]"
    """Gives the run as it is stored now."""
    measured: int
    """Its cases that have a figure."""
    planned: int
    """Its cases that have one or are to get one."""
    left_out: int
    """Its cases that will have none: they failed or do not fit into the budget."""
    left: "Callable[[], float]"
    """About how many seconds it still takes."""


class Page(Protocol):
    """What is written anew while a run grows."""

    def between(self, growth: Growth) -> None:
        """Take the time for it now, if it is time: nothing is being measured."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A case, or both sides of one, that is measured in one go."""

    records: "tuple[CaseRecord, ...]"
    share: float = 1.0
    """How much of it is done."""
    place: int = 0
    """In the plan."""


def run(
    *patterns: str,
    size: Literal["quick", "full", "check"] = "quick",
    settings: Mapping[str, object] | None = None,
    variants: Sequence[str] = (),
    versus: str | None = None,
    pairs: int | None = None,
    stop: Literal["precision", "rounds"] = "precision",
    seconds: float | None = None,
    budget: float | None = None,
    label: str = "",
    store: str | None = None,
    observer: Observer | None = None,
) -> "Run":
    """Measure benchmarks on this machine, and store the run; what `stend run` does.

    Every case is measured in processes of its own, which are stored when they end. Ctrl-C ends the
    process under way; its case is marked, and the run is given as far as it came.

    Args:
        patterns: benchmarks by name, family, suite or glob; without any: all.
        size: `quick`, `full`, or `check`, which runs everything once, untimed, and proves it.
        settings: of a parameter's name, a value or several.
        variants: by name, `default` or `all`.
        versus: a variant that each case is measured in turn with (A B B A …).
        pairs: how many pairs; 20, or 30 of a full run.
        stop: when a process has measured enough.
        seconds: of one process, at most; 0.4, or 5 of a full run.
        budget: seconds that the whole run may take; cases that don't fit are left out.
        label: a name to find the run by.
        store: a file or a PostgreSQL server's URL; None: as `stend` finds it.
        observer: who is told how far it is.

    Raises:
        UnknownName: no benchmark, parameter or variant has that name.
        BadValue: a value can't be, or so few pairs could tell nothing.
        StoreError: the store can't be opened or written.
    """
    if pairs is not None and versus is None:
        raise BadValue("pairs needs versus; name the other variant, or leave pairs out.")
    asked = Asked(
        patterns=patterns,
        size=size,
        settings={name: _values(given) for name, given in (settings or {}).items()},
        variants=tuple(variants),
        versus=versus,
        pairs=pairs,
        stop=stop,
        seconds=seconds,
        budget=budget,
    )
    return measure_asked(asked, label, store, observer)


def measure_asked(
    asked: Asked,
    label: str = "",
    store: str | None = None,
    observer: Observer | None = None,
    page: Page | None = None,
) -> "Run":
    """Plan what is asked for on this machine, measure it, and store the run; raises as `run`."""
    from stend.machine import CALIBRATION, inspect
    from stend.running.budget import Budget
    from stend.running.plan import breadth_first
    from stend.store import Store

    budget = Budget(asked.budget, asked.command)
    refuse_unfit(label)
    asked.benchmarks()  # a name that is none is refused before the clocks are calibrated
    machine = heeding(inspect)(calibrate=CALIBRATION)
    planned, effort = breadth_first(heeding(asked.plan)(machine)), asked.effort()
    if asked.versus and asked.size != "check":
        refuse_too_few(effort.pairs, sum(not each.skip for each in planned))
    with held(), Store.open(store) as runs:
        title = Title(label, asked.size)
        return measure(planned, machine, effort, title, runs, observer, budget, page)


def time(
    command: Sequence[str],
    *,
    versus: Sequence[str] | None = None,
    pairs: int | None = None,
    seconds: float | None = None,
    label: str = "",
    store: str | None = None,
    observer: Observer | None = None,
) -> "Run":
    """Measure a program, alone or in turn with another, and store the run; as `stend time` does.

    Args:
        command: the program and its arguments; no shell reads them.
        versus: another command, executed in turn with the first (A B B A …).
        pairs: how many pairs; 20.
        seconds: what measuring may take; None: 5, or ten executions of a slower program.
        label: a name to find the run by.
        store: a file or a PostgreSQL server's URL; None: as `stend` finds it.
        observer: who is told how far it is.

    Raises:
        BadValue: a program can't be started, or so few pairs could tell nothing.
        StoreError: the store can't be opened or written.
    """
    from stend.machine import inspect
    from stend.running.program import execute, measure_program, measure_programs
    from stend.store import Store

    refuse_unfit(label)
    if pairs is not None and versus is None:
        raise BadValue("pairs needs versus; name the other command, or leave pairs out.")
    if seconds is not None and versus is not None:
        raise BadValue("seconds is for one command; with versus give pairs instead.")
    if pairs is not None:
        refuse_too_few(pairs, cases=1)
    for words in (command, *([versus] if versus is not None else [])):
        _refuse_missing(words)
    shown, work = observer or Silent(), heeding(execute)

    def report(done: int) -> None:
        shown.reached(Finished((), share=done / (pairs or PAIRS)))

    def cases(run_id: str) -> Iterator[Finished]:
        shown.program(command)
        if versus is None:
            yield Finished((measure_program(command, seconds, work),))
            return
        yield Finished(measure_programs(command, versus, pairs or PAIRS, report, work))

    with held(), Store.open(store) as runs:
        shown.begun(())
        return runs.load(record(cases, inspect(), Title(label, "quick"), runs, shown.reached))


def load(name: str = "last", store: str | None = None) -> "Run":
    """Give a run: by `published:NAME`, the name of a file, an id, a label, `last` or `last~1`.

    A file is a run file, or has results of another tool (`stend.foreign`), as Criterion's folder
    has.

    Raises:
        UnknownName: there is none.
        RunFileError: the file is neither.
        StoreError: the store can't be opened or read.
    """
    from stend.foreign import read_results
    from stend.store import Store

    if name.startswith(PUBLISHED):
        from stend.comparing import publications

        return publications.run(name)
    if os.path.isfile(name):  # noqa: PTH113 - Path raises for names that are too long
        return read_results(name)
    with Store.open(store, create=False) as runs:
        try:
            return runs.load(name)
        except UnknownName:
            if not os.path.isdir(name):  # noqa: PTH112 - Path raises for names that are too long
                raise
    return read_results(name)


def measure(
    planned: "Sequence[Planned]",
    machine: "Machine",
    effort: "Effort",
    title: Title,
    runs: "Store",
    observer: Observer | None = None,
    budget: "Budget | None" = None,
    page: Page | None = None,
) -> "Run":
    """Measure planned cases on this machine, and keep the run in an open store."""
    from stend.running.budget import Budget

    shown, limit = observer or Silent(), budget or Budget()
    shares: dict[int, float] = {}
    wanted = {place for place, each in enumerate(planned) if not each.skip}
    possible = len(wanted)
    measured: set[int] = set()

    def cases(run_id: str) -> "Iterator[RunningCase]":
        def begin(case: "RunningCase") -> None:
            if page:
                out = possible - len(wanted)
                load = partial(runs.load, run_id)
                page.between(Growth(load, len(measured), len(wanted), out, lambda: limit.left))
            shown.case(case)
            done = sum(shares.values()) / len(planned)
            runs.progress.tell(run_id, done, str(case.planned.case))

        for case in growing(planned, effort, begin, limit):
            shares[case.place] = case.share
            if any(record.samples for record in case.records):
                measured.add(case.place)
            elif case.ended:
                wanted.discard(case.place)
            yield case

    shown.begun(planned)
    return runs.load(record(cases, machine, title, runs, shown.reached))


def growing(
    planned: "Sequence[Planned]",
    effort: "Effort",
    begin: "Callable[[RunningCase], None]",
    budget: "Budget | None" = None,
) -> "Iterator[RunningCase]":
    """Measure planned cases in processes of their own, and give each case after each process."""
    from stend.machine import default_clock
    from stend.running.launch import launch
    from stend.running.schedule import measure_all

    return measure_all(planned, effort, default_clock(), heeding(launch), begin, budget)


def record(
    cases: Callable[[str], Iterable[CaseProgress]],
    machine: "Machine",
    title: Title,
    keeper: RunSink,
    reached: Callable[[Any], None],
    look: float | None = None,
) -> str:
    """Begin a run, keep each case whenever it grew, finish the run; give its id.

    `cases` is called with the id. `look` is as of `session`.
    """
    with session(keeper, machine, title, look) as run_id:
        rows = CaseWriter(keeper, run_id)
        for case in cases(run_id):
            rows.keep(case)
            reached(case)
    return run_id


def refuse_too_few(pairs: int, cases: int) -> None:
    """Refuse pairs that could tell nothing, before an hour is spent on them."""
    from stend.comparing import CONFIDENCE
    from stend.statistics import fewest_pairs

    least = fewest_pairs(CONFIDENCE, cases)
    if pairs < least:
        raise BadValue(
            f"{pairs} pairs are too few to tell the sides of {cases} case{'s' * (cases != 1)} "
            f"apart at {CONFIDENCE:.0%}; give --pairs {least} or more, or fewer cases."
        )


def _values(given: object) -> list[str]:
    if isinstance(given, Iterable) and not isinstance(given, str):
        return [str(value) for value in given]
    return [str(given)]


def _refuse_missing(words: Sequence[str]) -> None:
    """Refuse what can't be started before a run of it is stored."""
    if isinstance(words, str) or not words:
        raise BadValue(f"A command is a list of words, such as ['sort', 'a.txt'], not {words!r}.")
    program = words[0]
    if shutil.which(program) is None:
        there = os.path.exists(program)  # noqa: PTH110 - Path raises for names that are too long
        raise BadValue(
            f"`{program}` can't be started: "
            + ("it is not an executable file." if there and "/" in program else "it was not found.")
            + " To measure a line of the shell, use `sh -c '…'`."
        )
