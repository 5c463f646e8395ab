"""`stend run`: plan, measure, store what each process brought, and show what came of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from stend.cli.interrupts import heeding, held
from stend.cli.options import Json, Label, Store, refuse_too_few
from stend.errors import BadValue

if TYPE_CHECKING:
    from stend.plan import Choice, Planned
    from stend.record import Machine, Run
    from stend.running.effort import Effort
    from stend.running.passes import Underway
    from stend.store import Store as Runs


def verb(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATTERN]…",
            help="Benchmarks by name, family, suite (processor, memory) or glob; default: all.",
        ),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Every variant and value; 5 to 10 processes a case.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="The default, four to five minutes for everything: the best variant, few values; "
            "3 to 5 processes a case.",
        ),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Run everything once, untimed, and prove it right.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE[,VALUE]", help="Values of a parameter."),
    ] = None,
    variants: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="NAME",
            help="A variant by name, `default` (the best here) or `all`; may be repeated.",
        ),
    ] = None,
    versus: Annotated[
        str | None,
        typer.Option(
            "--versus",
            metavar="VARIANT",
            help="Measure each case in turn with this variant of it (A B B A …): the comparison "
            "that a drifting host can't fool.",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs", min=1, max=1000, help="With --versus: how many pairs; 20, or 30 with --full."
        ),
    ] = None,
    stop: Annotated[
        Literal["precision", "rounds"],
        typer.Option(
            "--stop",
            help="When a process has measured enough: when the 95% interval of the median is "
            "within 1%, or by the rounds of Golenkov 2015 (METHODOLOGY.md).",
        ),
    ] = "precision",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            min=0.01,
            max=86400,
            help="Measuring time of one process, at most; 0.4, or 5 with --full.",
        ),
    ] = None,
    label: Label = "",
    store: Store = None,
    json: Json = False,
) -> None:
    """Measure this machine.

    Examples: `stend run`, `stend run stream --full`, `stend run memory.write --set block=1MiB`,
    `stend run stream.triad --variant plain --versus default`.

    All cases are measured once, then once more, and so on, each in a process of its own that is
    stored when it ends: Ctrl-C loses at most the one under way.
    """
    from stend.cli.outcome import exit_code, show
    from stend.machine import CALIBRATION, inspect
    from stend.plan import Choice, plan
    from stend.registry import find
    from stend.running.effort import effort
    from stend.store import Store as Runs

    if sum((full, quick, check)) > 1:
        raise BadValue("--quick, --full and --check exclude each other; give one of them.")
    if pairs is not None and versus is None:
        raise BadValue("--pairs is for --versus; say with which variant, or leave --pairs out.")
    if check and (stop != "precision" or seconds is not None or pairs is not None):
        raise BadValue(
            "--check runs everything once and measures nothing, so leave --stop and --seconds out."
        )
    size: Literal["quick", "full", "check"] = "full" if full else "check" if check else "quick"
    benchmarks = find(patterns or [], quick=size == "quick")
    machine = inspect(calibrate=CALIBRATION)
    choice = Choice(size, _settings(settings or []), variants or [], versus)
    planned = plan(benchmarks, machine, choice)
    spent = effort(size, stop, seconds, pairs)
    if versus and not check:
        refuse_too_few(spent.pairs, sum(not item.skip for item in planned))
    with held(), Runs.open(store) as runs:
        run = _measure_all(planned, machine, spent, runs, label, choice)
        show(run, json)
    raise typer.Exit(exit_code(run))


def _settings(words: Sequence[str]) -> dict[str, list[str]]:
    settings = {}
    for word in words:
        name, equals, values = word.partition("=")
        if not (equals and name and values):
            raise BadValue(f"--set {word!r} can't be read; write it like --set threads=1,2.")
        if name in settings:
            raise BadValue(f"--set {name} is given twice; write it once, like --set {name}=1,2.")
        settings[name] = values.split(",")
    return settings


def _measure_all(
    planned: Sequence["Planned"],
    machine: "Machine",
    effort: "Effort",
    runs: "Runs",
    label: str,
    choice: "Choice",
) -> "Run":
    from stend.cli.progress import Shown
    from stend.cli.session import session
    from stend.machine import default_clock
    from stend.report.terminal import case_line
    from stend.running.launch import launch
    from stend.running.passes import measure_all

    clock, rows = default_clock(), Rows(runs)
    with session(runs, machine, label, choice.size) as run_id, Shown(len(planned)) as shown:
        for case in measure_all(planned, effort, clock, heeding(launch), shown.case):
            rows.keep(run_id, case)
            shown.reached(case.place, case.share)
            for record in case.records if case.ended else ():
                shown.line(case_line(record))
    return runs.load(run_id)


class Rows:
    """Where in the store each case is."""

    def __init__(self, runs: "Runs") -> None:
        self._runs = runs
        self._numbers: dict[int, list[int]] = {}

    def keep(self, run_id: str, case: "Underway") -> None:
        """Store what the last process of a case brought."""
        if case.place not in self._numbers:
            numbers = [self._runs.append(run_id, record) for record in case.records]
            self._numbers[case.place] = numbers
            return
        for number, record in zip(self._numbers[case.place], case.records, strict=True):
            self._runs.extend(number, record)
