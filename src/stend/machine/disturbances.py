"""What can disturb a measurement, when it did, and which repetitions it hit."""

from collections.abc import Callable, Iterator
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from stend.record import Conditions, Disturbance, Numbers, Sample, Watched

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ADVICE = {
    "load": "Stop other programs on this machine, or wait until they end (see `top`).",
    "processes": "Stop these processes, or leave cores free for them.",
    "steal": "The hypervisor gives the cores to other guests; use a dedicated machine, or compare "
    "only interleaved (`--versus`).",
    "hypervisor": "Other guests share caches and memory; expect noise, and compare only "
    "interleaved (`--versus`).",
    "governor": "Let the cores run at a steady frequency: `cpupower frequency-set -g performance`.",
    "turbo": "The frequency depends on temperature and on busy cores; switch turbo off in the "
    "firmware, or with `echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo` (Intel) or "
    "`echo 0 > /sys/devices/system/cpu/cpufreq/boost` (others).",
    "frequency": "Fix the frequency (governor, turbo) or improve the cooling, and measure again.",
    "throttling": "The processor throttles because of heat; improve the cooling, or let it cool "
    "before measuring.",
    "swap": "Free memory, then empty the swap with `swapoff -a && swapon -a`.",
    "memory": "Free memory, or measure with smaller arrays: a shortage makes the OS reclaim pages.",
    "quota": "The container's CPU quota interrupts its processes; raise it, or use fewer threads "
    "than it allows.",
    "smt": "Two threads on one core share it; use one thread per core (`taskset -c`), or switch "
    "SMT off with `echo off > /sys/devices/system/cpu/smt/control`.",
    "huge pages": "Let programs choose: `echo madvise > "
    "/sys/kernel/mm/transparent_hugepage/enabled`.",
    "battery": "Plug the machine in: on battery the firmware saves power.",
    "clock": "Reading the time is slow and coarse; select the counter with `echo tsc > "
    "/sys/devices/system/clocksource/clocksource0/current_clocksource`, if the kernel trusts it.",
}
"""Kind → advice; the kinds are `Disturbance.kind`."""


def disturbance(
    kind: str, said: str, start: int | None = None, end: int | None = None
) -> Disturbance:
    """A disturbance with its kind's advice; `start` and `end` are CLOCK_MONOTONIC ns."""
    return Disturbance(kind=kind, said=said, advice=ADVICE[kind], start=start, end=end)


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
            lambda cores: f"Other programs kept {fmean(cores):.2g} cores busy.",
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
