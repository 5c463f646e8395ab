"""Creating, joining and chaining threads, after Golenkov et al. 2015.

Threads have the default attributes; the record has their stack size. A bound thread gets its CPU
through its attributes, which is part of creating it.
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
from stend.benchmarks.parameters import Size, choice, whole
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native

KEEPS = ("detached", "joined")
LONG = 15_000
"""Golenkov's chain."""
SHORT = 100
"""Of a chain whose threads each wait for a time slice of a load thread, 4 ms."""
FEW = 64
"""Detached threads of a chain that may be alive together: those that are about to end."""


_PROOF = "Threads count themselves, by number: each must have run exactly once."
_BOUND = (
    "A system call, a stack from the C library's cache and, if another CPU is woken for the "
    "thread, an interrupt."
)


def _one_thread(case: Case, machine: Machine) -> str | None:
    return conditions_lack(case, machine, threads=1)


@benchmark(
    "threads.create",
    question="How long does making a thread take?",
    parameters=CONDITIONS,
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=usual("none"),
    quick=False,  # threads.create_join tells nearly the same
    needs=_one_thread,
    about=About(work="one thread.", proof=_PROOF, bound=_BOUND, reading=OF_AFFINITY, rooms=ROOMS),
)
def create(case: Case) -> "native.Kernel":
    """One repetition is one pthread_create; the thread ends at once and is joined untimed.

    Published as "create one thread".
    """
    from stend import native

    return native.threads.create(str(case.load), str(case.affinity))


@benchmark(
    "threads.create_join",
    question="How long does making a thread that ends at once take, with waiting for its end?",
    parameters=CONDITIONS,
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=usual("none"),
    needs=_one_thread,
    about=About(
        work="one thread.",
        proof=_PROOF,
        bound=f"{_BOUND} Then its end wakes the thread that waits for it.",
        reading=f"This is the cost of a thread in a program without a thread pool. {OF_AFFINITY}",
        rooms=ROOMS,
    ),
)
def create_join(case: Case) -> "native.Kernel":
    """One repetition is one pthread_create and pthread_join.

    Published as "create and join one thread".
    """
    from stend import native

    return native.threads.create_join(str(case.load), str(case.affinity))


def _lengths(machine: Machine, size: Size) -> tuple[int, ...]:
    return {"quick": (LONG,), "full": (SHORT, 1000, LONG), "check": (SHORT,)}[size]


def _chain_takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Under load each thread may wait for a whole time slice, so long chains take minutes."""
    too_long = case.load != "none" and int(case.length) > SHORT
    return () if too_long else usual("none")(case, machine, size)


def _chain_fits(case: Case, machine: Machine) -> str | None:
    if case.keep not in KEEPS:
        return f"threads can't be kept {case.keep!r}; use one of {', '.join(KEEPS)}."
    length = int(case.length)
    alive = length if case.keep == "joined" else min(length, FEW)
    return conditions_lack(case, machine, alive, "length")


@benchmark(
    "threads.chain",
    question="How long does a thread take in a chain in which each makes the next?",
    parameters={
        "length": whole("threads in the chain", _lengths, most=1 << 22),
        "keep": choice(
            "detached (each thread ends after it has created the next) or joined (each waits for "
            "the end of the one that it created, so that all are alive together)",
            lambda machine, size: KEEPS,
        ),
        **CONDITIONS,
    },
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=_chain_takes,
    quick=False,
    needs=_chain_fits,
    about=About(
        work="one thread of the chain.",
        proof=f"{_PROOF} Every link counts itself.",
        bound=f"{_BOUND} Joined threads are all alive together, so each stack has to be mapped "
        "and protected.",
        reading=OF_AFFINITY,
        rooms=ROOMS,
    ),
)
def chain(case: Case) -> "native.Kernel":
    """One repetition is one chain; a thread's share of it is reported.

    Joined and 15,000 long it was published as "create and join one thread in a chain of 15000
    threads"; "until the last runs s" is a thread's share of the time until the last one ran.
    """
    from stend import native

    return native.threads.chain(
        int(case.length), str(case.keep), str(case.load), str(case.affinity)
    )
