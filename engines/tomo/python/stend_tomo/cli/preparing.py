"""How counts become line integrals, as it is said on the command line."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.errors import BadOption
from stend_tomo.text import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo import Scan
    from stend_tomo.preparation import Mended, Paganin, Preparation
    from stend_tomo.prepare import Prepare


@dataclass(frozen=True)
class Steps:
    """What is put right before, if asked for."""

    zingers: Annotated[
        float | None,
        Option(
            "--zingers",
            metavar="SHARE",
            help="Remove counts that are brighter by this share, as 0.2, in one projection only.",
        ),
    ] = None
    stripes: Annotated[
        int | None,
        Option(
            "--stripes",
            metavar="COLUMNS",
            help="Remove stripes, which make rings, by a median over so many columns, as 21.",
        ),
    ] = None
    large_stripes: Annotated[
        int | None,
        Option(
            "--large-stripes",
            metavar="COLUMNS",
            help="Remove wide stripes: columns, more than twice the widest, as 61.",
        ),
    ] = None
    dead_stripes: Annotated[
        int | None,
        Option(
            "--dead-stripes",
            metavar="COLUMNS",
            help="Replace columns that don't answer, or fluctuate, as told by so many, as 51.",
        ),
    ] = None


Phase = Annotated[
    str | None,
    Option(
        "--phase",
        metavar="KEV:MM:RATIO",
        help="Retrieve the phase (Paganin): energy, distance to the detector, the sample's δ/β.",
    ),
]


@dataclass(frozen=True)
class OfWhole:
    """Prepares rows of a part of a scan as those of the whole: the phase needs the rows around."""

    whole: "Scan"
    begin: int
    """The part's first row."""
    steps: "Prepare"

    def __call__(self, scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
        """Give line integrals of the part's rows first … last - 1."""
        return self.steps(self.whole, self.begin + first, self.begin + last)

    def bytes(self, scan: "Scan", rows: int) -> int:
        """Give what preparing so many rows takes at its height."""
        from stend_tomo.prepare import bytes_preparing

        return bytes_preparing(self.steps, self.whole, rows)


def preparation(
    scan: "Scan", steps: Steps, phase: str | None = None, threads: int | None = None
) -> "Preparation":
    """Give the steps that were asked for; normalising and the logarithm always belong to them.

    Raises:
        BadOption: a step is not for line integrals, or the phase can't be retrieved so.
    """
    from stend_tomo.preparation import Preparation

    if scan.normalized and steps.zingers is not None:
        raise BadOption(
            "--zingers needs intensities, which are brighter where stray rays hit, and the "
            "projections are line integrals."
        )
    return Preparation(
        zingers=steps.zingers,
        stripes=steps.stripes,
        large_stripes=steps.large_stripes,
        dead_stripes=steps.dead_stripes,
        phase=None if phase is None else _paganin(phase, scan),
        threads=threads,
    )


def mended_said(mended: "Mended") -> str:
    """Another line, `mended: 12 dead pixels, …`, or nothing where nothing was."""
    kinds = {
        "dead pixels": mended.dead,
        "values without light limited": mended.limited,
        "zingers": mended.zingers,
    }
    found = ", ".join(f"{number:,} {kind}" for kind, number in kinds.items() if number)
    return f"\nmended: {found}" if found else ""


def _paganin(given: str, scan: "Scan") -> "Paganin":
    from stend_tomo.preparation import Paganin

    try:
        energy, distance, ratio = map(float, given.split(":"))
    except ValueError:
        raise BadOption(
            f'--phase "{printable(given)}" is not KEV:MM:RATIO, as --phase 20:50:400.'
        ) from None
    if scan.pixel is None:
        raise BadOption("--phase needs the side of a pixel, which the file does not tell: --pixel.")
    if scan.normalized:
        raise BadOption("--phase needs intensities, and the projections are line integrals.")
    return Paganin(energy, distance, scan.pixel, ratio)
