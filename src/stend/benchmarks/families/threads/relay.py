"""Passing a number back and forth between two threads: seconds per hop, half of a round trip.

On one CPU each hop is a context switch, with the calls that cause it (lmbench, McVoy and Staelin
1996, has them subtracted; `perf bench sched pipe` counts two hops as one operation). Between two
CPUs a hop wakes a sleeper, except for `spin`, which only moves a cache line.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import ALL, About, Case, benchmark
from stend.benchmarks.families.threads.conditions import (
    AFFINITY,
    LOAD,
    OF_AFFINITY,
    ROOMS,
    TIME,
    conditions_lack,
)
from stend.benchmarks.parameters import CPUS, Parameter, Size, choice, most_threads
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native

_PROOF = "Every hop must carry its number, and the other thread must have counted as many."
PLACES = ("same", "other", "any")

BOUND = Parameter(
    "bound: threads switch on one CPU only if they are bound to it",
    AFFINITY.parse,
    lambda machine, size: ("bound",),
)


def _bound(case: Case, machine: Machine) -> str | None:
    if case.affinity == "none":
        return "threads that are not bound seldom share a CPU; use --set affinity=bound."
    return conditions_lack(case, machine, threads=2)


def _switch_variants() -> Sequence["native.Variant"]:
    from stend import native

    return native.threads.switch_variants()


@benchmark(
    "threads.switch",
    question="How long does a context switch between two threads on one CPU take?",
    parameters={"load": LOAD, "affinity": BOUND},
    metric=TIME,
    work=lambda case: Work(operations=1),
    variants=_switch_variants,
    needs=_bound,
    about=About(
        work="one hop.",
        proof=_PROOF,
        bound="The system calls of a hop, and the scheduler.",
        reading="`yield` makes the fewest calls, so it is closest to the switch itself. Under "
        "load a hop of `yield` gives the CPU to the load for a time slice.",
        rooms=ROOMS,
    ),
)
def switch(case: Case) -> "native.Kernel":
    """One hop, on one CPU, by sched_yield, a pipe or a futex."""
    from stend import native

    return native.threads.switch("same", str(case.load), str(case.affinity), str(case.variant))


def _places(machine: Machine, size: Size) -> Sequence[str]:
    if size == "full":
        return PLACES
    return ("other",) if most_threads(machine) > 1 else ("same",)


def _consistent(case: Case) -> bool:
    """Bound threads have a place, and others none."""
    return bool((case.affinity == "bound") == (case.place != "any"))


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Two that spin on one CPU would tell how long they do before they give it away."""
    if not _consistent(case):
        return ()
    if size != "full":
        return ("pipe", "futex")
    every = [variant.name for variant in _ping_pong_variants()]
    return [name for name in every if name != "spin"] if case.place == "same" else (ALL,)


def _fits(case: Case, machine: Machine) -> str | None:
    if case.place not in PLACES:
        return f"there is no place {case.place!r}; use one of {', '.join(PLACES)}."
    if lacking := conditions_lack(case, machine, threads=2):
        return lacking
    if not _consistent(case):
        return (
            f"place={case.place} and affinity={case.affinity} contradict each other; use same or "
            "other with bound, and any with none."
        )
    if case.place == "other" and most_threads(machine) < 2:
        return "another CPU is needed, and this process may use 1; use --set place=same."
    return None


def _ping_pong_variants() -> Sequence["native.Variant"]:
    from stend import native

    return native.threads.ping_pong_variants()


@benchmark(
    "threads.ping_pong",
    question="How long does it take until another thread has what one hands to it?",
    parameters={
        "place": choice(
            "same (both threads on one CPU), other (each on its own) or any (with affinity=none: "
            "wherever the system puts them)",
            _places,
            depends=CPUS,
        ),
        "load": LOAD,
        "affinity": AFFINITY,
    },
    metric=TIME,
    work=lambda case: Work(operations=1),
    variants=_ping_pong_variants,
    takes=_takes,
    needs=_fits,
    about=About(
        work="one hop.",
        proof=_PROOF,
        bound="On one CPU, a context switch. To a sleeping thread on another CPU, its wake-up: an "
        "interrupt and the exit from idle. To a spinning one, the transfer of a cache line.",
        reading=f"`spin` compared with `futex` shows the cost of sleeping. {OF_AFFINITY}",
        rooms=ROOMS,
    ),
)
def ping_pong(case: Case) -> "native.Kernel":
    """One hop, half of a round trip."""
    from stend import native

    return native.threads.ping_pong(
        str(case.place), str(case.load), str(case.affinity), str(case.variant)
    )
