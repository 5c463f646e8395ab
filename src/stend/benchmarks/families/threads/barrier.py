"""The cost of a barrier, at which all threads wait for each other.

`pthread` is the system's barrier, at which early threads sleep. `spin` is a sense-reversing counter
(Mellor-Crummey and Scott 1991), at which threads poll and yield the CPU now and then: under load,
the thread they wait for may need it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import ALL, About, Case, benchmark
from stend.benchmarks.families.threads.conditions import CONDITIONS, OF_AFFINITY, ROOMS, TIME
from stend.benchmarks.families.threads.contention import all_or_full, several
from stend.benchmarks.families.threads.mutex import enough_of_both
from stend.benchmarks.parameters import CPUS, Size, whole
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native


def _variants() -> Sequence["native.Variant"]:
    from stend import native

    return native.threads.barrier_variants()


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    if not all_or_full(case, machine, size):
        return ()
    return (ALL,) if size == "full" else ("pthread",)


@benchmark(
    "threads.barrier",
    question="How long does it take until all threads have met at a barrier?",
    parameters={
        "threads": whole("threads that meet", several, 2, 1 << 16, CPUS),
        **CONDITIONS,
    },
    metric=TIME,
    work=lambda case: Work(operations=1),
    variants=_variants,
    takes=_takes,
    quick=False,
    needs=enough_of_both,
    about=About(
        work="one meeting.",
        proof="Each time the barrier must single out exactly one thread; at the end every thread "
        "publishes its position before the barrier and checks those of the others after it.",
        bound="`pthread`: waking sleepers on other CPUs. `spin`: transfers of a cache line.",
        reading=f"This is the cost at the end of a parallel loop. {OF_AFFINITY}",
        rooms=ROOMS,
    ),
)
def barrier(case: Case) -> "native.Kernel":
    """The value is the time from one barrier to the next."""
    from stend import native

    return native.threads.barrier(
        int(case.threads), str(case.load), str(case.affinity), str(case.variant)
    )
