"""What a preparation mends in all rows that it is called for, in whichever thread."""

import threading
from typing import TYPE_CHECKING

from stend_tomo.preparation.normalization import Mended

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo.preparation.steps import Preparation
    from stend_tomo.scan import Scan


class Tally:
    """A preparation that adds up what it mends, to be given as `prepare` in its place.

    Rows that are prepared alone and then in a slab count once; with phase retrieval, the rows
    around each slab count with it.
    """

    def __init__(self, prepare: "Preparation") -> None:
        """Begin at nothing."""
        self._prepare = prepare
        self._lock = threading.Lock()
        self._mended: dict[tuple[int, int], Mended] = {}

    def __call__(self, scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
        """Give line integrals of rows first … last - 1."""
        integrals, mended = self._prepare.prepared(scan, first, last)
        with self._lock:
            others = {
                rows: before
                for rows, before in self._mended.items()
                if not first <= rows[0] < rows[1] <= last
            }
            self._mended = others | {(first, last): mended}
        return integrals

    def bytes(self, scan: "Scan", rows: int) -> int:
        """Give what preparing so many rows takes at its height."""
        return self._prepare.bytes(scan, rows)

    @property
    def mended(self) -> Mended:
        """What was mended so far."""
        with self._lock:
            slabs = list(self._mended.values())
        return Mended(
            dead=sum(slab.dead for slab in slabs),
            limited=sum(slab.limited for slab in slabs),
            zingers=sum(slab.zingers for slab in slabs),
        )
