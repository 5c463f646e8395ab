"""What a reader found → a scan that makes sense, or a sentence that says why it doesn't."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import Keyword
from stend_tomo.reading.angles import Angles, given_angles, objection
from stend_tomo.reading.limits import fault
from stend_tomo.scan import Frames, Scan


def assembled(path: Path, scan: Scan, angles: Angles | None) -> Scan:
    """Check sizes and angles; the user's angles replace the file's.

    Raises:
        ScanFileError: there are no projections, sizes differ, or the file's angles are wrong.
        BadOption: the user's angles are.
    """
    frames, rows, columns = scan.projections.shape
    if not frames * rows * columns:
        raise fault(path, f"holds no projections: their shape is {scan.projections.shape}.")
    scan = replace(scan, flats=_fitting(path, "flat", scan.flats, scan.projections))
    scan = replace(scan, darks=_fitting(path, "dark", scan.darks, scan.projections))
    if angles is not None:
        return replace(scan, angles=given_angles(angles, frames))
    if scan.angles is not None and (why := objection(scan.angles, frames)):
        raise fault(path, f"holds {why}; give the right ones with ", Keyword("angles"), ".")
    return scan


def _fitting(path: Path, which: str, images: Frames | None, projections: Frames) -> Frames | None:
    if images is None or not images.shape[0]:
        return None
    if images.shape[1:] != projections.shape[1:]:
        size, wanted = images.shape[1:], projections.shape[1:]
        raise fault(
            path,
            f"holds {which} fields of {size[0]} × {size[1]} pixels and projections of "
            f"{wanted[0]} × {wanted[1]}; they must be of one size.",
        )
    return images


def refuse_other_types(path: Path, dtype: np.dtype[Any], what: str = "pixels") -> None:
    """Raise ScanFileError unless these are integers or real floating-point numbers."""
    if dtype.kind not in "uif":
        raise fault(path, f"holds {what} of type {dtype}; they must be integers or real numbers.")
