"""The time of a load from memory, by the amount of memory in use, alone and next to other threads.

Each load's address is the result of the previous load, in a random cycle through all lines, so that
neither prefetching nor reordering hides anything. It is the minimum that a program waits for data
whose address it could not predict. Sizes from the first-level cache to memory show the levels. With
normal pages a load that misses the TLB also waits for the page tables.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark, best_or_all
from stend.benchmarks.needs import memory_lacks
from stend.benchmarks.parameters import MIB, Size, choice, past_the_caches, size_in_bytes, whole
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

LATENCY = Metric(name="latency", unit="s", better="lower")
SMALLEST = 16 << 10
"""Bytes: within the first cache of any processor of today."""
NEAR = 64 * MIB
"""Bytes up to which a quick run takes every octave, beyond which every second one."""
PAGES = ("huge", "normal")
LINE = 64


def _sizes(machine: Machine, size: Size) -> tuple[int, ...]:
    if size == "check":
        return (MIB,)
    most = past_the_caches(machine, size)
    steps = range(4 * (most // SMALLEST).bit_length() - 3)  # of a quarter of an octave
    if size == "quick":
        octaves = [SMALLEST << i for i in range(steps[-1] // 4)]
        return (*(s for i, s in enumerate(octaves) if s <= NEAR or i % 2 == 0), most)
    return tuple(round(SMALLEST * 2 ** (i / 4) / LINE) * LINE for i in steps)


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Huge pages at all sizes; normal ones, which differ where TLBs end, at fewer."""
    sizes = _sizes(machine, size)
    quick = [s for i, s in enumerate(sizes) if (s <= NEAR and i % 4 == 0) or s == sizes[-1]]
    fewer = {"full": sizes[::4], "quick": quick[1:], "check": sizes}[size]
    return best_or_all(size) if case.pages == "huge" or case.size in fewer else ()


def _fits(case: Case, machine: Machine) -> str | None:
    size = int(case.size)
    if case.pages not in ("normal", "huge"):
        return f"there are no pages called {case.pages!r}; use --set pages=normal or pages=huge."
    if size % LINE or size > LINE << 32:
        return f"{size} bytes are not a multiple of {LINE} up to {LINE << 32}; use one of those."
    return memory_lacks("the cycle and its order", size + size // 16, machine, "size=BYTES")


@benchmark(
    "memory.latency",
    question="How long does a load take whose address the load before it gave?",
    parameters={
        "size": size_in_bytes(
            "bytes of memory that the loads go through, up to beyond the last-level cache: at "
            "most an eighth of the available memory, with --full a quarter",
            _sizes,
            least=4096,
            depends="the last-level caches and the available memory",
        ),
        "pages": choice("the kind of memory pages: normal or huge", lambda m, s: PAGES),
    },
    metric=LATENCY,
    work=lambda case: Work(operations=1),
    takes=_takes,
    card=True,
    needs=_fits,
    about=About(
        work="one load.",
        proof="After each batch the chain must be at the line that its order gives for that many "
        "loads; at the end each line must lead to the next of the order.",
        bound="The latency of the level that holds this much memory. The loop adds nothing, "
        "because loads depend on each other.",
        reading="Steps of the curve are the caches; the last one is memory. If normal pages "
        "are much slower than huge ones, the difference is the cost of TLB misses. "
        "native/kernels/latency/README.md lists what was measured at each level.",
        rooms=("native/kernels/latency",),
    ),
)
def latency(case: Case) -> "native.Kernel":
    """One execution is one load."""
    from stend import native

    return native.latency.chase(case.size, case.pages)


def _readers(machine: Machine, size: Size) -> tuple[int, ...]:
    most = max(1, len(machine.usable) - 1)
    if size == "check":
        return (1,)
    return tuple(sorted({1, most})) if size == "full" else (most,)


def _delays(machine: Machine, size: Size) -> tuple[int, ...]:
    if size == "full":
        return (0, *(1 << i for i in range(2, 13)))
    return (0, 16, 64, 1024) if size == "quick" else (16,)


def _loaded_sizes(machine: Machine, size: Size) -> tuple[int, ...]:
    return (MIB,) if size == "check" else (past_the_caches(machine, size),)


def _loaded_fits(case: Case, machine: Machine) -> str | None:
    size, readers, cpus = int(case.size), int(case.threads), len(machine.usable)
    if cpus == 1:
        return (
            "reading threads need their own CPUs, and this process may use only one; give it more."
        )
    if machine.usable and readers >= cpus:
        return (
            f"with threads={readers} reading, the thread that waits for loads needs one more: "
            f"{readers + 1} CPUs, and this process may use {cpus}; use --set threads=N with less, "
            "or give it more CPUs."
        )
    if size % (2 * LINE) or size > LINE << 33:
        return (
            f"{size} bytes are not a multiple of {2 * LINE} up to {LINE << 33}; use one of those."
        )
    if size < 1024 * readers:
        return f"{size} bytes are too few for {readers} readers; use at least {1024 * readers}."
    return memory_lacks("the cycle and what is read", size + size // 32, machine, "size=BYTES")


@benchmark(
    "memory.loaded_latency",
    question="How long does a load from memory take while other threads read at some rate?",
    parameters={
        "size": size_in_bytes(
            "bytes of memory: the loads go through half of it, the others read the other half; by "
            "default beyond the last-level cache, at most an eighth of the available memory, with "
            "--full a quarter",
            _loaded_sizes,
            least=4096,
            depends="the last-level caches and the available memory",
        ),
        "threads": whole(
            "threads that read meanwhile; by default all CPUs but one",
            _readers,
            most=1 << 16,
            depends="the CPUs that the process may use",
        ),
        "delay": whole("idle turns of a reader between two lines", _delays, least=0, most=1 << 16),
    },
    metric=LATENCY,
    needs=_loaded_fits,
    about=About(
        work="one load; 16,384 of them make an observation.",
        proof="As for `memory.latency`; and the sum of what each reader read must match the "
        "contents of that many lines.",
        bound="The memory controller's queues: the timed load waits for the readers' use of the "
        "memory bus. The column `injected B/s` is what they read meanwhile.",
        reading="A smaller delay injects more. The curve of latency over injected bandwidth is "
        "flat, then rises steeply; programs should stay below the bandwidth where it "
        "rises.",
        rooms=("native/kernels/latency",),
    ),
)
def loaded_latency(case: Case) -> "native.Kernel":
    """One observation is the mean of a few thousand loads; beside it what the others read."""
    from stend import native

    return native.latency.loaded(case.size, case.threads, case.delay)
