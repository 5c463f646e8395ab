"""How line integrals become slices, as it is said on the command line."""

from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option

if TYPE_CHECKING:
    from stend_tomo.reconstructor import Options

DIRECT = (
    "dfr (the default: the fastest; sharpest of many views with little noise), dfr_half (faster), "
    "fbp (smaller errors of noisy, few or unevenly spread views), fbp_int16, hfbp, hfbp_fine"
)
DirectName = Annotated[str, Option("--algorithm", help=f"{DIRECT}.")]
AlgorithmName = Annotated[str, Option("--algorithm", help=f"{DIRECT}; sirt and cgls iterate.")]
Iterations = Annotated[
    int | None,
    Option("--iterations", help="How many; default: 100 of sirt, 20 of cgls."),
]
NonNegative = Annotated[
    bool, Option("--non-negative", help="Let sirt or cgls make no pixel negative.")
]
FilterName = Annotated[
    str,
    Option(
        "--filter",
        help="ram-lak (the sharpest), shepp-logan, sinc2, cosine, hamming, hann (the smoothest).",
    ),
]
Cutoff = Annotated[float, Option("--cutoff", help="The part of the filter's band that is kept.")]
Pixel = Annotated[
    float | None,
    Option(
        "--pixel",
        metavar="MM",
        help="The side of a detector pixel at the sample, if not the file's.",
    ),
]
Size = Annotated[
    int | None,
    Option(
        "--size", help="A slice's side; default: the columns, of a half acquisition both sides'."
    ),
]


def decisive(options: "Options") -> dict[str, object]:
    """Give what of a method the slices depend on, by names for people; None: it has no say."""
    from stend_tomo.iterating import ITERATIONS

    algorithm = options["algorithm"]
    if algorithm not in ITERATIONS:
        return {
            key: options.get(key) for key in ("algorithm", "filter", "cutoff", "center", "taper")
        }
    return {
        "algorithm": algorithm,
        "iterations": options["iterations"] or ITERATIONS[algorithm],
        "non-negative": "yes" if options["non_negative"] else None,
        "center": options["center"],
    }
