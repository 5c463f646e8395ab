"""STREAM as independent copies, one a CPU: each with arrays of its own, touched by nobody else.

Beside the threaded STREAM it shows what sharing arrays costs. One execution is all copies once;
within a batch no copy waits for another. Bytes are counted as STREAM counts them, for all
copies together.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.stream import BANDWIDTH, variants
from stend.definition import Case, benchmark
from stend.needs import cpus_lack, memory_lacks
from stend.parameters import four_last_caches_a_copy, up_to_a_copy_each
from stend.record import Machine, Work

if TYPE_CHECKING:
    from stend import native

PARAMETERS = {"copies": up_to_a_copy_each, "elements": four_last_caches_a_copy}


def _room_for_it(case: Case, machine: Machine) -> str | None:
    copies, elements = int(case.copies), int(case.elements)
    arrays = f"{copies} copies of three arrays of {elements} elements"
    return cpus_lack(copies, machine, "copies") or memory_lacks(
        arrays, 24 * copies * elements, machine, "elements=N"
    )


def _kernel(operation: str, case: Case) -> "native.Kernel":
    from stend import native

    return native.stream.copies(operation, case.elements, case.copies, str(case.variant))


@benchmark(
    "stream.copies.copy",
    question="How many bytes a second do independent copies of STREAM stream for c = a?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(bytes=16 * case.copies * case.elements),
    variants=variants,
    needs=_room_for_it,
    quick=False,
)
def copy(case: Case) -> "native.Kernel":
    """c[i] = a[i] in every copy."""
    return _kernel("copy", case)


@benchmark(
    "stream.copies.scale",
    question="How many bytes a second do independent copies of STREAM stream for b = s·c?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(
        bytes=16 * case.copies * case.elements, flops=case.copies * case.elements
    ),
    variants=variants,
    needs=_room_for_it,
    quick=False,
)
def scale(case: Case) -> "native.Kernel":
    """b[i] = s·c[i] in every copy."""
    return _kernel("scale", case)


@benchmark(
    "stream.copies.add",
    question="How many bytes a second do independent copies of STREAM stream for c = a + b?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(
        bytes=24 * case.copies * case.elements, flops=case.copies * case.elements
    ),
    variants=variants,
    needs=_room_for_it,
    quick=False,
)
def add(case: Case) -> "native.Kernel":
    """c[i] = a[i] + b[i] in every copy."""
    return _kernel("add", case)


@benchmark(
    "stream.copies.triad",
    question="How many bytes a second do independent copies of STREAM stream for a = b + s·c?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(
        bytes=24 * case.copies * case.elements, flops=2 * case.copies * case.elements
    ),
    variants=variants,
    needs=_room_for_it,
)
def triad(case: Case) -> "native.Kernel":
    """a[i] = b[i] + s·c[i] in every copy."""
    return _kernel("triad", case)
