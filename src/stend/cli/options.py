"""What several verbs share: options, and how a run is named."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from stend.record import Run

STORE_HELP = (
    "Where runs are kept: a file, or postgresql://… for a team. Default: $STEND_STORE, "
    "else a file in your data folder."
)
Store = Annotated[str | None, typer.Option("--store", metavar="URL", help=STORE_HELP)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]
RunName = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A stored run (its id or the beginning of it, its label, last, last~1) or a run file.",
    ),
]


def find_run(name: str, store: str | None) -> "Run":
    """The run that `name` means: a run file if there is one, else a stored run.

    Raises:
        UnknownName: there is neither.
        RunFileError: the file is not a run file.
    """
    if Path(name).is_file():
        from stend.exchange import read_run_file

        return read_run_file(Path(name))
    from stend.store import Store as Runs

    with Runs.open(store) as runs:
        return runs.load(name)
