"""All steps of preparation with their settings, in their order, on a slab of a scan's rows.

1. zingers, in the counts; 2. flat and dark fields; 3. phase, in the transmission; 4. the logarithm;
5. stripes, in the line integrals: dead ones, then large ones, then the rest. Each step needs what
the one before made: zingers are told by counts of one pixel, stripes are constant after the
logarithm.
"""

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.errors import BadProjections
from stend_tomo.preparation.normalization import (
    LEAST_TRANSMISSION,
    Averaged,
    Fields,
    Mended,
    fields,
    minus_log,
    normalize,
    remove_zingers,
)
from stend_tomo.preparation.paganin import Paganin, bytes_retrieving, retrieve
from stend_tomo.preparation.slabs import counted_in, floats_of
from stend_tomo.preparation.stripes import (
    bytes_removing,
    remove_dead_stripes,
    remove_large_stripes,
    remove_stripes,
)
from stend_tomo.validation import checked_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo.scan import Frames, Scan

AT_ONCE = 4
"""Rows a thread that stripes are removed from at once, so that Ctrl-C is heard in between and
copies are of few rows."""
FIELDS, FIELD = 48, 9
"""Bytes a pixel that making a slab's fields takes at its height, and that they take then."""


@dataclass(frozen=True)
class Preparation:
    """How counts become line integrals; `stend_tomo.reconstruct_scan` takes it as `prepare`."""

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
            integrals, mended = self._stored(scan, first, last), Mended()
        elif self.phase is None:
            integrals, mended = self._normalized(scan, first, last, logarithm=True)
        else:
            integrals, mended = self._with_phase(scan, first, last, self.phase)
        self._remove_stripes(integrals)
        return integrals, mended

    def bytes(self, scan: "Scan", rows: int) -> int:
        """Give what preparing so many rows takes at its height, with the rows as stored."""
        angles, of, columns = scan.projections.shape
        row = 4 * angles * columns
        if scan.normalized:
            height = (scan.projections.dtype.itemsize + 4) * angles * columns * rows
        elif self.phase is None:
            height = self._bytes_normalizing(scan, rows)
        else:
            around = min(rows + 2 * self.phase.margin, of)
            retrieving = bytes_retrieving(around, columns, self.phase)
            beside = row * around + max(retrieving, row * rows)
            height = max(self._bytes_normalizing(scan, around), beside)
        if not self._stripes_asked_for:
            return height
        threads = checked_threads(self.threads)
        at_once = min(rows, AT_ONCE * threads)
        return max(height, row * rows + bytes_removing(angles, at_once, columns, threads))

    def _bytes_normalizing(self, scan: "Scan", rows: int) -> int:
        angles, _, columns = scan.projections.shape
        frames = sum(kind.shape[0] for kind in (scan.flats, scan.darks) if kind is not None)
        stored, counts = scan.projections.dtype.itemsize, counted_in(scan.projections.dtype)
        converted = 0 if counts == scan.projections.dtype else counts.itemsize
        kept = counts.itemsize if self.zingers is not None else 0
        made = max(stored + converted + kept, stored + converted + 4 if not kept else kept + 4)
        fields_made = frames * (stored + converted + kept) + FIELDS
        return columns * rows * max(fields_made, angles * made + FIELD)

    def _stored(self, scan: "Scan", first: int, last: int) -> "NDArray[np.float32]":
        """Give line integrals that are there, to be written to where stripes are removed."""
        stored = scan.projections.rows(first, last)
        integrals = floats_of(stored, first_row=first)
        converted = integrals.dtype != stored.dtype
        own = integrals.flags.owndata and (converted or not self._stripes_asked_for)
        return integrals if own else integrals.copy()

    def _with_phase(
        self, scan: "Scan", first: int, last: int, how: Paganin
    ) -> "tuple[NDArray[np.float32], Mended]":
        above = max(first - how.margin, 0)
        below = min(last + how.margin, scan.projections.shape[1])
        transmission, mended = self._normalized(scan, above, below, logarithm=False)
        retrieve(transmission, how, out=transmission, threads=self.threads)
        rows = np.ascontiguousarray(transmission[:, first - above : last - above])
        del transmission
        return minus_log(rows, minimum=self.minimum, out=rows, threads=self.threads), mended

    def _normalized(
        self, scan: "Scan", first: int, last: int, logarithm: bool
    ) -> "tuple[NDArray[np.float32], Mended]":
        if scan.flats is None:
            raise BadProjections(
                "The scan has no flat fields (images without the sample) to normalise by."
            )
        field = self._field(scan.flats, scan.darks, first, last)
        counts, replaced = self._without_zingers(scan.projections.rows(first, last))
        integrals, mended = normalize(
            counts,
            field,
            logarithm=logarithm,
            minimum=self.minimum,
            threads=self.threads,
            first_row=first,
        )
        return integrals, replace(mended, zingers=replaced)

    def _field(self, flats: "Frames", darks: "Frames | None", first: int, last: int) -> Fields:
        bright = flats.rows(first, last)
        if len(bright) >= 3:
            bright, _ = self._without_zingers(bright)
        dark = None if darks is None else darks.rows(first, last)
        return fields(bright, dark, by=self.fields_by, first_row=first)

    def _without_zingers(self, stored: "NDArray[Any]") -> "tuple[NDArray[Any], int]":
        if self.zingers is None:
            return stored, 0
        return remove_zingers(stored, self.zingers, threads=self.threads)

    @property
    def _stripes_asked_for(self) -> bool:
        return any(
            window is not None for window in (self.dead_stripes, self.large_stripes, self.stripes)
        )

    def _remove_stripes(self, integrals: "NDArray[np.float32]") -> None:
        """Write back what is left without stripes."""
        step = AT_ONCE * checked_threads(self.threads)
        for first in range(0, integrals.shape[1] if self._stripes_asked_for else 0, step):
            rows = integrals[:, first : first + step]
            if self.dead_stripes is not None:
                remove_dead_stripes(rows, self.dead_stripes, out=rows)
            if self.large_stripes is not None:
                remove_large_stripes(rows, self.large_stripes, out=rows, threads=self.threads)
            if self.stripes is not None:
                remove_stripes(rows, self.stripes, out=rows, threads=self.threads)


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
