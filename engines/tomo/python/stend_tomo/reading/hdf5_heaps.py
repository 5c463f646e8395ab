"""A file for the HDF5 library that lets no endless heap through.

Texts of any length lie in global heap collections. The library (2.0) walks a collection from object
to object by their sizes, and never returns from one whose size leads nowhere. So each collection is
walked here before the library sees it ("HDF5 File Format Specification", version 3.0, III.E).
"""

import io
import os
import struct
from typing import Any

COLLECTION = b"GCOL"
HEADER = 16
"""Bytes before the first object of a collection, and before the data of each object."""
EIGHT = 8
"""What an object's size is rounded up to."""


class Guarded(io.FileIO):
    """A file of which the library reads by `readinto`: a collection from its beginning on."""

    def readinto(self, buffer: Any) -> int:
        """Read as a file does.

        Raises:
            ValueError: what was read begins a collection with an object that can't be.
        """
        place = self.tell()
        count = super().readinto(buffer) or 0
        begins = bytes(memoryview(buffer).cast("B")[:HEADER])
        if count >= HEADER and begins.startswith(COLLECTION):
            self._walk(place, struct.unpack_from("<Q", begins, EIGHT)[0])
        return count

    def _walk(self, place: int, size: int) -> None:
        end = place + size
        place += HEADER
        while place + HEADER <= end:
            header = os.pread(self.fileno(), HEADER, place)
            if len(header) < HEADER:
                return  # cut short, which the library finds
            index, length = struct.unpack("<H6xQ", header)
            step = HEADER + -(-length // EIGHT) * EIGHT if index else length
            if not 0 < step <= end - place:
                raise ValueError("a heap of texts holds an object of an impossible size")
            place += step
