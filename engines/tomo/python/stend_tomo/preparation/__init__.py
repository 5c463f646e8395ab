"""From what a detector counts to line integrals, and where the axis of rotation is.

    normalize(projections, fields(flats, darks), logarithm=True)    counts → line integrals
    remove_zingers, remove_stripes, remove_large_stripes, remove_dead_stripes, retrieve
    find_center(projections, angles)        the axis; `found` says whether to rely on it
    pictures, sharpen_center                the axis by eye, or by how sharp slices are
    find_overlap, stitch                    whole turns with the axis near a side of the detector
    HalfAcquisition(scan, prepare, center)  these for reconstruct_scan, a slab at a time
    lit_rows(scan)                          which rows the beam reaches
    Preparation(…)                          all steps in their order, for reconstruct_scan
    Tally(Preparation(…))                   the same, and what it mended in all rows

Arrays are (angles, rows, columns). Everything but `retrieve` works on a slab of rows alone.
"""

from stend_tomo.preparation.axis import pictures, sharpen_center
from stend_tomo.preparation.center import Center, find_center
from stend_tomo.preparation.normalization import (
    Fields,
    Mended,
    fields,
    lit_rows,
    minus_log,
    normalize,
    remove_zingers,
)
from stend_tomo.preparation.paganin import Paganin, retrieve
from stend_tomo.preparation.steps import Preparation, Tally
from stend_tomo.preparation.stitching import HalfAcquisition, Stitched, find_overlap, stitch
from stend_tomo.preparation.stripes import (
    remove_dead_stripes,
    remove_large_stripes,
    remove_stripes,
)

__all__ = [
    "Center",
    "Fields",
    "HalfAcquisition",
    "Mended",
    "Paganin",
    "Preparation",
    "Stitched",
    "Tally",
    "fields",
    "find_center",
    "find_overlap",
    "lit_rows",
    "minus_log",
    "normalize",
    "pictures",
    "remove_dead_stripes",
    "remove_large_stripes",
    "remove_stripes",
    "remove_zingers",
    "retrieve",
    "sharpen_center",
    "stitch",
]
