"""The core-to-core latency matrix: the time until one CPU sees what another one wrote.

Two pinned threads pass one cache line back and forth by compare-and-swap. A case is a row of the
matrix: each repetition visits every other CPU once, and reports the one-way time to each.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.needs import cpu_lacks
from stend.benchmarks.parameters import Size, whole
from stend.record import Machine, Metric

if TYPE_CHECKING:
    from stend import native

MOST_ROWS = 16
"""Of a quick run."""


def _rows(machine: Machine, size: Size) -> tuple[int, ...]:
    """All CPUs; in a quick run, of more than 16 as many evenly chosen, with both ends."""
    usable = machine.usable or (0,)
    if size == "check":
        return usable[:1]
    if size == "full" or len(usable) <= MOST_ROWS:
        return usable
    return tuple(usable[i * (len(usable) - 1) // (MOST_ROWS - 1)] for i in range(MOST_ROWS))


def _has_another(case: Case, machine: Machine) -> str | None:
    if len(machine.usable) == 1:
        return (
            "a cache line travels between two CPUs, and this process may use one; give it more, "
            "as with `taskset`."
        )
    return cpu_lacks(int(case.cpu), machine)


@benchmark(
    "cores.latency",
    question="How long does it take one CPU to see what another one wrote?",
    parameters={
        "cpu": whole(
            "the CPU to measure from, by the OS's number, to all others that this process may use",
            _rows,
            least=0,
            most=1 << 16,
            depends="the CPUs that the process may use; a quick run takes at most 16 of them",
        )
    },
    metric=Metric(name="one-way time", unit="s", better="lower"),
    card=True,
    needs=_has_another,
    about=About(
        proof="No hop can be repeated, reordered or left out, because each needs the number left "
        "by the one before. Every line must hold the requested number of hops, half of them "
        "counted by the partner.",
        bound="Cache coherence alone: the distance between the two cores, and the slice of the "
        "last-level cache in between.",
        reading="Two threads of one core are nearest, then cores of one cluster or last-level "
        "cache; sockets are farthest. Rows that differ from their neighbours show the "
        "processor's interconnect; if all rows are slow, cores leave idle states slowly: "
        "check the governor.",
        rooms=("native/kernels/cores",),
    ),
)
def latency(case: Case) -> "native.Kernel":
    """One repetition visits every other CPU: its value is their median, its columns are each."""
    from stend import native

    return native.cores.row(case.cpu)
