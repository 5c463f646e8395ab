"""The processor's peak: independent chains of operations in registers, by instruction set.

It is the reference (100%) for everything else. Operations are counted as in the literature: a fused
multiply-add is two floating-point operations per lane; without one, a multiplication and an
addition are two instructions. `peak.int32` counts 32-bit additions, one per lane. Each repetition
also measures the core's frequency under the same chains, for the operations per cycle.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import ALL, DEFAULT, About, Case, benchmark
from stend.benchmarks.needs import cpus_lack
from stend.benchmarks.parameters import Size, up_to_all_cores
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

PARAMETERS = {"threads": up_to_all_cores}
FLOPS = Metric(name="peak", unit="FLOP/s", better="higher")


ABOUT = About(
    work="65,536 steps of every lane of every chain on every thread: two operations per fused "
    "multiply-add, one per addition.",
    proof="The final values of all lanes, added up as bits, must match the scalar recurrence "
    "after as many repetitions, bit for bit.",
    bound="The number of execution units for the operation, times lanes, times the frequency "
    "under such vectors, which is measured while the same chains run.",
    reading="The reference for everything else. Operations per cycle should be units times lanes, "
    "as in the processor's manual; fewer mean a neighbour on the core's other hardware "
    "thread. Some processors lower their frequency for wide vectors.",
    rooms=("native/kernels/peak",),
)


def variants() -> Sequence["native.Variant"]:
    """By instruction set, slowest first."""
    from stend import native

    return native.peak.variants()


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Quick: one thread of each instruction set, and all threads of the widest vectors."""
    return (DEFAULT,) if size == "quick" and case.threads > 1 else (ALL,)


def enough_cpus(case: Case, machine: Machine) -> str | None:
    """Why so many threads can't run, or None."""
    return cpus_lack(int(case.threads), machine)


def _operations(kind: str, case: Case) -> float | None:
    """Of all threads in one execution; None for a variant that can't run here."""
    from stend import native

    if case.variant not in [v.name for v in native.peak.variants() if v.available]:
        return None
    return float(native.peak.operations(kind, str(case.variant)) * int(case.threads))


def _kernel(kind: str, case: Case) -> "native.Kernel":
    from stend import native

    return native.peak.kernel(kind, case.threads, str(case.variant))


@benchmark(
    "peak.float64",
    question="How many double-precision operations a second can the processor do at all?",
    parameters=PARAMETERS,
    metric=FLOPS,
    work=lambda case: Work(flops=_operations("float64", case)),
    variants=variants,
    takes=_takes,
    card=True,
    needs=enough_cpus,
    about=ABOUT,
)
def float64(case: Case) -> "native.Kernel":
    """Step every lane of every chain to x·m + b."""
    return _kernel("float64", case)


@benchmark(
    "peak.float32",
    question="How many single-precision operations a second can the processor do at all?",
    parameters=PARAMETERS,
    metric=FLOPS,
    work=lambda case: Work(flops=_operations("float32", case), precision="float32"),
    variants=variants,
    needs=enough_cpus,
    about=ABOUT,
)
def float32(case: Case) -> "native.Kernel":
    """Step every lane of every chain to x·m + b."""
    return _kernel("float32", case)


@benchmark(
    "peak.int32",
    question="How many 32-bit additions a second can the processor do at all?",
    parameters=PARAMETERS,
    metric=Metric(name="peak", unit="op/s", better="higher"),
    work=lambda case: Work(operations=_operations("int32", case)),
    variants=variants,
    needs=enough_cpus,
    about=ABOUT,
)
def int32(case: Case) -> "native.Kernel":
    """Step every lane of every chain to x + b."""
    return _kernel("int32", case)
