"""How alike neighbouring repetitions are, and how many independent ones they are worth."""

import numpy as np
import numpy.typing as npt

from stend.statistics.values import Floats, finite

_FEWEST = 32
"""Below this the estimate is only noise, and the values are taken as independent."""
_WINDOW = 5.0
"""Sokal's c: the sum ends at the first lag of at least c·τ."""


def autocorrelation_time(values: npt.ArrayLike) -> float:
    """Integrated autocorrelation time τ ≥ 1 of sign(x - median): what the median's error needs.

    τ = 1 + 2 Σ ρ(k), summed up to the first lag k ≥ 5τ (Sokal 1997, "Monte Carlo Methods in
    Statistical Mechanics", section 3); the bias that subtracting the sample's own mean puts
    into ρ is taken out to first order (Wolff 2004, "Monte Carlo errors with less errors",
    equation 49). 1 for fewer than 32 values and for constant ones. Cost: one FFT.
    """
    x = finite(values)
    n = len(x)
    if n < _FEWEST:
        return 1.0
    signs = np.sign(x - np.median(x))
    signs -= signs.mean()
    power = float(signs @ signs)
    if power == 0.0:
        return 1.0
    sums = 1 + 2 * np.cumsum(_autocovariance(signs)[1:] / power)
    lags = np.arange(1, len(sums) + 1)
    far = np.flatnonzero(lags >= _WINDOW * sums)
    window = int(far[0]) if len(far) else len(sums) - 1
    tau = float(sums[window]) * (1 + (2 * window + 3) / n)
    return max(1.0, tau)


def _autocovariance(x: Floats) -> Floats:
    """Sums of x[i]·x[i + k] over i, for lags k up to half the length (Wiener–Khinchin theorem).

    Padding to one and a half times the length is enough for these: what wraps around lies
    beyond. A size of 2^a or 3·2^a transforms quickly.
    """
    power = 1 << (3 * len(x) // 2).bit_length()
    size = power if 3 * power // 4 < 3 * len(x) // 2 else 3 * power // 4
    spectrum = np.fft.rfft(x, size)
    covariance: Floats = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, size)[: len(x) // 2]
    return covariance
