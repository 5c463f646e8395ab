"""Tomography on CPUs: slices from X-ray projections, with files and preparation.

    read("scan.h5")                                         a file of any format → a scan, unread
    reconstruct(projections, angles)                        (angles, rows, columns) → slices
    reconstruct_scan(scan, volume, memory="4 GB")           the same, for what is larger than memory
    Reconstructor(columns, angles)                          the same, for one slab after another
    Anytime(columns)                                        the same, while the scan goes on
    sirt(projections, angles), cgls(projections, angles)    from few or noisy projections, iterated
    rebin_fan(projections, angles, FanBeam(…))              fan beam → parallel beam
    fdk(projections, angles, ConeBeam(…))                   cone beam → volume
    reconstruct_cone_scan(scan, volume, ConeBeam(…))        the same, for what is larger than memory
    project, backproject, filter                            the pieces
    write("tooth", slices, format="dicom", pixel=0.0052)    slices → files; open_volume in slabs
    read_volume("tooth")                                    back again, or from a scanner

`stend_tomo.preparation` makes line integrals of what detectors count, `stend_tomo.phantoms` has
objects that are known exactly. docs/tomo.md has the conventions: axis order, the sign of angles,
centres and units; docs/tomo-files.md has the formats.
"""

import importlib
import sys
from typing import TYPE_CHECKING, Any

from stend_tomo.processor import NumPyCheck

if TYPE_CHECKING:
    from stend_tomo import phantoms, preparation
    from stend_tomo.anytime import Anytime
    from stend_tomo.beams import ConeBeam, FanBeam, Rebinned, rebin_fan
    from stend_tomo.cone import fdk
    from stend_tomo.errors import (
        BadAngles,
        BadBuffer,
        BadOption,
        BadProjections,
        BadSlices,
        TomoError,
        TooLittleMemory,
    )
    from stend_tomo.operators import backproject, filter, project
    from stend_tomo.reading import is_volume, read, read_frames, read_volume, unpacked
    from stend_tomo.reconstruction import cgls, reconstruct, sirt
    from stend_tomo.reconstructor import Reconstructor
    from stend_tomo.scan import Frames, Scan, StoredVolume, Volume, line_integrals
    from stend_tomo.scan_reconstruction import reconstruct_cone_scan, reconstruct_scan
    from stend_tomo.validation import algorithms, filters, variants
    from stend_tomo.writing import FORMATS, WrittenVolume, open_volume, write

_HOMES = {
    "Anytime": "anytime",
    "ConeBeam": "beams",
    "FanBeam": "beams",
    "algorithms": "validation",
    "filters": "validation",
    "variants": "validation",
    "fdk": "cone",
    "reconstruct_cone_scan": "scan_reconstruction",
    "BadAngles": "errors",
    "BadBuffer": "errors",
    "BadOption": "errors",
    "BadProjections": "errors",
    "BadSlices": "errors",
    "TomoError": "errors",
    "TooLittleMemory": "errors",
    "Rebinned": "beams",
    "rebin_fan": "beams",
    "filter": "operators",
    "cgls": "reconstruction",
    "sirt": "reconstruction",
    "line_integrals": "scan",
    "backproject": "operators",
    "project": "operators",
    "is_volume": "reading",
    "read": "reading",
    "read_frames": "reading",
    "read_volume": "reading",
    "unpacked": "reading",
    "reconstruct": "reconstruction",
    "Reconstructor": "reconstructor",
    "Frames": "scan",
    "Scan": "scan",
    "StoredVolume": "scan",
    "reconstruct_scan": "scan_reconstruction",
    "Volume": "scan",
    "FORMATS": "writing",
    "WrittenVolume": "writing",
    "open_volume": "writing",
    "write": "writing",
}
"""Names and the modules that they are in."""
_ROOMS = ("phantoms", "preparation")

sys.meta_path.insert(0, NumPyCheck())


def __getattr__(name: str) -> Any:
    """Import a name when it is asked for: help and refusals come without NumPy."""
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _HOMES:
        found = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    if name == "__version__":
        from importlib.metadata import version

        return version("stend-tomo")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FORMATS",
    "Anytime",
    "BadAngles",
    "BadBuffer",
    "BadOption",
    "BadProjections",
    "BadSlices",
    "ConeBeam",
    "FanBeam",
    "Frames",
    "Rebinned",
    "Reconstructor",
    "Scan",
    "StoredVolume",
    "TomoError",
    "TooLittleMemory",
    "Volume",
    "WrittenVolume",
    "algorithms",
    "backproject",
    "cgls",
    "fdk",
    "filter",
    "filters",
    "is_volume",
    "line_integrals",
    "open_volume",
    "phantoms",
    "preparation",
    "project",
    "read",
    "read_frames",
    "read_volume",
    "rebin_fan",
    "reconstruct",
    "reconstruct_cone_scan",
    "reconstruct_scan",
    "sirt",
    "unpacked",
    "variants",
    "write",
]
