"""Histograms of latencies: merged by adding bins, percentiles as fio defines them.

A percentile of several histograms is one of their sum, never the mean of theirs.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from stend.columns import Integers
from stend.loads import Histogram

Counts = npt.NDArray[np.int64]

COARSE_BITS = 3
"""8 bins an octave: what a bin is given is at most 1/16 beside the truth."""


def merged(histograms: Iterable[Histogram]) -> Histogram | None:
    """Add histograms of one kind; None if there are none, or of different kinds."""
    parts = list(histograms)
    if len({part.of for part in parts}) != 1:
        return None
    ns = np.concatenate([np.asarray(part.ns) for part in parts])
    counts = np.concatenate([np.asarray(part.counts) for part in parts])
    return of_bins(parts[0].of, *added(ns, counts))


def of_bins(of: str, ns: Counts, counts: Counts) -> Histogram:
    """Make a record of ascending bins."""
    columns = (Integers(np.ascontiguousarray(x, np.int64).tobytes()) for x in (ns, counts))
    return Histogram(of=of, ns=next(columns), counts=next(columns))  # type: ignore[arg-type]


def added(ns: Counts, counts: Counts) -> tuple[Counts, Counts]:
    """Sort bins, put those of one value together, and leave the empty ones out."""
    values, which = np.unique(ns, return_inverse=True)
    sums = np.zeros(len(values), np.int64)
    np.add.at(sums, which, counts)
    return values[sums != 0], sums[sums != 0]


def subtracted(later: Histogram, earlier: Histogram | None) -> tuple[Counts, Counts] | None:
    """Give the bins that came between two cumulative histograms.

    None if they can't be of one course: of two kinds, or a bin that became less.
    """
    ns, counts = np.asarray(later.ns), np.asarray(later.counts)
    if earlier is None:
        return ns, counts
    if earlier.of != later.of:
        return None
    both = np.concatenate([ns, np.asarray(earlier.ns)])
    ns, counts = added(both, np.concatenate([counts, -np.asarray(earlier.counts)]))
    return None if (counts < 0).any() else (ns, counts)


def coarsened(ns: Counts, counts: Counts) -> tuple[Counts, Counts]:
    """Put bins of fio's 64 an octave together to 8 an octave, each named by its middle."""
    return added(bin_value(ns, COARSE_BITS), counts)


def bin_value(ns: Counts, bits: int) -> Counts:
    """Give the value by which fio names the bin of 2^bits an octave that holds each value.

    stat.c, plat_val_to_idx and plat_idx_to_val: one bin a value up to two octaves, then the middle.
    """
    values = np.asarray(ns, np.int64)
    octave = np.frexp(np.maximum(values, 1).astype(np.float64))[1] - 1
    # Above 2^53 a float64 can round up to the next power of two.
    octave -= (np.int64(1) << np.minimum(octave, 62)) > np.maximum(values, 1)
    dropped = np.maximum(octave - bits, 0).astype(np.int64)
    return np.where(dropped > 0, (values >> dropped << dropped) + (1 << dropped >> 1), values)


def percentiles(histogram: Histogram, percents: Sequence[float]) -> list[float]:
    """Give percentiles in seconds, as fio does from the same bins (stat.c, calc_clat_percentiles).

    It is the first bin with which the sum reaches `percent / 100 · operations`, compared in
    C's long double as fio does. NaN where there are no operations.
    """
    sums = np.cumsum(np.asarray(histogram.counts))
    if not len(sums) or sums[-1] <= 0:
        return [float("nan")] * len(percents)
    wanted = np.array(percents, np.longdouble) / np.longdouble(100) * np.longdouble(int(sums[-1]))
    which = np.searchsorted(sums.astype(np.longdouble), wanted, side="left")
    ns = np.asarray(histogram.ns)[np.minimum(which, len(sums) - 1)]
    return [float(x) / 1e9 for x in ns]


def operations(histogram: Histogram) -> int:
    """How many operations it holds."""
    return int(np.sum(np.asarray(histogram.counts)))
