"""Writing blocks through the bindings."""

import pytest

from stend.native import clock, memory, sampler

AVAILABLE = [variant.name for variant in memory.write_variants() if variant.available]


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
