"""Writing memory in blocks, after Golenkov et al. 2015, section on memory access.

One thread writes blocks of k MB, one after another, through a region of about 80% of the
available memory, so that every block is cold. The bandwidth as a function of k shows the caches,
the page tables and the memory bus.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.needs import memory_lacks, room
from stend.benchmarks.parameters import MIB, Size, rounded_down, size_in_bytes
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native


def _blocks(machine: Machine, size: Size) -> tuple[int, ...]:
    if size == "full":
        return tuple(MIB // 2 << i for i in range(11))
    return (MIB // 2, 4 * MIB, 32 * MIB, 256 * MIB) if size == "quick" else (MIB // 2,)


def _region(machine: Machine, size: Size) -> tuple[int, ...]:
    if size == "check":
        return (2 * MIB,)
    most = max(4096, rounded_down(room(machine, 0.8)))
    quick = max(1 << 30, 2 * (machine.last_cache or 0))
    return (most if size == "full" else min(most, quick),)


def _fits(case: Case, machine: Machine) -> str | None:
    block, region = int(case.block), int(case.region)
    if block % 64:
        return (
            f"a block of {block} bytes is not a whole number of cache lines; use a multiple of 64."
        )
    if block > region:
        return (
            f"a block of {block / MIB:g} MiB is larger than the region of {region / MIB:g} MiB; "
            "use --set region=BYTES with more, or --set block=BYTES with less."
        )
    return memory_lacks("the region", region, machine, "region=BYTES")


def _variants() -> Sequence["native.Variant"]:
    from stend import native

    return native.memory.write_variants()


@benchmark(
    "memory.write",
    question="How many bytes a second does one thread write to memory in blocks of this size?",
    parameters={
        "block": size_in_bytes("bytes written together", _blocks, least=4096),
        "region": size_in_bytes(
            "bytes of the region that the blocks cover",
            _region,
            least=4096,
            depends="the available memory: 1 GiB, or with --full 80% of it",
            scales="memory",
        ),
    },
    metric=Metric(name="bandwidth", unit="B/s", better="higher"),
    work=lambda case: Work(bytes=case.block),
    variants=_variants,
    quick=False,  # memory.bandwidth.write tells the same of a whole region
    needs=_fits,
    about=About(
        work="the bytes of a block.",
        proof="Repetition r writes a seed of r plus i into word i of its block. After each batch "
        "both ends and a third word of every block are checked; at the end every word of "
        "every block must be that of the last repetition that wrote it.",
        bound="The number of cache lines that a core can have in flight to memory. Ordinary "
        "stores read each line before they write it; non-temporal stores (`nontemporal-…`) "
        "don't.",
        reading="With huge pages the figure hardly depends on the block. A fall at large blocks "
        "is the page tables. Non-temporal stores should be about twice as fast as "
        "ordinary ones.",
        rooms=("native/kernels/memory",),
    ),
)
def write(case: Case) -> "native.Kernel":
    """One execution writes the next block of the region."""
    from stend import native

    return native.memory.write(case.block, case.region, str(case.variant))
