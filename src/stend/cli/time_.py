"""`stend time`: any program, measured by the laboratory's method."""

import shlex
from typing import Annotated

import typer

from stend.cli.options import Json, Label, Store
from stend.errors import BadValue
from stend.processes.interrupts import held


def verb(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="The program and its arguments.")
    ],
    versus: Annotated[
        str | None,
        typer.Option(
            "--versus",
            metavar="COMMAND",
            help="Another command, in quotes, interleaved with the first (A B B A …).",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            metavar="N",
            min=1,
            max=10000,
            help="Number of pairs with --versus; default: 20.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.01,
            max=86400,
            help="Maximum measuring time; default: 5 s, or ten executions of a slower program.",
        ),
    ] = None,
    label: Label = "",
    store: Store = None,
    json: Json = False,
) -> None:
    """Measure any program: wall, user and system time, peak memory.

    It is executed directly, without a shell, with empty input, and its output is discarded; a
    failed execution ends the measurement. Every execution is kept.

    Examples: `stend time -- sort big.txt`, `stend time --versus "./new -x" -- ./old -x`,
    `stend time -- sh -c 'gzip < a > /dev/null'`.
    """
    from stend import laboratory
    from stend.cli.options import exit_code, show
    from stend.cli.progress import Shown

    if pairs is not None and versus is None:
        raise BadValue("--pairs needs --versus; name the other command, or leave --pairs out.")
    if seconds is not None and versus is not None:
        raise BadValue("--seconds is for one command; with --versus give --pairs instead.")
    other = _split(versus) if versus is not None else None
    with held():  # Ctrl-C again and again does not keep the run from being shown
        with Shown() as shown:
            run = laboratory.time(
                command,
                versus=other,
                pairs=pairs,
                seconds=seconds,
                label=label,
                store=store,
                observer=shown,
            )
        show(run, json)
    raise typer.Exit(exit_code(run))


def _split(versus: str) -> list[str]:
    try:
        words = shlex.split(versus)
    except ValueError as error:
        raise BadValue(f"--versus {versus!r} can't be read ({error}); check its quotes.") from None
    if not words:
        raise BadValue("--versus names no command; give one in quotes.")
    return words
