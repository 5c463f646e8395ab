"""`stend runs`, `show`, `report`, `export`, `import` and `remove`: stored runs."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import (
    HTML,
    Json,
    RunName,
    Store,
    StoredHistory,
    find_run,
    print_json,
    refuse_ending,
    refuse_published,
    size_of,
)
from stend.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from stend.store import Store as Runs


def runs_verb(
    label: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only runs with this label.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only runs of this machine.")
    ] = None,
    limit: Annotated[
        int,
        typer.Option("-n", "--limit", metavar="N", min=1, max=1_000_000, help="At most this many."),
    ] = 20,
    removed: Annotated[
        bool, typer.Option("--removed", help="Removed runs, which `stend remove --undo` puts back.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """List the stored runs, newest first; with --removed, the last removed first."""
    from stend.report import terminal
    from stend.store import Store as Runs

    with Runs.open(store, create=False) as runs:
        every = runs.trash.list() if removed else ()
        found = [] if removed else runs.find(label=label, host=host, limit=limit)
    gone = [run for run in every if label in (None, run.label) and host in (None, run.host)][:limit]
    if json:
        print_json(gone if removed else found)
    elif removed:
        terminal.print_removed(gone)
    else:
        terminal.print_runs(found)


def show_verb(run: RunName = "last", store: Store = None, json: Json = False) -> None:
    """Show a run: every case with its figure, interval and cautions."""
    from stend.comparing import is_published
    from stend.report import figures, terminal

    found = find_run(run, store)
    if json:
        print(figures.to_json(found))
    elif is_published(found):
        terminal.print_published(found)
    else:
        terminal.print_run(found)


def report_verb(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]…", help="Stored runs, run files or published:NAME; default: last."
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The HTML file to write.")
    ] = Path("report.html"),
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


def export_verb(
    run: RunName = "last",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The file; default: stend-<id>.json."),
    ] = None,
    store: Store = None,
) -> None:
    """Write a run, with every raw sample, to a JSON file that anyone can read.

    Example: `stend export last -o mine.json`. docs/formats.md describes the file.
    """
    from stend.record.run_file import write_run_file

    refuse_ending(output, (".json",), "a run file is JSON")
    found = find_run(run, store)
    path = output or Path(f"stend-{found.id[:8]}.json")
    write_run_file(found, path)
    print(f"Wrote run {found.id[:8]} to {path}{size_of(path)}.")


def import_verb(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…", help="Run files, files of other tools, or Criterion's folder."
        ),
    ],
    store: Store = None,
    label: Annotated[
        str,
        typer.Option(
            help="A label for results of other tools, instead of the file's name; "
            "`stend compare label:A label:B` takes all runs of each."
        ),
    ] = "",
) -> None:
    """Add run files, or results of other tools, to the store.

    The tools are Google Benchmark, hyperfine, pytest-benchmark, asv, JMH (JSON of each), Criterion
    (target/criterion) and Catch2 (XML). A run that is in the store already changes nothing. Every
    file is read and checked before any is stored. Example: `stend import theirs.json`.
    """
    from stend.foreign import read_results
    from stend.store import Store as Runs

    refuse_published([str(path) for path in files], "imported")
    read = [read_results(path, label) for path in files]
    with Runs.open(store) as runs:
        for path, run in zip(files, read, strict=True):
            new = runs.add(run)
            print(f"{path}: run {run.id[:8]} {'added' if new else 'was there already'}.")


def remove_verb(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="Stored runs, named as in `stend show`; with --undo, removed ones."
        ),
    ],
    undo: Annotated[
        bool, typer.Option("--undo", help="Put removed runs back; `last` is the one removed last.")
    ] = False,
    for_good: Annotated[
        bool,
        typer.Option(
            "--for-good",
            help="Delete for ever, so that --undo can't put them back; also takes removed runs.",
        ),
    ] = False,
    store: Store = None,
) -> None:
    """Remove runs from the store; they can be put back until they are removed for good.

    `stend runs --removed` lists them. Example: `stend remove 8881308d`.
    """
    from stend.cli.options import whoever
    from stend.store import Store as Runs

    if undo and for_good:
        raise UsageError("--undo and --for-good exclude each other; give one of them.")
    refuse_published(names, "removed")
    by = whoever()
    with Runs.open(store, create=False) as runs:
        if undo:
            for run_id in _distinct(names, runs.trash.id_of):
                print(f"Put run {runs.trash.restore(run_id, by)[:8]} back.")
        elif for_good:
            for run_id in _distinct(names, partial(_id_of_any, runs)):
                _forget(runs, run_id, by)
                print(f"Removed run {run_id[:8]} for good.")
        else:
            for run_id in _distinct(names, runs.id_of):
                print(f"Removed run {runs.trash.put(run_id, by)[:8]}.")


def _distinct(names: Sequence[str], id_of: Callable[[str], str]) -> list[str]:
    """Each run once; all are found before anything is done to the first."""
    return list(dict.fromkeys(map(id_of, names)))


def _id_of_any(runs: "Runs", name: str) -> str:
    try:
        return runs.id_of(name)
    except UnknownName as error:
        with suppress(UnknownName):
            return runs.trash.id_of(name)
        raise error


def _forget(runs: "Runs", run_id: str, by: str) -> None:
    try:
        runs.remove(run_id, by)
    except UnknownName:
        runs.trash.empty([run_id], by)
