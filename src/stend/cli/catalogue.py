"""`stend list`, `machine` and `published`: benchmarks, this machine, the literature's figures."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stend.cli.options import Json, print_json
from stend.errors import UnknownName

if TYPE_CHECKING:
    from stend.benchmarks.definition import Benchmark
    from stend.record import Run


def list_verb(
    patterns: Annotated[
        list[str] | None, typer.Argument(metavar="[PATTERN]…", help="Names, families or globs.")
    ] = None,
    json: Json = False,
) -> None:
    """List the benchmarks and the question that each answers; show all about one that is named.

    Examples: `stend list`, `stend list stream`, `stend list memory.write`.
    """
    from stend.benchmarks.registry import find, load

    chosen = find(patterns or [])
    _, broken = load()
    if json:
        from stend.benchmarks.catalogue import catalogue

        print_json(catalogue(chosen, broken))
    elif patterns and len(chosen) == 1:
        _print_page(chosen[0])
    else:
        _print(chosen, broken, in_full=bool(patterns))


def _print(chosen: tuple["Benchmark", ...], broken: Mapping[str, str], in_full: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from stend.report.terminal.console import Console

    table = Table.grid(padding=(0, 2, 0, 0))
    for benchmark in chosen:
        table.add_row(Text(benchmark.name, "bold", no_wrap=True), Text(benchmark.question))
        if in_full:
            for line in _details(benchmark):
                table.add_row("", Text(line, "dim"))
    if not in_full:
        for name, members in _together().items():
            table.add_row(Text(name, "bold"), Text(members))
    for name, why in broken.items():
        table.add_row(Text(name, "bold"), Text(f"could not be loaded: {why}"))
    Console().print(table)


def _print_page(benchmark: "Benchmark") -> None:
    """As docs/benchmarks has it, and behind it what holds on this machine alone."""
    from rich.markdown import Heading, Markdown
    from rich.text import Text

    from stend.benchmarks.pages import page
    from stend.report.terminal.console import Console

    class Left(Heading):
        def __rich_console__(self, *_: Any) -> Iterator[str | Text]:
            yield ""
            yield Text(self.text.plain, "bold")

    class Page(Markdown):
        elements = Markdown.elements | {"heading_open": Left}

    missing = [f"- `{v.name}`: {v.reason}" for v in benchmark.available() if not v.available]
    here = "\n".join(["", "## Not on this machine", "", *missing]) if missing else ""
    Console().print(Text(benchmark.name, "bold"), Page(page(benchmark) + here), sep="\n\n")


def _together() -> dict[str, str]:
    """The names that mean several benchmarks: the suites, and families that are in none."""
    from stend.benchmarks.registry import SUITES, families

    inside = {family for members in SUITES.values() for family in members}
    found = {suite: f"all of {', '.join(members)}" for suite, members in SUITES.items()}
    for family, count in families().items():
        if family not in inside:
            found[family] = f"all of {family} ({count})"
    return found


def _details(benchmark: "Benchmark") -> list[str]:
    metric = benchmark.metric
    lines = [f"{metric.name} in {metric.unit}, {metric.better} is better"]
    lines += [f"--set {name}=…  {p.help}" for name, p in benchmark.parameters.items()]
    lines += [
        f"--variant {v.name}" + ("" if v.available else f"  (not here: {v.reason})")
        for v in benchmark.available()
    ]
    return lines


def machine_verb(json: Json = False) -> None:
    """Show what this machine is, what could not be read, and what disturbs it now.

    Each disturbance comes with a line on how to remove it. The last line is the command that
    installs what a quick run lacks.
    """
    from stend.machine import CALIBRATION, conditions_now, inspect

    machine, disturbances = inspect(calibrate=CALIBRATION), conditions_now()
    if json:
        shown = {"machine": machine, "disturbances": disturbances}
        print_json(shown)
    else:
        from stend.report import terminal
        from stend.running.session import Asked

        planned = Asked().plan(machine, skips_will_do=True)
        skips = [case.skip for case in planned if case.skip]
        terminal.print_machine(machine, disturbances, skips=skips)


def published_verb(
    asked: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|FAMILY]…",
            help="A published run such as elbrus-16c, or gost, tomo, unet, threads, linpack, fft "
            "or storage.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the published runs, or show the figures of some or of whole families, with sources.

    They are single figures of other machines, without an interval, so comparisons with them have no
    verdict. published:NAME is taken wherever a run is named. Examples: `stend published`,
    `stend published unet`, `stend compare published:elbrus-16c last`.
    """
    names = tuple(dict.fromkeys(asked or ()))
    if not names:
        _list_runs(json)
    elif json:
        _print_families_json(names)
    else:
        _print_families(names)


def _list_runs(json: bool) -> None:
    from stend.comparing import publications
    from stend.report import literature, terminal

    runs = publications.runs()
    if json:
        print_json([literature.summary(run) for run in runs])
    else:
        terminal.print_published_runs(runs)


def _print_families(names: tuple[str, ...]) -> None:
    from stend.report import literature, terminal
    from stend.report.terminal.console import Console, print_listing

    found = [(name, _named_run(name)) for name in names]
    for name, run in found:
        if run is None:
            print_listing(Console(), literature.listing(literature.SUBJECTS[name]))
        else:
            terminal.print_published(run)


def _print_families_json(names: tuple[str, ...]) -> None:
    from stend.report import literature

    found = {name: (literature.SUBJECTS.get(name), _named_run(name)) for name in names}
    print_json({
        name: subject.figures() if subject else run.cases if run else ()
        for name, (subject, run) in found.items()
    })  # fmt: skip


def _named_run(name: str) -> "Run | None":
    """The published run of that name; None where it is a family's."""
    from stend.comparing import publications
    from stend.report import literature

    if name in literature.SUBJECTS:
        return None
    try:
        return publications.run(name)
    except UnknownName as error:
        families = ", ".join(literature.SUBJECTS)
        raise UnknownName(f"{error} The families are {families}.") from None
