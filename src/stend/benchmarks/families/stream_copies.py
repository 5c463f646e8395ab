"""STREAM as independent copies, one per CPU, each with its own arrays.

Compared with the threaded STREAM it shows the cost of sharing arrays. One execution runs all copies
once; within a batch no copy waits for another. Bytes are counted as STREAM counts them, for all
copies together.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.definition import Case, benchmark
from stend.benchmarks.families.stream import BANDWIDTH, OPERATIONS, about, variants, work
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import four_last_caches_a_copy, up_to_a_copy_each
from stend.record import Machine

if TYPE_CHECKING:
    from stend import native

PARAMETERS = {"copies": up_to_a_copy_each, "elements": four_last_caches_a_copy}


def _room_for_it(case: Case, machine: Machine) -> str | None:
    copies, elements = int(case.copies), int(case.elements)
    arrays = f"{copies} copies of three arrays of {elements} elements"
    return cpus_lack(copies, machine, "copies") or memory_lacks(
        arrays, 24 * copies * elements, machine, "elements=N"
    )


def _copied(operation: str) -> None:
    """Register the benchmark of one operation."""

    @benchmark(
        f"stream.copies.{operation}",
        question="How many bytes a second do independent copies of STREAM stream for "
        f"{OPERATIONS[operation][0]}?",
        parameters=PARAMETERS,
        metric=BANDWIDTH,
        work=lambda case: work(operation, case.copies * case.elements),
        variants=variants,
        quick=operation == "triad",
        needs=_room_for_it,
        about=about(operation),
    )
    def kernel(case: Case) -> "native.Kernel":
        """One execution has every copy go through its arrays once."""
        from stend import native

        return native.stream.copies(operation, case.elements, case.copies, str(case.variant))


for _operation in OPERATIONS:
    _copied(_operation)
