"""Options of preparation, and rows of the detector that the beam reaches: others are of no use."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from stend_tomo.cli.arguments import Option
from stend_tomo.cli.scan_options import row_of
from stend_tomo.errors import BadOption, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo import Scan
    from stend_tomo.preparation import Mended, Paganin, Preparation
    from stend_tomo.scan import Prepare


Ranges = list[tuple[int, int]]
BEAM = "where the beam does not reach the detector"
NAMED = 3
"""Ranges that a sentence has at most."""


def lit_middle(scan: "Scan", first: int, end: int) -> int:
    """Give the middle of the rows that the beam reaches, the same for any rows first … end - 1.

    Raises:
        BadOption: it does not reach some of these.
    """
    lit = _lit(scan)
    of_these = [(max(a, first), min(b, end)) for a, b in lit if a < end and b > first]
    if of_these != [(first, end)]:
        ways = " or ".join(f"--rows {a}:{b}" for a, b in (of_these or lit)[:NAMED])
        raise BadOption(
            f"The flat fields are dark in {_dark(of_these, first, end)}, {BEAM}; give {ways}."
        )
    return _middle(lit)


def lit_row(given: int | None, scan: "Scan") -> int:
    """Give the row that was asked for, or the middle of those that the beam reaches.

    Raises:
        BadOption: there is no such row, or the beam does not reach it.
    """
    row = None if given is None else row_of(given, scan.projections.shape[1])
    lit = _lit(scan)
    if row is None:
        return _middle(lit)
    if not any(first <= row < end for first, end in lit):
        ways = " or ".join(f"{first} to {end - 1}" for first, end in lit[:NAMED])
        raise BadOption(f"The flat fields are dark in row {row}, {BEAM}; give --row {ways}.")
    return row


def _lit(scan: "Scan") -> Ranges:
    from stend_tomo.preparation import lit_rows

    lit = lit_rows(scan)
    if not lit:
        raise BadOption(
            "The flat fields are nowhere brighter than the dark fields; check whether they were "
            "mixed up, or taken with the shutter closed."
        )
    return lit


def _middle(lit: Ranges) -> int:
    first, end = max(lit, key=lambda rows: rows[1] - rows[0])
    return (first + end) // 2


def _dark(lit: Ranges, first: int, end: int) -> str:
    """What lies between lit rows, as `rows 0 to 4 and row 88`."""
    begins, ends = [first, *(b for _, b in lit)], [*(a for a, _ in lit), end]
    dark = [(a, b - 1) for a, b in zip(begins, ends, strict=True) if a < b]
    names = [f"row {a}" if a == b else f"rows {a} to {b}" for a, b in dark]
    return " and ".join(names[:NAMED] + ["others"] * (len(names) > NAMED))


@dataclass(frozen=True)
class Steps:
    """What is put right before, if asked for."""

    zingers: Annotated[
        float | None,
        Option(
            "--zingers",
            metavar="SHARE",
            help="Remove counts that are brighter by this share, such as 0.2, in one projection "
            "only.",
        ),
    ] = None
    stripes: Annotated[
        int | None,
        Option(
            "--stripes",
            metavar="COLUMNS",
            help="Remove stripes, which cause rings, by a median over so many columns, such as 21.",
        ),
    ] = None
    large_stripes: Annotated[
        int | None,
        Option(
            "--large-stripes",
            metavar="COLUMNS",
            help="Remove wide stripes by a median over so many columns: more than twice the "
            "widest stripe, such as 61.",
        ),
    ] = None
    dead_stripes: Annotated[
        int | None,
        Option(
            "--dead-stripes",
            metavar="COLUMNS",
            help="Replace dead and fluctuating columns, detected over so many columns, such as 51.",
        ),
    ] = None


Phase = Annotated[
    str | None,
    Option(
        "--phase",
        metavar="KEV:MM:RATIO",
        help="Retrieve the phase (Paganin) from energy, distance to the detector, and the "
        "sample's δ/β.",
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
        from stend_tomo.scan import bytes_preparing

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
            "--zingers needs intensities, which are brighter where stray rays hit; the "
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
        raise BadOption("--phase needs the pixel size, and the file has none; give --pixel MM.")
    if scan.normalized:
        raise BadOption("--phase needs intensities; the projections are line integrals.")
    return Paganin(energy, distance, scan.pixel, ratio)
