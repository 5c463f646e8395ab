"""Reading, writing and copying through the bindings: what is asked for runs, and is proved."""

import os

import pytest

from stend.native import bandwidth, clock, sampler

CPUS = len(os.sched_getaffinity(0))
VARIANTS = {
    "read": bandwidth.read_variants,
    "write": bandwidth.write_variants,
    "copy": bandwidth.copy_variants,
}
AVAILABLE = [(o, v.name) for o, variants in VARIANTS.items() for v in variants() if v.available]

pytestmark = pytest.mark.usefixtures("affinity_is_given_back")


@pytest.mark.parametrize(("operation", "variant"), AVAILABLE)
@pytest.mark.parametrize("size", [4096, 99_968, 3 << 20])
def test_every_execution_that_is_sampled_is_proved(operation: str, variant: str, size: int) -> None:
    kernel = getattr(bandwidth, operation)(size, CPUS, variant)
    kernel.prepare()
    assert kernel.check()
    assert sampler.Sampler(kernel, clock.default()).collect(2, 5, 5.0).right
    assert (kernel.variant, kernel.threads) == (variant, CPUS)
    proof = kernel.prove()
    assert proof.right
    passes = bandwidth.passes(size, CPUS)
    assert f"{size} bytes" in proof.said
    assert f"10 executions of {passes} passes" in proof.said


@pytest.mark.parametrize("operation", VARIANTS)
def test_the_default_stores_into_the_caches(operation: str) -> None:
    assert "nontemporal" not in [v.name for v in VARIANTS[operation]() if v.available][-1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((100, 1, "plain"), "larger multiple"),
        ((64, 1, "plain"), "pieces of 128 bytes"),
        ((4096, CPUS + 1, "plain"), f"may use {CPUS} CPUs"),
        ((4096, 0, "plain"), "0 threads were asked for"),
        ((4096, 1, "fast"), "there are .*plain"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments: tuple[int, int, str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        bandwidth.copy(*arguments)
    assert str(caught.value).endswith(".")


def test_more_than_the_memory_holds_is_refused_before_it_is_touched() -> None:
    with pytest.raises(MemoryError, match="does not fit"):
        bandwidth.read(1 << 50, 1, "plain").prepare()
