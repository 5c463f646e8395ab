"""`stend report`: runs → one HTML file that opens offline."""

from pathlib import Path
from typing import Annotated

import typer

from stend.cli.history import StoredHistory
from stend.cli.options import HTML, Store, find_run, refuse_ending, size_of


def verb(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]…", help="Stored runs, run files or published:NAME; default: last."
        ),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")] = Path(
        "report.html"
    ),
    store: Store = None,
) -> None:
    """Write a report: the machine, what disturbed it, figures, charts, every distribution.

    With two runs or more it also compares them. Example: `stend report last -o report.html`.
    """
    from stend.report import write_report

    refuse_ending(output, HTML, "a report is a page of HTML")
    found = [find_run(name, store) for name in runs or ["last"]]
    write_report(found, output, StoredHistory(store, found))
    print(f"Wrote {output}{size_of(output)}; open it in a browser.")
