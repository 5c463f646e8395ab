"""`stend time`: any program, measured by the laboratory's method."""

import os
import shlex
import shutil
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Json, Label, Store, refuse_too_few
from stend.errors import BadValue
from stend.interrupts import heeding, held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stend.cli.progress import Shown
    from stend.record import CaseRecord


def verb(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="The program and its arguments.")
    ],
    versus: Annotated[
        str | None,
        typer.Option(
            "--versus",
            metavar="COMMAND",
            help="Another command, in quotes, executed in turn with the first (A B B A …).",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option("--pairs", min=1, max=10000, help="With --versus: how many pairs; 20."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            min=0.01,
            max=86400,
            help="What measuring may take; default: 5 s, or ten executions of a slower program.",
        ),
    ] = None,
    label: Label = "",
    store: Store = None,
    json: Json = False,
) -> None:
    """Measure any program: wall, user and system time, peak memory.

    It is executed directly, without a shell, its input empty and its output thrown away; an
    execution that fails ends the measurement. Every execution is kept.

    Examples: `stend time -- sort big.txt`, `stend time --versus "./new -x" -- ./old -x`,
    `stend time -- sh -c 'gzip < a > /dev/null'`.
    """
    from stend.cli.outcome import exit_code, show
    from stend.cli.progress import Shown
    from stend.machine import inspect
    from stend.report.terminal import case_line
    from stend.session import Title, session
    from stend.store import Store as Runs

    if pairs is not None and versus is None:
        raise BadValue("--pairs is for --versus; name the other command, or leave --pairs out.")
    if seconds is not None and versus is not None:
        raise BadValue("--seconds is for one command; with --versus say how many --pairs.")
    if pairs is not None:
        refuse_too_few(pairs, cases=1)
    other = _split(versus) if versus is not None else None
    for program in (command, *([other] if other else [])):
        _find(program[0])
    with held(), Runs.open(store) as runs:
        with session(runs, inspect(), Title(label, "quick")) as run_id, Shown(1) as shown:
            for record in _measure(command, other, pairs or 20, seconds, shown):
                runs.append(run_id, record)
                shown.line(case_line(record))
        run = runs.load(run_id)
        show(run, json)
    raise typer.Exit(exit_code(run))


def _measure(
    command: "Sequence[str]",
    other: "Sequence[str] | None",
    pairs: int,
    seconds: float | None,
    shown: "Shown",
) -> "Sequence[CaseRecord]":
    from stend.running.command import execute
    from stend.running.program import measure_program, measure_programs

    shown.begin(shlex.join(command))
    if other is None:
        return (measure_program(command, seconds, heeding(execute)),)
    return measure_programs(
        command, other, pairs, lambda done: shown.reached(0, done / pairs), heeding(execute)
    )


def _find(program: str) -> None:
    """Refuse what can't be started before a run of it is stored."""
    if shutil.which(program) is None:
        there = os.path.exists(program)  # noqa: PTH110 - Path raises for names that are too long
        raise BadValue(
            f"`{program}` can't be started: "
            + ("it is no executable file." if there and "/" in program else "it was not found.")
            + " What a shell makes of a line, measure with `sh -c '…'`."
        )


def _split(versus: str) -> list[str]:
    try:
        words = shlex.split(versus)
    except ValueError as error:
        raise BadValue(f"--versus {versus!r} can't be read ({error}); check its quotes.") from None
    if not words:
        raise BadValue("--versus names no command; give one in quotes.")
    return words
