"""Writing blocks through the bindings."""

import os

import pytest

from stend.native import clock, memory, sampler

CPUS = len(os.sched_getaffinity(0))
AVAILABLE = [variant.name for variant in memory.write_variants() if variant.available]

pytestmark = pytest.mark.usefixtures("affinity_is_given_back")


@pytest.mark.parametrize("variant", AVAILABLE)
def test_a_region_not_written_yet_is_right(variant: str) -> None:
    kernel = memory.write(4096, 10_000, variant)
    kernel.prepare()
    assert kernel.check()
    assert kernel.variant == variant
    proof = kernel.prove()
    assert proof.right
    assert "2 blocks" in proof.said, "what is left behind the last whole block is not written"


@pytest.mark.parametrize("variant", AVAILABLE)
def test_every_block_that_is_sampled_is_proved(variant: str) -> None:
    kernel = memory.write(4096, 100_000, variant)
    kernel.prepare()
    repetitions = sampler.Sampler(kernel, clock.default()).collect(7, 30, 5.0)
    assert repetitions.right
    assert len(repetitions.ticks) == 30
    proof = kernel.prove()
    assert proof.right
    assert "after 210 repetitions" in proof.said


@pytest.mark.parametrize(
    ("block", "region", "said"),
    [
        (4096, 4095, "holds no block of 4096"),
        (0, 4096, "multiple of 64"),
        (100, 4096, "multiple of 64"),
    ],
)
def test_sizes_that_cannot_be_are_one_sentence(block: int, region: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        memory.write(block, region, "plain")


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="there are plain"):
        memory.write(4096, 4096, "memset")


def test_a_region_larger_than_the_memory_is_refused() -> None:
    kernel = memory.write(4096, 1 << 50, "plain")
    with pytest.raises(MemoryError, match="does not fit"):
        kernel.prepare()


@pytest.mark.parametrize("variant", AVAILABLE)
@pytest.mark.parametrize("affinity", ["none", "scatter", "compact"])
def test_every_threads_block_is_proved(affinity: str, variant: str) -> None:
    kernel = memory.write_parallel(4160, CPUS, affinity, variant)
    kernel.prepare()
    repetitions = sampler.Sampler(kernel, clock.default()).collect(7, 30, 5.0)
    assert repetitions.right
    assert (kernel.variant, kernel.threads) == (variant, CPUS)
    proof = kernel.prove()
    assert proof.right
    assert f"{CPUS} threads' blocks" in proof.said
    assert "after 210 repetitions" in proof.said


@pytest.mark.parametrize(
    ("block", "threads", "affinity", "said"),
    [
        (100, 1, "none", "multiple of 64"),
        (4096, 0, "none", "0 threads were asked for"),
        (4096, CPUS + 1, "scatter", f"may use {CPUS} CPUs"),
        (4096, 1, "spread", "none, scatter and compact"),
    ],
)
def test_threads_that_cannot_be_are_one_sentence(
    block: int, threads: int, affinity: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        memory.write_parallel(block, threads, affinity, "plain")
