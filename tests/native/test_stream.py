"""STREAM's kernels through the bindings: what is asked for runs, and what can't be is refused."""

import os
import subprocess
import sys

import pytest

from stend.native import Kernel, clock, isa, sampler, stream

OPERATIONS = ("copy", "scale", "add", "triad")
AVAILABLE = [variant.name for variant in stream.variants() if variant.available]
CPUS = len(os.sched_getaffinity(0))

pytestmark = pytest.mark.usefixtures("affinity_is_given_back")


def made(operation: str, elements: int, threads: int, variant: str) -> Kernel:
    kernel = stream.kernel(operation, elements, threads, variant)
    kernel.prepare()
    return kernel


@pytest.mark.parametrize("variant", AVAILABLE)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("elements", [1, 63, 64, 1000003])
def test_every_variant_is_right_from_the_start(operation: str, elements: int, variant: str) -> None:
    kernel = made(operation, elements, CPUS, variant)
    assert kernel.check()
    proof = kernel.prove()
    assert proof.right
    assert "scalar simulation of 0 repetitions" in proof.said


@pytest.mark.parametrize("variant", AVAILABLE)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_repetition_that_is_sampled_is_proved(operation: str, variant: str) -> None:
    kernel = made(operation, 10_001, CPUS, variant)
    repetitions = sampler.Sampler(kernel, clock.default()).collect(7, 30, 5.0)
    assert repetitions.right
    proof = kernel.prove()
    assert proof.right
    assert "scalar simulation of 210 repetitions" in proof.said


@pytest.mark.parametrize("variant", AVAILABLE)
def test_the_variant_asked_for_is_the_one_that_runs(variant: str) -> None:
    kernel = stream.kernel("triad", 1000, 1, variant)
    assert (kernel.variant, kernel.threads) == (variant, 1)


def test_the_list_begins_with_plain_and_has_a_reason_for_what_is_missing() -> None:
    variants = stream.variants()
    assert variants[0].name == "plain"
    assert variants[0].available
    assert all(v.available == (v.reason == "") for v in variants)


def test_a_variant_that_is_switched_off_is_refused_by_name() -> None:
    if "avx512" not in isa.known() or "nontemporal-avx512" not in [
        v.name for v in stream.variants()
    ]:
        pytest.skip("this architecture has no AVX-512 variant")
    program = (
        "from stend.native import stream\n"
        "print([v.name for v in stream.variants() if v.available][-1])\n"
        "stream.kernel('add', 100, 1, 'nontemporal-avx512')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"STEND_DISABLE_ISA": "avx512"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() != ["nontemporal-avx512"]
    assert "ValueError: The variant nontemporal-avx512 can't run" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tetrad", 100, 1, "plain"), "copy, scale, add and triad"),
        (("add", 0, 1, "plain"), "0 elements"),
        (("add", 100, 0, "plain"), "0 threads were asked for"),
        (("add", 100, CPUS + 1, "plain"), f"may use {CPUS} CPUs"),
        (("add", 100, 1, "fast"), "there are plain"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments: tuple[str, int, int, str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        stream.kernel(*arguments)
    assert str(caught.value).endswith(".")


def test_arrays_larger_than_the_memory_are_refused_before_they_are_touched() -> None:
    kernel = stream.kernel("copy", 1 << 44, 1, "plain")
    with pytest.raises(MemoryError, match=r"does not fit: this machine has .* GB"):
        kernel.prepare()


@pytest.mark.parametrize("variant", AVAILABLE)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_copy_is_proved(operation: str, variant: str) -> None:
    kernel = stream.copies(operation, 10_001, CPUS, variant)
    kernel.prepare()
    repetitions = sampler.Sampler(kernel, clock.default()).collect(7, 30, 5.0)
    assert repetitions.right
    assert (kernel.variant, kernel.threads) == (variant, CPUS)
    proof = kernel.prove()
    assert proof.right
    assert f"each of {CPUS} copies" in proof.said
    assert "scalar simulation of 210 repetitions" in proof.said


def test_copies_that_cannot_be_are_one_sentence() -> None:
    with pytest.raises(ValueError, match=f"may use {CPUS} CPUs"):
        stream.copies("add", 100, CPUS + 1, "plain")
    kernel = stream.copies("add", 1 << 44, 1, "plain")
    with pytest.raises(MemoryError, match="does not fit"):
        kernel.prepare()
