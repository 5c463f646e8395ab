"""`stend outliers`: which node of a fleet stands apart, by how much, how surely."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from stend.cli.options import Json, Store, find_run, one_of, refuse_published

if TYPE_CHECKING:
    from stend.record import Run


def outliers_verb(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]…",
            help="Runs or run files, one per node; or one run of `stend run --hosts`, which "
            "stands for its whole session. Default: last.",
        ),
    ] = None,
    fail_on: Annotated[
        Literal["slower", "faster"] | None,
        typer.Option(
            "--fail-on",
            metavar="<slower|faster>",
            parser=one_of("slower", "faster"),
            help="Exit with code 1 if a node is an outlier in this direction, and with 5 if "
            "a node could not measure what others could.",
        ),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Find the outliers of a fleet: which node, in which figure, by how much, how surely.

    Each figure of a node is compared with the same figure of all others. An outlier differs by at
    least 2%, at 99% for all nodes and figures together. It takes three nodes. Examples:
    `stend outliers`, `stend outliers n1.json n2.json n3.json`.
    """
    from stend.comparing import outliers
    from stend.report import figures, terminal

    fleet = outliers(_runs(runs or ["last"], store))
    if json:
        print(figures.fleet_to_json(fleet))
    else:
        terminal.print_fleet(fleet)
    if fail_on and any(one.better == (fail_on == "faster") for one in fleet.apart):
        raise typer.Exit(1)
    if fail_on and (fleet.missing or any(node.lost for node in fleet.nodes)):
        raise typer.Exit(5)


def _runs(names: list[str], store: str | None) -> "list[Run]":
    from stend.store import Store as Runs

    refuse_published(names, "nodes of a fleet")
    found = [find_run(name, store) for name in names]
    if len(found) > 1 or not found[0].group:
        return found
    with Runs.open(store, create=False) as runs:
        members = runs.find(group=found[0].group)
        return [runs.load(member.id) for member in reversed(members)] or found
