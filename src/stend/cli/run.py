"""`stend run`: plan, measure, store what each process brought, and show what came of it."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from stend.cli.browser import has_display, open_browser
from stend.cli.options import HTML, Json, Label, Store, one_of, refuse_ending, time_of
from stend.errors import BadValue
from stend.processes.interrupts import held

if TYPE_CHECKING:
    from stend.report.live_page import LivePage

STARTING = 3.0
"""Seconds that a browser gets to start before anything is measured."""


def verb(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATTERN]…",
            help="Benchmarks by name, family (stream, threads, cores, numa, mpi …), suite "
            "(processor, memory) or glob; default: all.",
        ),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Every variant and value; 5 to 10 processes a case.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="The default: the best variant, few values, 3 to 5 processes a case; five "
            "to eleven minutes for everything.",
        ),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Run every case once, untimed, and prove its result.")
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
            help="Interleave each case with this variant of it (A B B A …): drift of the "
            "host then affects both sides alike.",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            metavar="N",
            min=1,
            max=1000,
            help="Number of pairs with --versus; default: 20, or 30 with --full.",
        ),
    ] = None,
    stop: Annotated[
        Literal["precision", "rounds"],
        typer.Option(
            "--stop",
            metavar="<precision|rounds>",
            parser=one_of("precision", "rounds"),
            help="When a process stops: once the 95% interval of the median is within 1%, "
            "or after the rounds of Golenkov 2015 (METHODOLOGY.md).",
        ),
    ] = "precision",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.01,
            max=86400,
            help="Maximum measuring time of one process; default: 0.4, or 5 with --full.",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="TIME",
            parser=time_of,
            help="Time limit for the whole run, such as 90s or 4m. The cases of the report's "
            "machine card come first; cases that do not fit are left out. Default: no limit.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the report to this file at the start of the run, and update it as cases "
            "are measured.",
        ),
    ] = None,
    browser: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Open the report in a browser at the start of the run, if there is a display. The "
            "report is report.html unless -o names another file.",
        ),
    ] = False,
    hosts: Annotated[
        str | None,
        typer.Option(
            "--hosts",
            metavar="FILE",
            help="Measure the hosts listed in this file, in the format of Open MPI and "
            "MPICH, or `slurm` for those of the allocation: each by itself, then "
            "messages between pairs.",
        ),
    ] = None,
    label: Label = "",
    store: Store = None,
    json: Json = False,
) -> None:
    """Measure this machine, or a fleet.

    Examples: `stend run`, `stend run stream --full`, `stend run memory.write --set block=1MiB`,
    `stend run stream.triad --variant plain --versus default`,
    `stend run --hosts hosts.txt stream mpi`.

    The cases are measured in several passes, each time in a process of its own that is stored when
    it ends: Ctrl-C loses only the process in progress.
    """
    from stend import laboratory
    from stend.cli.fleet import measure_fleet
    from stend.cli.options import StoredHistory, exit_code, show, size_of
    from stend.cli.progress import Shown
    from stend.report import write_report
    from stend.running.session import Asked

    if sum((full, quick, check)) > 1:
        raise BadValue("--quick, --full and --check exclude each other; give one of them.")
    if pairs is not None and versus is None:
        raise BadValue("--pairs needs --versus; name the other variant, or leave --pairs out.")
    if check and (stop != "precision" or seconds is not None or pairs is not None):
        raise BadValue(
            "--check runs everything once, untimed; leave --stop, --seconds and --pairs out."
        )
    asked = Asked(
        patterns=tuple(patterns or ()),
        size="full" if full else "check" if check else "quick",
        settings=_settings(settings or []),
        variants=tuple(variants or ()),
        versus=versus,
        pairs=pairs,
        stop=stop,
        seconds=seconds,
        budget=budget,
    )
    page = output or (Path("report.html") if browser else None)
    if hosts is not None:
        if page or budget is not None:
            raise BadValue(
                "--budget, -o and --open do not work with --hosts; leave out one or the other."
            )
        raise typer.Exit(measure_fleet(asked, hosts, label, store, json))
    with held():  # Ctrl-C again and again does not keep the run from being shown
        with Shown() as shown:
            live = _live_page(page, shown.line, browser) if page else None
            run = laboratory.measure_asked(asked, label, store, shown, live)
        show(run, json)
        if page:
            write_report([run], page, StoredHistory(store, [run]))
            print(f"Wrote {page}{size_of(page)}; open it in a browser.", file=sys.stderr)
    raise typer.Exit(exit_code(run))


def _live_page(page: Path, line: Callable[[str], None], browser: bool) -> "LivePage":
    """The page that grows with the run; it may replace an earlier page and nothing else."""
    from stend.record.files import refuse_replacing
    from stend.report.live_page import LivePage
    from stend.report.page import BEGINNING

    refuse_ending(page, HTML, "a report is a page of HTML")
    refuse_replacing(page, BEGINNING)

    def shown() -> None:
        if browser and has_display():
            line(f"{page} is updated during the run; opening it in a browser.")
            open_browser(page.resolve().as_uri())
            time.sleep(STARTING)
        else:
            line(f"{page} is updated during the run; open it in a browser.")

    return LivePage(page, shown)


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
