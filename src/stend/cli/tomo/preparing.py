"""How counts become line integrals, as it is said on the command line."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from stend.tomo.preparation import Preparation

Zingers = Annotated[
    float | None,
    typer.Option(
        "--zingers",
        metavar="SHARE",
        help="Remove counts that are brighter by this share, as 0.2, in one projection only.",
    ),
]
Stripes = Annotated[
    int | None,
    typer.Option(
        "--stripes",
        metavar="COLUMNS",
        help="Remove stripes, which make rings, by a median over so many columns, as 21.",
    ),
]
LargeStripes = Annotated[
    int | None,
    typer.Option(
        "--large-stripes",
        metavar="COLUMNS",
        help="Remove wide stripes: columns, more than twice the widest, as 61.",
    ),
]
DeadStripes = Annotated[
    int | None,
    typer.Option(
        "--dead-stripes",
        metavar="COLUMNS",
        help="Replace columns that don't answer, or fluctuate, as told by so many, as 51.",
    ),
]


def preparation(
    zingers: float | None,
    stripes: int | None,
    large_stripes: int | None,
    dead_stripes: int | None,
    threads: int | None = None,
) -> "Preparation":
    """Give the steps that were asked for; normalising and the logarithm always belong to them."""
    from stend.tomo.preparation import Preparation

    return Preparation(
        zingers=zingers,
        stripes=stripes,
        large_stripes=large_stripes,
        dead_stripes=dead_stripes,
        threads=threads,
    )
