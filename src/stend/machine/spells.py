"""From what the watch saw to spells of disturbance: when each began, when it ended, how bad."""

from collections.abc import Callable, Iterator
from statistics import fmean, median
from typing import NamedTuple

from stend.machine.disturbances import disturbance
from stend.record import Disturbance, Numbers, Watched

STEAL = 0.02
"""Share of CPU time; on two CPUs one tick of a look of 0.1 s is 0.05."""

OTHERS = 0.25
"""Cores; the ticks that /proc counts in make about 0.1 of them uncertain in one look."""

SLOW = 0.9
"""Of the median frequency; less is more than the steps of a governor at rest."""

BRIDGE = 2
"""Looks apart that two disturbed ones may be and still belong to one spell."""


class Sign(NamedTuple):
    """What shows one kind of disturbance in one column."""

    kind: str
    column: str
    shows: Callable[[float], bool]
    said: Callable[[list[float]], str]


def spells(watched: Watched) -> tuple[Disturbance, ...]:
    """Every spell of disturbance, in the order of their beginnings."""
    found = [spell for sign in _signs(watched) for spell in _of(sign, watched)]
    return tuple(sorted(found, key=lambda d: (d.start or 0, d.kind)))


def _signs(watched: Watched) -> tuple[Sign, ...]:
    usual = _median(watched.mhz)
    return (
        Sign(
            "steal",
            "steal",
            lambda share: share >= STEAL,
            lambda shares: f"The hypervisor took {fmean(shares):.0%} of the CPU time.",
        ),
        Sign(
            "load",
            "others",
            lambda cores: cores >= OTHERS,
            lambda cores: f"Others kept {fmean(cores):.2g} cores busy.",
        ),
        Sign(
            "frequency",
            "mhz",
            lambda mhz: mhz < SLOW * usual,
            lambda mhz: f"The frequency fell to {min(mhz):.0f} MHz; its median is {usual:.0f} MHz.",
        ),
        Sign(
            "throttling",
            "throttles",
            lambda times: times > 0,
            lambda times: f"Heat slowed the processor down {sum(times):.0f} times.",
        ),
        Sign(
            "quota",
            "stops",
            lambda times: times > 0,
            lambda times: f"The CPU quota stopped the container {sum(times):.0f} times.",
        ),
    )


def _of(sign: Sign, watched: Watched) -> Iterator[Disturbance]:
    """A look tells of the time since the one before it, so a spell begins there."""
    column: Numbers = getattr(watched, sign.column)
    shown = [i for i, value in enumerate(column) if i and sign.shows(value)]
    for first, last in _runs(shown):
        values = [column[i] for i in shown if first <= i <= last]
        yield disturbance(
            sign.kind, sign.said(values), start=watched.at[first - 1], end=watched.at[last]
        )


def _runs(indices: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of each group of indices that are at most BRIDGE apart."""
    if not indices:
        return
    first = last = indices[0]
    for index in indices[1:]:
        if index - last > BRIDGE:
            yield first, last
            first = index
        last = index
    yield first, last


def _median(column: Numbers) -> float:
    known = [value for value in column if value == value]
    return median(known) if known else 0.0
