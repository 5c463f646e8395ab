"""`stend compare`: faster, slower, same or cannot tell."""

from typing import Annotated, Literal

import typer

from stend.cli.options import Json, RunName, Store, find_run
from stend.errors import UsageError


def verb(
    a: RunName,
    b: Annotated[
        str | None,
        typer.Argument(
            metavar="[RUN]",
            help="The other run; without it, the two sides of a "
            "run that was measured with --versus.",
        ),
    ] = None,
    fail_on: Annotated[
        Literal["slower", "faster"] | None,
        typer.Option(
            "--fail-on",
            help="Leave with code 1 when any verdict is this, and with 5 when B failed where "
            "A did not; for CI.",
        ),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Compare two runs: B against A, case by case, with a verdict for each.

    The verdicts are faster, slower, same and cannot tell, at 99% and for the whole suite
    together. Examples: `stend compare last~1 last`, `stend compare theirs.json last`.
    """
    from stend.cli.outcome import exit_code
    from stend.comparing import Verdict, compare, has_sides
    from stend.report import figures, terminal

    first = find_run(a, store)
    second = find_run(b, store) if b else first
    if b is None and not has_sides(first):
        raise UsageError(
            f"The run {a!r} was not measured with --versus, so it has no sides; name a second run."
        )
    if b and first.id == second.id:
        raise UsageError(f"{a!r} and {b!r} are the same run, {first.id[:8]}; name two.")
    comparison = compare(first, second)
    if json:
        print(figures.comparison_to_json(comparison))
    else:
        terminal.print_comparison(comparison)
    if fail_on and any(row.verdict == Verdict(fail_on) for row in comparison.rows):
        raise typer.Exit(1)
    if fail_on and (exit_code(second) or any(r.verdict == Verdict.ONLY_A for r in comparison.rows)):
        raise typer.Exit(5)
