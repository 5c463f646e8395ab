"""`stend add` and `stend forget`: projects whose benchmarks are found from every folder."""

from pathlib import Path
from typing import Annotated

import typer

from stend.record.text import printable


def add_verb(
    projects: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PROJECT]…", help="Folders with a stend.toml, or such files."),
    ] = None,
) -> None:
    """Add projects, so that their benchmarks are found from every folder; or list those added.

    A project is a folder with a stend.toml (docs/own-programs.md). In its folder and below, its
    benchmarks are found without this. Example: `stend add ~/mytests`.
    """
    from stend.benchmarks.registry import load

    if projects:
        load()  # the names that are taken
    from stend.benchmarks.projects import keep, kept

    for project in projects or ():
        names = keep(project)
        print(f"{printable(str(project))}: {', '.join(map(printable, names)) or 'no benchmark'}.")
    if projects:
        return
    files = kept()
    for file in files:
        print(printable(str(file)) + ("" if file.is_file() else "  (is not there)"))
    if not files:
        print("No project was added; `stend add FOLDER` takes one with a stend.toml.")


def forget_verb(
    projects: Annotated[
        list[Path],
        typer.Argument(metavar="PROJECT…", help="Folders or files that `stend add` was given."),
    ],
) -> None:
    """Forget projects that were added; their files and their runs stay.

    Example: `stend forget ~/mytests`.
    """
    from stend.benchmarks.projects import forget

    for project in projects:
        forget(project)
        print(f"{printable(str(project))}: forgotten.")
