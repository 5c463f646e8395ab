"""Writing memory by several threads at once, after Golenkov et al. 2015, on memory access.

Each thread writes its own block, all at the same time, in three affinity modes: unbound threads,
threads distributed over the sockets, and threads that fill one socket first.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark, best_or_all
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import (
    MIB,
    Size,
    choice,
    most_threads,
    rounded_down,
    size_in_bytes,
    up_to_all_cores,
)
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

AFFINITIES = ("none", "scatter", "compact")
GOLENKOVS_BLOCK = 500_000_000


def _block(machine: Machine, size: Size) -> tuple[int, ...]:
    """Golenkov's, or what leaves half of the memory free when every CPU has a thread."""
    if size == "check":
        return (MIB,)
    room = (machine.memory_available or 1 << 30) // 2 // most_threads(machine)
    return (GOLENKOVS_BLOCK if room >= GOLENKOVS_BLOCK else max(4096, rounded_down(room)),)


def _fits(case: Case, machine: Machine) -> str | None:
    block, threads = int(case.block), int(case.threads)
    if case.affinity not in AFFINITIES:
        return f"there is no affinity {case.affinity!r}; use one of {', '.join(AFFINITIES)}."
    if block % 64:
        return (
            f"a block of {block} bytes is not a whole number of cache lines; use a multiple of 64."
        )
    return cpus_lack(threads, machine) or memory_lacks(
        f"{threads} blocks, one a thread", threads * block, machine, "block=BYTES"
    )


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """On one socket, scattered threads sit where compact ones do: a quick run leaves that out."""
    same = machine.packages == 1 and case.affinity == "scatter"
    return () if size == "quick" and same else best_or_all(size)


def _variants() -> Sequence["native.Variant"]:
    from stend import native

    return native.memory.write_variants()


@benchmark(
    "memory.write.parallel",
    question="How many bytes a second do threads write to memory, each a block of its own?",
    parameters={
        "threads": up_to_all_cores,
        "affinity": choice(
            "none (the system places the threads), scatter (round-robin over the sockets) or "
            "compact (one socket's cores first)",
            lambda machine, size: AFFINITIES,
        ),
        "block": size_in_bytes(
            "bytes that each thread writes; by default 500 MB, for all CPUs together at most half "
            "of the available memory",
            _block,
            least=4096,
            depends="the available memory where it is short",
            scales="memory",
        ),
    },
    metric=Metric(name="bandwidth", unit="B/s", better="higher"),
    work=lambda case: Work(bytes=case.threads * case.block),
    variants=_variants,
    takes=_takes,
    needs=_fits,
    about=About(
        work="the bytes of all threads' blocks.",
        proof="Each fill takes its seed from the last word of the previous fill of the same "
        "block, so one left out by any thread is detected ever after; at the end every word "
        "of every block is compared.",
        bound="The cache lines that each core can have in flight, up to the memory bus of "
        "each socket.",
        reading="Until one socket is full, `compact` shows that socket's memory alone. Without "
        "affinity the system may move threads away from their memory. If a block fits the "
        "last-level cache, the cache is measured instead of memory.",
        rooms=("native/kernels/memory",),
    ),
)
def write_parallel(case: Case) -> "native.Kernel":
    """One execution has every thread write its block once."""
    from stend import native

    return native.memory.write_parallel(
        case.block, case.threads, str(case.affinity), str(case.variant)
    )
