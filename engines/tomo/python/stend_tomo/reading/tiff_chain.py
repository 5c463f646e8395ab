"""The chain of a TIFF file's image descriptions (IFDs), walked to its end.

Libraries take a chain that is cut off, or that turns back on itself, for one that ends: a truncated
stack then has fewer projections, and nobody is told.
"""

import struct
from pathlib import Path
from typing import BinaryIO

from stend_tomo.reading.faults import fault

CLASSIC, BIG = 42, 43


def count_images(path: Path) -> int:
    """How many images a file describes (TIFF 6.0, section 2; BigTIFF: offsets of 64 bits).

    Raises:
        ScanFileError: the chain leads out of the file, or back into itself.
    """
    with path.open("rb") as file:
        order = "<" if file.read(2) == b"II" else ">"
        (version,) = _read(path, file, order + "H")
        if version == BIG:
            file.seek(4, 1)
        number, entry, offset = ("Q", 20, "Q") if version == BIG else ("H", 12, "I")
        (place,) = _read(path, file, order + offset)
        seen: set[int] = set()
        while place:
            if place in seen:
                raise fault(path, f"describes its images in a circle (at byte {place:,}).")
            seen.add(place)
            file.seek(place)
            (entries,) = _read(path, file, order + number)
            file.seek(entries * entry, 1)
            (place,) = _read(path, file, order + offset)
    return len(seen)


def _read(path: Path, file: BinaryIO, layout: str) -> tuple[int, ...]:
    data = file.read(struct.calcsize(layout))
    if len(data) < struct.calcsize(layout):
        raise fault(path, "is cut short: descriptions of images are missing.")
    return struct.unpack(layout, data)
