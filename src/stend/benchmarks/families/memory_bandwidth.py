"""Bytes per second read, written or copied, by the amount of memory in use.

Sizes range from one that fits the first-level caches to one that fits none. Bytes are counted as
STREAM counts them: those that the program reads and writes, without the line that an ordinary store
reads before it writes.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import DEFAULT, About, Case, benchmark, registered
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import (
    MIB,
    Size,
    past_the_caches,
    rounded_down,
    size_in_bytes,
    up_to_all_cores,
)
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

    Variants = Callable[[], Sequence[native.Variant]]
    Make = Callable[[int, int, str], native.Kernel]

BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")
PIECE = 128
"""Bytes: the least that copy can halve into cache lines."""
NONTEMPORAL = "nontemporal-"
"""How the names of the variants begin that store past the caches."""

USUAL = {1: MIB // 32, 2: MIB // 2}
"""Bytes of a core's caches, where they are not known."""


def _cache(machine: Machine, level: int) -> int:
    """Bytes of one data cache of that level, the smallest where cores differ."""
    sizes = [c.bytes for c in machine.caches if c.level == level and c.kind != "instruction"]
    return min(sizes, default=USUAL[level])


def _levels(machine: Machine, size: Size, threads: int) -> tuple[int, ...]:
    """Bytes that so many threads touch together: in L1, in L2, in the last cache, in none.

    Half of each thread's L1 and L2; the last cache at the geometric mean of all L2 and itself.
    """
    first, second = (threads * _cache(machine, level) // 2 for level in (1, 2))
    most = past_the_caches(machine, size)
    last = machine.last_cache or most
    middle = rounded_down(int((2 * second * last) ** 0.5))
    return tuple(min(s, most) // PIECE * PIECE for s in (first, second, middle, most))


def _sizes(machine: Machine, size: Size) -> tuple[int, ...]:
    if size == "check":
        return (MIB,)
    if size == "full":
        most = past_the_caches(machine, size)
        return tuple(most >> i for i in range(0, most.bit_length() - 14, 2))[::-1]
    levels = [_levels(machine, size, threads) for threads in _threads(machine, size)]
    return tuple(sorted({s for sizes in levels for s in sizes}))


def _threads(machine: Machine, size: Size) -> Sequence[int]:
    return [int(str(n)) for n in up_to_all_cores.defaults(machine, size)]


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Of the stores past the caches the best alone.

    Quick: one thread at every level, and in memory by both stores; all threads in memory, by the
    stores that are fast there.
    """
    there = registered()[case.benchmark].available()
    past = [v.name for v in there if v.available and v.name.startswith(NONTEMPORAL)][-1:]
    if size == "check":
        return [DEFAULT, *past]
    if size == "full":
        ordinary = [v.name for v in there if not v.name.startswith(NONTEMPORAL)]
        return [*past, *ordinary] if case.size >= 4096 * case.threads else []
    *cached, most = _levels(machine, size, case.threads)
    if case.size == most:
        return [DEFAULT, *past] if case.threads == 1 else past or [DEFAULT]
    return [DEFAULT] if case.threads == 1 and case.size in cached else []


def _fits(case: Case, machine: Machine) -> str | None:
    size, threads = int(case.size), int(case.threads)
    if lacking := cpus_lack(threads, machine):
        return lacking
    if size % PIECE or size < PIECE * threads:
        return (
            f"{size} bytes can't be divided among {threads} threads in pieces of {PIECE}; use a "
            f"multiple of {PIECE}, at least {PIECE * threads}."
        )
    return memory_lacks("the memory in use", size, machine, "size=BYTES")


def _work(case: Case) -> Work:
    from stend import native

    return Work(bytes=case.size * native.bandwidth.passes(case.size, case.threads))


PARAMETERS = {
    "size": size_in_bytes(
        "bytes of memory that all threads use together, for copy half read and half written; by "
        "default at most an eighth of the available memory, with --full a quarter",
        _sizes,
        least=4096,
        depends="the sizes of the caches, the available memory and the CPUs",
        scales="caches",
    ),
    "threads": up_to_all_cores,
}


_PROOFS = {
    "read": "The exclusive or of all words, added up over passes and executions, must match the "
    "initial values; so a word, a pass or an execution left out is detected.",
    "write": "Each execution takes its seed from words that the previous one wrote, so one left "
    "out is detected ever after; at the end every word is compared.",
    "copy": "Words of the source are computed from those copied last, so an execution left out is "
    "detected ever after; at the end every word is compared.",
}


def _about(operation: str) -> About:
    return About(
        work="the bytes read and written in each pass; an execution makes enough passes for each "
        "thread to move 16 MiB.",
        proof=_PROOFS[operation],
        bound="In the first-level cache, a core's loads and stores per cycle; in the others, "
        "their bandwidth; in memory, the cache lines that a core can have in flight, and "
        "with all cores the memory bus.",
        reading="Each drop of the curve is the size of a cache. For memory, compare it with the "
        "theoretical bandwidth of the modules, which the report shows if the firmware "
        "reports it. If all cores together are far below it, a module or channel may be "
        "missing.",
        rooms=("native/kernels/bandwidth",),
    )


def _loops(operation: str) -> tuple["Variants", "Make"]:
    """The variants of an operation, and what makes the kernel of one."""
    from stend.native import bandwidth

    return {
        "read": (bandwidth.read_variants, bandwidth.read),
        "write": (bandwidth.write_variants, bandwidth.write),
        "copy": (bandwidth.copy_variants, bandwidth.copy),
    }[operation]


def _over_memory(operation: str, question: str) -> None:
    """Register the benchmark of one operation."""

    @benchmark(
        f"memory.bandwidth.{operation}",
        question=question,
        parameters=PARAMETERS,
        metric=BANDWIDTH,
        work=_work,
        variants=lambda: _loops(operation)[0](),
        takes=_takes,
        needs=_fits,
        about=_about(operation),
    )
    def kernel(case: Case) -> "native.Kernel":
        """One execution goes over all of the memory `passes` times."""
        _, make = _loops(operation)
        return make(case.size, case.threads, str(case.variant))


_over_memory("read", "How many bytes a second are read from as much memory as this?")
_over_memory("write", "How many bytes a second are written to as much memory as this?")
_over_memory("copy", "How many bytes a second are copied within as much memory as this?")
