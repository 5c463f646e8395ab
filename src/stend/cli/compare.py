"""`stend compare`: faster, slower, same or cannot tell."""

from typing import Annotated, Literal

import typer

from stend.cli.options import Json, RunName, Store, find_run


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
        typer.Option("--fail-on", help="Leave with code 1 when any verdict is this, for CI."),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Compare two runs: B against A, case by case, with a verdict for each.

    The verdicts are faster, slower, same and cannot tell, at 99% and for the whole suite
    together. Examples: `stend compare last~1 last`, `stend compare theirs.json last`.
    """
    from stend.comparing import Verdict, compare
    from stend.report import figures, terminal

    first = find_run(a, store)
    comparison = compare(first, find_run(b, store) if b else first)
    if json:
        print(figures.comparison_to_json(comparison))
    else:
        terminal.print_comparison(comparison)
    if fail_on and any(row.verdict == Verdict(fail_on) for row in comparison.rows):
        raise typer.Exit(1)
