"""All steps of preparation with their settings, in their order, on a slab of a scan's rows.

1. zingers, in the counts; 2. flat and dark fields; 3. phase, in the transmission; 4. the logarithm;
5. stripes, in the line integrals: dead ones, then large ones, then the rest. Each step needs what
the one before made: zingers are told by counts of one pixel, stripes are constant after the
logarithm.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stend.tomo.errors import BadProjections
from stend.tomo.preparation.normalization import (
    LEAST_TRANSMISSION,
    Averaged,
    Mended,
    fields,
    minus_log,
    normalize,
)
from stend.tomo.preparation.paganin import Paganin, retrieve
from stend.tomo.preparation.slabs import floats_of
from stend.tomo.preparation.stripes import (
    remove_dead_stripes,
    remove_large_stripes,
    remove_stripes,
)
from stend.tomo.preparation.zingers import remove_zingers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend.tomo.scan import Scan


@dataclass(frozen=True)
class Preparation:
    """How counts become line integrals; `stend.tomo.reconstruct_scan` takes it as `prepare`."""

    zingers: float | None = None
    """The share by which a zinger is too bright (`remove_zingers`), in three or more flat fields as
    well; None: keep them."""
    fields_by: Averaged = "mean"
    """How flat and dark frames are averaged."""
    minimum: float = LEAST_TRANSMISSION
    """What transmission is limited to from below."""
    phase: Paganin | None = None
    """How to retrieve the phase; None: don't."""
    dead_stripes: int | None = None
    """Columns of the median of `remove_dead_stripes`; None: don't."""
    large_stripes: int | None = None
    """Columns of the median of `remove_large_stripes`; None: don't."""
    stripes: int | None = None
    """Columns of the median of `remove_stripes`; None: don't."""
    threads: int | None = None
    """As many as this process may use CPUs unless given."""

    def __call__(self, scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
        """Give line integrals of rows first … last - 1: (angles, rows, columns)."""
        return self.prepared(scan, first, last)[0]

    def prepared(self, scan: "Scan", first: int, last: int) -> "tuple[NDArray[np.float32], Mended]":
        """Give line integrals of rows first … last - 1, and what was mended in them.

        With phase retrieval, rows above and below are read as well.

        Raises:
            BadProjections: the scan has no flat fields, shapes don't fit, or counts are no numbers.
            BadOption: a setting can't be.
        """
        if scan.normalized:
            integrals, mended = floats_of(scan.projections.rows(first, last)).copy(), Mended()
        elif self.phase is None:
            integrals, mended = self._normalized(scan, first, last, logarithm=True)
        else:
            integrals, mended = self._with_phase(scan, first, last, self.phase)
        return self._without_stripes(integrals), mended

    def _with_phase(
        self, scan: "Scan", first: int, last: int, how: Paganin
    ) -> "tuple[NDArray[np.float32], Mended]":
        above = max(first - how.margin, 0)
        below = min(last + how.margin, scan.projections.shape[1])
        transmission, mended = self._normalized(scan, above, below, logarithm=False)
        retrieve(transmission, how, out=transmission, threads=self.threads)
        rows = np.ascontiguousarray(transmission[:, first - above : last - above])
        return minus_log(rows, minimum=self.minimum, out=rows, threads=self.threads), mended

    def _normalized(
        self, scan: "Scan", first: int, last: int, logarithm: bool
    ) -> "tuple[NDArray[np.float32], Mended]":
        if scan.flats is None:
            raise BadProjections(
                "The scan has no flat fields, images without the sample, to normalise by."
            )
        flats = scan.flats.rows(first, last)
        if len(flats) >= 3:
            flats, _ = self._without_zingers(flats)
        darks = None if scan.darks is None else scan.darks.rows(first, last)
        counts, replaced = self._without_zingers(scan.projections.rows(first, last))
        integrals, mended = normalize(
            counts,
            fields(flats, darks, by=self.fields_by),
            logarithm=logarithm,
            minimum=self.minimum,
            threads=self.threads,
        )
        return integrals, replace(mended, zingers=replaced)

    def _without_zingers(self, stored: "NDArray[Any]") -> "tuple[NDArray[Any], int]":
        if self.zingers is None:
            return stored, 0
        return remove_zingers(stored, self.zingers, threads=self.threads)

    def _without_stripes(self, integrals: "NDArray[np.float32]") -> "NDArray[np.float32]":
        if self.dead_stripes is not None:
            integrals = remove_dead_stripes(integrals, self.dead_stripes)
        if self.large_stripes is not None:
            remove_large_stripes(integrals, self.large_stripes, out=integrals, threads=self.threads)
        if self.stripes is not None:
            remove_stripes(integrals, self.stripes, out=integrals, threads=self.threads)
        return integrals
