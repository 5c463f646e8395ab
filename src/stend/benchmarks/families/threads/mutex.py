"""The cost of a mutex: each step alone, and locking and unlocking by several threads.

A step is far shorter than any clock's resolution. So it is done to 512 mutexes in the first-level
cache, one after the other, and the passes of that step add up to one timing. In a process of one
thread the C library locks without an atomic instruction; here there are always two.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.families.threads.conditions import (
    CONDITIONS,
    OF_AFFINITY,
    ROOMS,
    TIME,
    conditions_lack,
    usual,
)
from stend.benchmarks.needs import cpus_lack
from stend.benchmarks.parameters import Size, most_threads, up_to_all_cores
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native

STEPS = {
    "create": "making a mutex",
    "destroy": "destroying a mutex",
    "lock": "locking a mutex that nobody holds",
    "unlock": "unlocking a mutex that nobody waits for",
}


_BOUND = {
    "create": "A call and the stores that initialise a mutex.",
    "destroy": "A call.",
    "lock": "A locked instruction and a call.",
    "unlock": "A locked instruction and a call.",
}


def _step(step: str) -> None:
    """Register the benchmark of one step."""

    @benchmark(
        f"threads.mutex.{step}",
        question=f"How long does {STEPS[step]} take?",
        parameters=CONDITIONS,
        metric=TIME,
        work=lambda case: Work(operations=1),
        takes=usual("bound"),
        needs=lambda case, machine: conditions_lack(case, machine, threads=2),
        about=About(
            work="one step; a repetition makes passes over 512 mutexes.",
            proof="After every step each mutex must equal, byte for byte, one that went through "
            "the same calls.",
            bound=_BOUND[step],
            reading="Nanoseconds. Under load the value includes the time during which the thread "
            "had lost its CPU.",
            rooms=ROOMS,
        ),
    )
    def kernel(case: Case) -> "native.Kernel":
        """One repetition is as many passes as last long enough; the value is one step's share."""
        from stend import native

        return native.threads.mutex(step, str(case.load), str(case.affinity))


for _name in STEPS:
    _step(_name)


def enough_of_both(case: Case, machine: Machine) -> str | None:
    """Why there are too few CPUs for the threads, or no room for them beside the load, or None."""
    threads = int(case.threads)
    return cpus_lack(threads, machine) or conditions_lack(case, machine, threads, "threads")


def contended(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Quick: by as many threads as there are CPUs; what one takes is little more than its steps."""
    alone = size != "full" and case.threads != most_threads(machine)
    return () if alone else usual("bound")(case, machine, size)


@benchmark(
    "threads.mutex.lock_unlock",
    question="How long do locking and unlocking a mutex take that several threads want?",
    parameters={"threads": up_to_all_cores, **CONDITIONS},
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=contended,
    card=True,
    needs=enough_of_both,
    about=About(
        work="one lock and one unlock.",
        proof="Under the lock, threads add to a plain number; it loses additions if two threads "
        "are inside at once.",
        bound="For one thread, two locked instructions; for several, the transfers of the cache "
        "line from core to core, and the system calls of sleeping threads.",
        reading="The figure depends on the address of the mutex, so it differs between "
        f"processes. {OF_AFFINITY}",
        rooms=ROOMS,
    ),
)
def lock_unlock(case: Case) -> "native.Kernel":
    """The value is what one thread waits for one lock and unlock, while the others do the same."""
    from stend import native

    return native.threads.lock_unlock(int(case.threads), str(case.load), str(case.affinity))
