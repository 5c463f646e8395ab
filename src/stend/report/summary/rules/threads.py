"""Cores that give little together: the speed-up of arithmetic over threads, where it is poor."""

from collections.abc import Iterator

from stend.comparing.limits import cores_of, threads_of
from stend.record import Machine
from stend.report.measured import Measured
from stend.report.quantities import counted, share_in_words
from stend.report.summary.figures import Figures, alike, but_for, shown, times
from stend.report.summary.finding import Finding
from stend.report.summary.rules.limits import is_large

_POOR = 0.6
"""Of the number of cores. With all of them busy a processor may clock at two thirds of what one
core reaches alone, and its small cores do about half of what the large ones do."""
_OF_MATRICES = {"linpack.lu", "linpack.sweep", "linpack.level3"}


def poor_scaling(figures: Figures) -> Iterator[Finding]:
    """Arithmetic on the most threads surely gains less than 0.6 times the number of their cores.

    Only of work that shares nothing: chains in registers, large matrices in blocks, ciphers whose
    messages lie in caches. What streams from memory is bounded by the memory, which one core may
    nearly fill. Hardware threads of one core count as one, cores beyond a container's quota as
    none, and where it is unknown which threads share a core nothing is told.
    """
    machine = figures.run.machine
    computing = [m for m in figures.measured if _computes(m, figures)]
    for group in alike(computing, lambda m: but_for(m, "threads")):
        ordered = sorted(group, key=lambda m: threads_of(m.case))
        one, most = ordered[0], ordered[-1]
        cores = _cores(most, machine)
        if threads_of(one.case) != 1 or cores is None or cores < 2:
            continue
        found = times(one, most)
        if found.high is not None and found.high < _POOR * cores:
            gain = most.estimate.value / one.estimate.value
            threads = threads_of(most.case)
            yield Finding(
                f"{counted(threads, 'threads')} on {cores:g} cores are only {gain:.2f} times as "
                f"fast as one, {share_in_words(gain / cores)} of what the cores could be: "
                f"{figures.name(most)}, {shown(most)} beside {shown(one)}.{_hidden(machine)}",
                most.index,
                _POOR * cores / found.high,
            )


def _computes(m: Measured, figures: Figures) -> bool:
    """Whether nothing but the cores bounds it, so that twice as many do twice as much."""
    benchmark = m.case.benchmark
    if benchmark in _OF_MATRICES:
        return is_large(m)
    if benchmark.startswith("gost."):
        touched, caches = m.case.work.bytes, figures.limits.caches
        return touched is not None and caches is not None and touched <= caches
    return benchmark.startswith("peak.")


def _cores(m: Measured, machine: Machine) -> float | None:
    """How many cores' work the threads of a case could do; None where it is unknown."""
    cores = cores_of(m.case, machine)
    return None if cores is None else min(cores, machine.cpu_limit or cores)


def _hidden(machine: Machine) -> str:
    """A hypervisor may tell of cores that are hardware threads of one."""
    if machine.virtualisation in (None, "none"):
        return ""
    return " What this virtual machine has for cores may be threads that share one of the host."
