"""Tomography on CPUs: slices from X-ray projections, and what belongs to it.

    read("scan.h5")                                         a file of any format → a scan, unread
    reconstruct(projections, angles)                        (angles, rows, columns) → slices
    reconstruct_scan(scan, volume, memory="4 GB")           the same, for what is larger than memory
    Reconstructor(columns, angles)                          the same, for one slab after another
    Anytime(columns)                                        the same, while the scan goes on
    scan = stend.tomo.read("scan.h5")        a scan of any format; nothing large is read yet
    stend.tomo.write("tooth", slices, format="dicom", pixel=0.0052)

docs/tomo.md has the conventions: axis order, the sign of angles, centres and units;
docs/tomo-files.md has the formats.
"""

from stend.tomo.anytime import Anytime
from stend.tomo.errors import (
    BadAngles,
    BadBuffer,
    BadOption,
    BadProjections,
    TomoError,
    TooLittleMemory,
)
from stend.tomo.native import algorithms, filters, variants
from stend.tomo.reading import read
from stend.tomo.reconstruction import reconstruct
from stend.tomo.reconstructor import Reconstructor
from stend.tomo.scan import Frames, Scan
from stend.tomo.scan_reconstruction import line_integrals, reconstruct_scan
from stend.tomo.volume import Volume

__all__ = [
    "Anytime",
    "BadAngles",
    "BadBuffer",
    "BadOption",
    "BadProjections",
    "Frames",
    "Reconstructor",
    "Scan",
    "TomoError",
    "TooLittleMemory",
    "Volume",
    "algorithms",
    "filters",
    "line_integrals",
    "read",
    "reconstruct",
    "reconstruct_scan",
    "variants",
]
    scan = stend.tomo.read("scan.h5")        a scan of any format; nothing large is read yet


from stend.tomo.reading import is_volume, read, read_volume
from stend.tomo.scan import Frames, Scan, StoredVolume
from stend.tomo.writing import FORMATS, WrittenVolume, open_volume, write

__all__ = [
    "FORMATS",
    "Frames",
    "Scan",
    "StoredVolume",
    "WrittenVolume",
    "is_volume",
    "open_volume",
    "read",
    "read_volume",
    "write",
]
