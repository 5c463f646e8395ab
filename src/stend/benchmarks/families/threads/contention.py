"""The cost of sharing between threads: a spinlock, a semaphore, a number, a cache line.

All threads make the same number of operations at the same time; the value is the time of one
operation of one thread. A single thread shows the cost without contention.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.families.threads.conditions import CONDITIONS, OF_AFFINITY, ROOMS, TIME, usual
from stend.benchmarks.families.threads.mutex import contended, enough_of_both
from stend.benchmarks.parameters import (
    CPUS,
    Size,
    most_threads,
    thread_counts,
    up_to_all_cores,
    whole,
)
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native


def _shared(
    name: str,
    question: str,
    make: Callable[[int, str, str], "native.Kernel"],
    proof: str,
    quick: bool = False,
) -> None:
    @benchmark(
        f"threads.{name}",
        question=question,
        parameters={"threads": up_to_all_cores, **CONDITIONS},
        metric=TIME,
        work=lambda case: Work(operations=1),
        takes=contended,
        quick=quick,
        needs=enough_of_both,
        about=About(
            work="one operation of one thread.",
            proof=proof,
            bound="For one thread, the locked instructions; for several, the transfers of the "
            "cache line from core to core.",
            reading="The figure depends on the line's address, so it differs between processes. "
            f"{OF_AFFINITY}",
            rooms=ROOMS,
        ),
    )
    def kernel(case: Case) -> "native.Kernel":
        """All threads begin together; each makes all operations of the repetition."""
        return make(int(case.threads), str(case.load), str(case.affinity))


def _spinlock(threads: int, load: str, affinity: str) -> "native.Kernel":
    from stend import native

    return native.threads.spinlock(threads, load, affinity)


def _semaphore(threads: int, load: str, affinity: str) -> "native.Kernel":
    """A thread posts before it waits, so that nobody ever sleeps."""
    from stend import native

    return native.threads.semaphore(threads, load, affinity)


def _atomic_add(threads: int, load: str, affinity: str) -> "native.Kernel":
    """Sequentially consistent, as std::atomic adds unless told otherwise."""
    from stend import native

    return native.threads.atomic_add(threads, load, affinity)


_shared(
    "spinlock",
    "How long do locking and unlocking a spinlock take that several threads want?",
    _spinlock,
    "Under the lock, threads add to a plain number; it loses additions if two threads are inside "
    "at once.",
)
_shared(
    "semaphore",
    "How long do a post and a wait take at a semaphore that several threads use?",
    _semaphore,
    "Posts and waits are counted, and the semaphore must be empty at the end.",
)
_shared(
    "atomic_add",
    "How long does adding to a number take that several threads add to?",
    _atomic_add,
    "The sum is the number of additions.",
    quick=True,
)


def several(machine: Machine, size: Size) -> Sequence[int]:
    """As `up_to_all_cores`, but two at least."""
    return sorted({max(2, count) for count in thread_counts(machine, size)})


def all_or_full(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """As `contended`, where there are always several."""
    fewer = size != "full" and case.threads != max(2, most_threads(machine))
    return () if fewer else usual("bound")(case, machine, size)


NEXT, FAR = 8, 128
"""Bytes: in the same cache line for sure, and in none that is fetched together."""


def _apart(machine: Machine, size: Size) -> Sequence[int]:
    return (8, 16, 32, 64, 128, 256) if size == "full" else (NEXT, FAR)


def _ends_under_load(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Where a line ends is told without a load; with one, whether it is shared at all."""
    between = case.load != "none" and case.apart not in (NEXT, FAR)
    return () if between else all_or_full(case, machine, size)


def _placed(case: Case, machine: Machine) -> str | None:
    if case.apart % 8:
        return f"numbers of 8 bytes can't be {case.apart} bytes apart; use a multiple of 8."
    return enough_of_both(case, machine)


@benchmark(
    "threads.false_sharing",
    question="How long does adding to a number of its own take a thread, near those of others?",
    parameters={
        "threads": whole("threads that add at the same time", several, 1, 1 << 16, CPUS),
        "apart": whole("bytes from one thread's number to the next", _apart, least=8, most=4096),
        **CONDITIONS,
    },
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=_ends_under_load,
    quick=False,
    needs=_placed,
    about=About(
        work="one addition of one thread.",
        proof="Each thread's sum is the number of its additions.",
        bound="Numbers close together share a cache line, which moves between cores. For numbers "
        "apart, the latency of a locked instruction.",
        reading="The distance at which it becomes fast is the processor's cache line, or two of "
        "them if it fetches pairs: keep data that threads write at least that far apart.",
        rooms=ROOMS,
    ),
)
def false_sharing(case: Case) -> "native.Kernel":
    """The additions are atomic, as counters that others may read are."""
    from stend import native

    return native.threads.false_sharing(
        int(case.threads), int(case.apart), str(case.load), str(case.affinity)
    )
