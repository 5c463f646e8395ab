"""The runs of a side of a comparison, by what was typed."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.comparison_files import (
    FAIL_ON_HELP,
    FailOn,
    Format,
    failing,
    format_of,
    read_fail_on,
    write,
)
from stend.cli.options import Json, Store, StoredHistory, find_run
from stend.errors import BadValue, UnknownName, UsageError
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.comparing import Comparison
    from stend.record import Run


SIDE_HELP = (
    "A run: its id or the first digits of it, its label, last, last~1, a run file, or "
    "published:NAME. Runs joined with commas form one side; label:NAME means all runs with that "
    "label."
)


def find_side(name: str, store: str | None) -> "tuple[Run, ...]":
    """The runs that `name` means; a name that exists whole is not split at its commas.

    Raises:
        UnknownName: no run has one of the names.
        BadValue: a name is missing between two commas, or after `label:`.
        RunFileError: a file is not a run file.
    """
    found = _whole(name, store)
    if found:
        return found
    parts = [part.strip() for part in name.split(",")]
    if not all(parts):
        raise BadValue(
            f"{printable(name)!r} lacks a name next to a comma; join names like this: "
            "first,second,third."
        )
    return tuple(run for part in parts for run in _part(part, store))


def _whole(name: str, store: str | None) -> "tuple[Run, ...]":
    """Nothing where the name has commas and does not exist as it is."""
    from stend.comparing.selection import LABEL

    if "," not in name:
        return _part(name, store)
    try:
        return (find_run(name, store),)
    except UnknownName:
        return _labelled(name.removeprefix(LABEL), store) if name.startswith(LABEL) else ()


def _part(name: str, store: str | None) -> "tuple[Run, ...]":
    from stend.comparing.selection import named

    return named(name, lambda one: find_run(one, store), lambda label: _labelled(label, store))


def _labelled(label: str, store: str | None) -> "tuple[Run, ...]":
    """All stored runs of the label, the oldest first."""
    from stend.store import Store

    with Store.open(store, create=False) as runs:
        ids = [summary.id for summary in runs.find(label=label)]
        return tuple(runs.load(id) for id in reversed(ids))


def verb(
    a: Annotated[str, typer.Argument(metavar="A", help=SIDE_HELP)],
    others: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[B]…",
            help="What to compare with A, named in the same way. Without it, A is a run "
            "measured with --versus, and its two sides are compared.",
        ),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option("--fail-on", metavar="VERDICT[:N%]", help=FAIL_ON_HELP),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="Markdown suits a comment on a pull request; CSV has a row per case. "
            "Default: the format that -o's ending names, else text.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Compare runs: B against A, case by case, with a verdict for each.

    The verdicts are faster, slower, same and cannot tell, at 99% and for the whole suite together.
    C, D, … are compared with A as well. Examples: `stend compare last~1 last`,
    `stend compare theirs.json last`,
    `stend compare label:before label:after --fail-on slower:2% --format markdown`.

    Exit codes: 0 compared; 1 --fail-on found what it was asked for; 2 wrong usage; 3 the store;
    4 a file that can't be read or written; 5 with --fail-on: something in B failed or is missing.
    """
    asked = read_fail_on(fail_on or ())
    how = format_of(form, output, json)
    names = [a, *(others or ())]
    sides = {letter(i): find_side(name, store) for i, name in enumerate(names)}
    comparisons = _compared(sides, a, store)
    letters = list(sides)[1:] or ["B"]
    write(comparisons, letters, how, output)
    _leave(dict(zip(letters, comparisons, strict=True)), list(sides.values()), asked)


def letter(i: int) -> str:
    """A, B, …, Z, A1, B1, …."""
    return chr(ord("A") + i % 26) + (str(i // 26) if i >= 26 else "")


def _compared(
    sides: "dict[str, tuple[Run, ...]]", typed: str, store: str | None
) -> "list[Comparison]":
    from stend.comparing import compare, compare_sides, has_sides
    from stend.comparing.selection import refuse_twice

    first, *others = sides.values()
    if not others:
        if len(first) > 1:
            raise UsageError(f"{typed!r} names {len(first)} runs, all on side A; name a side B.")
        if not has_sides(first[0]):
            raise UsageError(
                f"The run {typed!r} was not measured with --versus, so it has no sides; name a "
                "second run."
            )
        return [compare_sides(first[0])]
    refuse_twice(sides)
    every = [run for runs in sides.values() for run in runs]
    history = StoredHistory(store, every)
    return [compare(first, other, history=history) for other in others]


def _leave(
    comparisons: "dict[str, Comparison]", sides: "list[tuple[Run, ...]]", asked: tuple[FailOn, ...]
) -> None:
    """Say what --fail-on found, and leave with its code."""
    from stend.cli.options import exit_code
    from stend.comparing import Verdict

    found = {
        (letter, name): on.typed
        for on in asked
        for letter, one in comparisons.items()
        for name in failing(one, on)
    }
    if found:
        (((letter, name), typed), *more) = found.items()
        print(
            f"stend: --fail-on {typed}: {printable(name)}"
            + (f" of {letter}" if len(comparisons) > 1 else "")
            + (f" and {len(more)} more" if more else "")
            + ".",
            file=sys.stderr,
        )
        raise typer.Exit(1)
    failed = any(exit_code(run) for runs in sides[1:] or sides for run in runs)
    lacking = any(one.count(Verdict.ONLY_A) for one in comparisons.values() if not _given(one))
    if asked and (failed or lacking):
        said = "a case of B failed" if failed else "B lacks cases of A"
        print(f"stend: --fail-on fails: {said}.", file=sys.stderr)
        raise typer.Exit(5)
    if asked:
        _tell_undecided(list(comparisons.values()))


def _given(comparison: "Comparison") -> bool:
    """Whether a side is what the literature gives, beside which nothing is judged."""
    return comparison.a.published or comparison.b.published


def _tell_undecided(comparisons: "list[Comparison]") -> None:
    """Who reads only the code of 0 is not to take it for "nothing is slower"."""
    from stend.comparing import Verdict

    if any(map(_given, comparisons)):
        print("stend: --fail-on passes: comparisons with published figures have no verdict.",
              file=sys.stderr)  # fmt: skip
    measured = [one for one in comparisons if not _given(one)]
    undecided = sum(one.count(Verdict.CANNOT_TELL) for one in measured)
    cases = sum(row.met for one in measured for row in one.rows)
    if undecided:
        print(
            f"stend: --fail-on passes, but {undecided} of {cases} cases are undecided.",
            file=sys.stderr,
        )
