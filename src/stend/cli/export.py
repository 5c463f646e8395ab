"""`stend export`: a stored run → a run file."""

from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import RunName, Store, find_run, refuse_ending, size_of


def verb(
    run: RunName = "last",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file; default: stend-<id>.json.")
    ] = None,
    store: Store = None,
) -> None:
    """Write a run, with every raw sample, to a JSON file that anyone can read.

    Example: `stend export last -o mine.json`. docs/formats.md describes the file.
    """
    from stend.exchange import write_run_file

    refuse_ending(output, (".json",), "a run file is JSON")
    found = find_run(run, store)
    path = output or Path(f"stend-{found.id[:8]}.json")
    write_run_file(found, path)
    print(f"Wrote run {found.id[:8]} to {path}{size_of(path)}.")
