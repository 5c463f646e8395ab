"""What all benchmarks of threads share: the metric, and two conditions, load and affinity.

Load threads compute in registers while something else is measured: none, as many as half of the
CPUs that this process may use, as many as all of them, twice as many. With affinity=bound each
measuring thread is on its own CPU, one per core first, and the load threads are distributed over
the CPUs; with none the system places all of them.
"""

from collections.abc import Sequence

from stend.benchmarks.definition import Case, Takes, best_or_all
from stend.benchmarks.needs import memory_lacks, threads_lack
from stend.benchmarks.parameters import Size, choice, most_threads
from stend.record import Machine, Metric

TIME = Metric(name="time", unit="s", better="lower")
ROOMS = ("native/kernels/threads",)
OF_AFFINITY = (
    "Compare `affinity=bound` with `none`, and, with `--full`, a load with none: a new or woken "
    "thread may wait for a whole time slice of a load thread."
)
IN_THE_KERNEL = 24 << 10
"""Bytes of a thread's kernel stack and of what describes it."""
PAGES = 4
"""That a thread touches; with those bytes 40 KiB, and 33 were measured of 15,000 threads."""
LOADS = ("none", "half", "all", "twice")
AFFINITIES = ("none", "bound")

LOAD = choice(
    "threads that compute meanwhile: none, half (half as many as CPUs), all (as many as CPUs) or "
    "twice (twice as many)",
    lambda machine, size: LOADS if size == "full" else ("none",),
)
AFFINITY = choice(
    "none (the system places the threads) or bound (each measuring thread has its own CPU)",
    lambda machine, size: AFFINITIES,
)
CONDITIONS = {"load": LOAD, "affinity": AFFINITY}
"""To be put behind a benchmark's own parameters."""


def load_threads(load: str, machine: Machine) -> int:
    """How many threads the load is; as `load_threads` in native/ground/team/load.h."""
    cpus = most_threads(machine)
    return {"none": 0, "half": max(1, cpus // 2), "all": cpus, "twice": 2 * cpus}[load]


def usual(affinity: str) -> Takes:
    """Which conditions are measured by default: of a quick run, this affinity without load.

    On one CPU, half of the CPUs are all of them, and binding tells nothing new.
    """

    def takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
        one_cpu = most_threads(machine) == 1
        if size != "full" and case.affinity != ("none" if one_cpu else affinity):
            return ()
        same = case.load == "half" or case.affinity == "bound"
        return () if one_cpu and same else best_or_all(size)

    return takes


def conditions_lack(
    case: Case, machine: Machine, threads: int, smaller: str | None = None
) -> str | None:
    """Why so many threads beside the load can't be had under these conditions, or None.

    `smaller` is the parameter that makes them fewer.
    """
    for name, words in (("load", LOADS), ("affinity", AFFINITIES)):
        if (word := case.parameters[name]) not in words:
            return f"there is no {name} {word!r}; use one of {', '.join(words)}."
    wanted = threads + load_threads(str(case.load), machine)
    lacking = threads_lack(wanted, machine, smaller)
    if lacking or smaller is None:
        return lacking
    return memory_lacks(
        f"{threads} threads at a time",
        threads * (IN_THE_KERNEL + PAGES * (machine.page_bytes or 4096)),
        machine,
        f"{smaller}=N",
    )
