"""How line integrals become slices, as it is said on the command line."""

from typing import Annotated

import typer

AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm", help="dfr (the fastest and most exact), fbp, fbp_int16, hfbp, hfbp_fine."
    ),
]
FilterName = Annotated[
    str,
    typer.Option(
        "--filter",
        help="ram-lak (the sharpest), shepp-logan, sinc2, cosine, hamming, hann (the smoothest).",
    ),
]
Cutoff = Annotated[
    float, typer.Option("--cutoff", help="The part of the filter's band that is kept.")
]
Pixel = Annotated[
    float | None,
    typer.Option(
        "--pixel",
        metavar="MM",
        help="The side of a detector pixel at the sample, if not the file's.",
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        "--size", help="A slice's side; default: the columns, of a half acquisition both sides'."
    ),
]
