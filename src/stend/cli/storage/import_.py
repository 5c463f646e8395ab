"""`stend storage import`: results of fio, from anywhere → the store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Label, Store

if TYPE_CHECKING:
    from stend.record import CaseRecord


def verb(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="JSON, json+, terse output, and logs."),
    ],
    label: Label = "",
    store: Store = None,
) -> None:
    """Add results that fio wrote, anywhere and in any version from 2 on, to the store as one run.

    Logs belong to the JSON in their directory. Every file is read before anything is stored.

    Examples: `stend storage import theirs.json`, `stend storage import old/*.json old/*.log`.
    """
    from stend.storage.fio.results_import import run_of
    from stend.store import Store as Runs

    run = run_of(files, label)
    with Runs.open(store) as runs:
        new = runs.add(run)
    for case in run.cases:
        _print(case)
    print(f"run {run.id[:8]} {'added' if new else 'was there already'}.")


def _print(case: "CaseRecord") -> None:
    """Print what a case came to, and all that was not understood of it."""
    from stend.record.text import printable

    iops = [f"{value:,.0f}" for sample in case.samples for value in sample.values or ()]
    print(f"{case.name}: {case.status}, IOPS {', '.join(iops) or 'none'}")
    loads = [sample.load for sample in case.samples if sample.load]
    said = [case.reason, *(sentence for load in loads for sentence in load.unread)]
    for sentence in dict.fromkeys(said):
        if sentence:
            print(f"  {printable(' '.join(sentence.split()))[:500]}")
