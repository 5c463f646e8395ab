"""A case's repetitions → how far its processes were from their own faster times, as a logarithm.

A neighbour on the other hardware thread slows what it meets, comes and goes within a process, and
can meet all processes of a run alike: they agree then, and only their repetitions show it.
"""

from collections.abc import Iterable
from math import log
from statistics import median

from stend.comparing.values import Values
from stend.record import Metric
from stend.statistics import middle, within

FASTER = 0.1
"""The share of a process's repetitions that are as fast as this or faster."""
_FEWEST = 5
"""Repetitions of a process that have such a share."""


def unrest(processes: Iterable[Values], metric: Metric) -> float:
    """From the faster repetitions of a process to its median, as a logarithm: the middle process.

    0 where no process has repetitions enough to tell, or where values aren't positive.
    """
    share = 1 - FASTER if metric.better == "higher" else FASTER
    ends = [(within(v, share), middle(v)) for v in processes if len(v) >= _FEWEST]
    told = [abs(log(usual / faster)) for faster, usual in ends if min(usual, faster) > 0]
    return median(told) if told else 0.0
