"""STREAM (McCalpin 1995): sustainable memory bandwidth of four simple vector operations.

Bytes are counted as STREAM counts them: what the operation reads and writes, without the
read of a line that an ordinary store causes before it writes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.definition import Case, benchmark
from stend.needs import cpus_lack, memory_lacks
from stend.parameters import Size, four_last_caches, most_threads, up_to_all_cores
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


def _all_threads_tell(case: Case, machine: Machine, size: Size) -> bool:
    """Quick: what one thread reaches, triad tells."""
    return size != "quick" or bool(case.threads == most_threads(machine))


def _kernel(operation: str, case: Case) -> "native.Kernel":
    from stend import native

    return native.stream.kernel(operation, case.elements, case.threads, str(case.variant))


@benchmark(
    "stream.copy",
    question="How many bytes a second does memory stream for c = a?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(bytes=16 * case.elements),
    variants=variants,
    wanted=_all_threads_tell,
    needs=room_for_it,
)
def copy(case: Case) -> "native.Kernel":
    """c[i] = a[i]."""
    return _kernel("copy", case)


@benchmark(
    "stream.scale",
    question="How many bytes a second does memory stream for b = s·c?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(bytes=16 * case.elements, flops=case.elements),
    variants=variants,
    wanted=_all_threads_tell,
    needs=room_for_it,
)
def scale(case: Case) -> "native.Kernel":
    """b[i] = s·c[i]."""
    return _kernel("scale", case)


@benchmark(
    "stream.add",
    question="How many bytes a second does memory stream for c = a + b?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(bytes=24 * case.elements, flops=case.elements),
    variants=variants,
    wanted=_all_threads_tell,
    needs=room_for_it,
)
def add(case: Case) -> "native.Kernel":
    """c[i] = a[i] + b[i]."""
    return _kernel("add", case)


@benchmark(
    "stream.triad",
    question="How many bytes a second does memory stream for a = b + s·c?",
    parameters=PARAMETERS,
    metric=BANDWIDTH,
    work=lambda case: Work(bytes=24 * case.elements, flops=2 * case.elements),
    variants=variants,
    needs=room_for_it,
)
def triad(case: Case) -> "native.Kernel":
    """a[i] = b[i] + s·c[i]."""
    return _kernel("triad", case)
