"""`stend published`: the literature's figures, to compare a machine's own with."""

from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Json, print_json
from stend.errors import UnknownName

if TYPE_CHECKING:
    from stend.record import Run


def verb(
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
        _print_json(names)
    else:
        _print(names)


def _list_runs(json: bool) -> None:
    from stend.comparing import publications
    from stend.report import literature, terminal

    runs = publications.runs()
    if json:
        print_json([literature.summary(run) for run in runs])
    else:
        terminal.print_published_runs(runs)


def _print(names: tuple[str, ...]) -> None:
    from stend.report import literature, terminal
    from stend.report.terminal.console import Console, print_listing

    found = [(name, _run(name)) for name in names]
    for name, run in found:
        if run is None:
            print_listing(Console(), literature.listing(literature.SUBJECTS[name]))
        else:
            terminal.print_published(run)


def _print_json(names: tuple[str, ...]) -> None:
    from stend.report import literature

    found = {name: (literature.SUBJECTS.get(name), _run(name)) for name in names}
    print_json({
        name: subject.figures() if subject else run.cases if run else ()
        for name, (subject, run) in found.items()
    })  # fmt: skip


def _run(name: str) -> "Run | None":
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
