"""Waking threads that are blocked on a condition variable, after Golenkov et al. 2015.

The condition becomes true under the mutex, which is released before the signal. A thread counts as
woken when it holds the mutex and has read the clock.
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
from stend.benchmarks.parameters import Size, whole
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native


_PROOF = "Every sleeping thread counts its wake-ups; all of them are blocked before each signal."


def _blocked(machine: Machine, size: Size) -> Sequence[int]:
    return {"quick": (100, 1000), "full": (100, 200, 500, 1000), "check": (10,)}[size]


def _fits(case: Case, machine: Machine) -> str | None:
    return conditions_lack(case, machine, int(case.blocked), "blocked")


PARAMETERS = {
    "blocked": whole("threads that are blocked on the condition variable", _blocked, most=1 << 22),
    **CONDITIONS,
}


@benchmark(
    "threads.wake.one",
    question="How long does it take to have one of many blocked threads run?",
    parameters=PARAMETERS,
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=usual("none"),
    needs=_fits,
    about=About(
        work="one wake-up.",
        proof=_PROOF,
        bound="A system call and, if another CPU is woken, an interrupt and the exit from idle.",
        reading=f"The number of blocked threads should matter little. {OF_AFFINITY}",
        rooms=ROOMS,
    ),
)
def wake_one(case: Case) -> "native.Kernel":
    """One repetition goes from pthread_cond_signal until the woken thread runs."""
    from stend import native

    return native.threads.wake_one(int(case.blocked), str(case.load), str(case.affinity))


@benchmark(
    "threads.wake.all",
    question="How long does it take to have all of many blocked threads run?",
    parameters=PARAMETERS,
    metric=TIME,
    work=lambda case: Work(operations=case.blocked),
    takes=usual("none"),
    needs=_fits,
    about=About(
        work="the wake-up of all of them; the value is the total time, not per thread.",
        proof=_PROOF,
        bound="A wake-up for each thread, one after the other, because each needs the mutex.",
        reading=f"It grows with the number of blocked threads. {OF_AFFINITY}",
        rooms=ROOMS,
    ),
)
def wake_all(case: Case) -> "native.Kernel":
    """One repetition goes from pthread_cond_broadcast until the last of them has run.

    Published as "wake a blocked thread (100 threads)", 200, 500 and 1000: those times grow as the
    number of threads does, so they are of waking them all.
    """
    from stend import native

    return native.threads.wake_all(int(case.blocked), str(case.load), str(case.affinity))
