"""How far two sets of figures overlap: those of A and of B in, the share of pairs won by B out."""

import numpy as np
import numpy.typing as npt

from stend.statistics.values import finite


def superiority(a: npt.ArrayLike, b: npt.ArrayLike) -> float | None:
    """The share of all pairs of one of `a` and one of `b` in which b's is larger, ties as half.

    Vargha and Delaney 2000, "A critique and improvement of the CL common language effect size
    statistics of McGraw and Wong": ½ where neither stands out, 1 where every b is above every a.
    None where a side has no value.
    """
    x, y = np.sort(finite(a)), finite(b)
    if min(len(x), len(y)) == 0:
        return None
    below = np.searchsorted(x, y, side="left") + np.searchsorted(x, y, side="right")
    return float(below.mean() / (2 * len(x)))
