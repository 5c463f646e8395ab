"""STREAM (McCalpin 1995): sustainable memory bandwidth of four simple vector operations.

Bytes are counted as STREAM counts them: those that the operation reads and writes, without the line
that an ordinary store reads before it writes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark, best_or_all
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import Size, four_last_caches, most_threads, up_to_all_cores
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

PARAMETERS = {"threads": up_to_all_cores, "elements": four_last_caches}
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")


def variants() -> Sequence["native.Variant"]:
    """Plain and non-temporal stores, slowest first."""
    from stend import native

    return native.stream.variants()


def room_for_it(case: Case, machine: Machine) -> str | None:
    """Why so many threads or three such arrays don't fit, or None."""
    arrays = f"three arrays of {case.elements} elements"
    return cpus_lack(int(case.threads), machine) or memory_lacks(
        arrays, 24 * int(case.elements), machine, "elements=N"
    )


OPERATIONS = {
    "copy": ("c = a", 16, None),
    "scale": ("b = s·c", 16, 1),
    "add": ("c = a + b", 24, 1),
    "triad": ("a = b + s·c", 24, 2),
}
"""What each computes, and for an element how many bytes it moves and operations it makes."""


def work(operation: str, elements: int) -> Work:
    """Of so many elements of each array."""
    _, moved, made = OPERATIONS[operation]
    return Work(bytes=moved * elements, flops=made and made * elements)


def about(operation: str) -> About:
    """Of an operation, threaded or as copies."""
    _, moved, made = OPERATIONS[operation]
    counted = f"{moved} bytes" + (f" and {made} floating-point operations" if made else "")
    return About(
        work=f"{counted} per element of the arrays.",
        proof="The arrays swap roles and the scalar changes with each repetition, so a repetition "
        "left out, or an element missed, is detected ever after. All values are exact and "
        "compared bit for bit: some places after every batch, every element of all arrays "
        "at the end.",
        bound="Memory: on one core, the cache lines that it can have in flight; on all cores, the "
        "bus. Ordinary stores (`plain`) also read each line before they write it, which is "
        "not counted.",
        reading="Compare triad on all cores with the theoretical bandwidth of the modules. If it "
        "is far below, a module may be missing, only one memory node may be in use, or "
        "pages may be on the wrong node.",
        rooms=("native/kernels/stream",),
    )


def _threaded(operation: str) -> None:
    """Register the benchmark of one operation."""

    def takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
        """Quick: what one thread reaches, triad tells."""
        told = operation != "triad" and case.threads != most_threads(machine)
        return () if size == "quick" and told else best_or_all(size)

    @benchmark(
        f"stream.{operation}",
        question=f"How many bytes a second does memory stream for {OPERATIONS[operation][0]}?",
        parameters=PARAMETERS,
        metric=BANDWIDTH,
        work=lambda case: work(operation, case.elements),
        variants=variants,
        takes=takes,
        card=operation == "triad",
        needs=room_for_it,
        about=about(operation),
    )
    def kernel(case: Case) -> "native.Kernel":
        """One execution goes through the arrays once."""
        from stend import native

        return native.stream.kernel(operation, case.elements, case.threads, str(case.variant))


for _operation in OPERATIONS:
    _threaded(_operation)
