"""Samples with known answers, by name: relative to 1, seeded by the caller."""

import numpy as np

from stend.statistics import Floats

Random = np.random.Generator


def correlated(random: Random, n: int, phi: float, deviation: float) -> Floats:
    """A stationary AR(1) series around 0."""
    from scipy import signal  # takes a second, of every process that collects tests

    noise = random.standard_normal(n) * deviation
    noise[1:] *= np.sqrt(1 - phi * phi)
    return signal.lfilter([1.0], [1.0, -phi], noise)


def normal(random: Random, n: int, deviation: float = 0.03) -> Floats:
    return 1 + deviation * random.standard_normal(n)


def log_normal(random: Random, n: int) -> Floats:
    return np.exp(0.1 * random.standard_normal(n))


def spiky(random: Random, n: int) -> Floats:
    spikes = np.where(random.random(n) < 0.01, 10 * random.exponential(size=n), 0)
    return normal(random, n, 0.003) + spikes


def minimum_and_exponential(random: Random, n: int) -> Floats:
    return 1 + 0.05 * random.exponential(size=n)


def bimodal(random: Random, n: int, weight: float = 0.15, distance: float = 0.3) -> Floats:
    return normal(random, n, 0.003) + distance * (random.random(n) < weight)


def drifting(random: Random, n: int) -> Floats:
    return normal(random, n, 0.01) + 0.1 * np.arange(n) / n


def stepping(random: Random, n: int) -> Floats:
    return normal(random, n, 0.01) + 0.05 * (np.arange(n) >= n // 3)


ONE_MODE = [normal, log_normal, spiky, minimum_and_exponential]
