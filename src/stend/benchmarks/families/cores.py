"""What it takes one CPU to see what another one wrote: the core-to-core latency matrix.

Two pinned threads hand one cache line to and fro by compare-and-swap. A case is a row of the
matrix: each of its repetitions visits every other CPU once, and tells the one-way time to each.
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
            "from which CPU, by the OS's number; to all others that this process may use",
            _rows,
            least=0,
            most=1 << 16,
            depends="the CPUs that the process may use; a quick run takes at most 16 of them",
        )
    },
    metric=Metric(name="one-way time", unit="s", better="lower"),
    needs=_has_another,
    about=About(
        proof="No hop can be repeated, reordered or left out, since each needs the number "
        "left by the one before; every line has to hold the requested number of hops, "
        "half of them counted by the partner.",
        bound="The coherence of the caches alone: how far the line travels between two cores, and "
        "through which slice of the last cache.",
        reading="Two threads of one core are nearest, cores of one cluster or last cache next, "
        "sockets farthest. Rows that differ from their neighbours show the processor's "
        "interconnect; if all rows are slow, cores are slow to leave idle states: "
        "check the governor.",
        rooms=("native/kernels/cores",),
    ),
)
def latency(case: Case) -> "native.Kernel":
    """One repetition visits every other CPU: its value is their median, its columns are each."""
    from stend import native

    return native.cores.row(case.cpu)
