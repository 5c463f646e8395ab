"""Which repetitions of a sample were made while something disturbed the machine."""

from typing import TYPE_CHECKING

from stend.record import Conditions, Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def disturbed(sample: Sample, conditions: Conditions) -> "NDArray[np.bool_]":
    """True for each repetition whose time overlaps a disturbance seen during the run.

    Returns one bool a repetition. A disturbance without beginning and end (one that was
    there throughout) marks nothing: it does not tell one repetition from another.
    """
    import numpy as np

    nanoseconds = 1e9 / sample.hz
    begun = sample.origin + np.asarray(sample.started, dtype=np.float64) * nanoseconds
    ended = begun + np.asarray(sample.ticks, dtype=np.float64) * nanoseconds
    marked = np.zeros(begun.shape, dtype=np.bool_)
    for spell in conditions.during:
        if spell.start is not None and spell.end is not None:
            marked |= (begun < spell.end) & (ended > spell.start)
    return marked
