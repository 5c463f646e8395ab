"""Peak kernels through the bindings: what is asked for runs, is proved, and is counted right."""

import os
import subprocess
import sys

import numpy as np
import pytest

from stend.native import clock, peak, sampler

TYPES = ("float64", "float32", "int32")
AVAILABLE = [variant.name for variant in peak.variants() if variant.available]
CPUS = len(os.sched_getaffinity(0))


@pytest.mark.parametrize("variant", AVAILABLE)
@pytest.mark.parametrize("kind", TYPES)
def test_every_repetition_that_is_sampled_is_proved(kind: str, variant: str) -> None:
    kernel = peak.kernel(kind, CPUS, variant)
    kernel.prepare()
    repetitions = sampler.Sampler(kernel, clock.default()).collect(3, 10, 5.0)
    assert repetitions.right
    proof = kernel.prove()
    assert proof.right
    assert "in each of 30 repetitions" in proof.said
    assert (kernel.variant, kernel.threads) == (variant, CPUS)


@pytest.mark.parametrize("variant", [v for v in AVAILABLE if v != "scalar"])
def test_vectors_hold_twice_as_many_lanes_of_single_precision(variant: str) -> None:
    double, single = (peak.operations(kind, variant) for kind in ("float64", "float32"))
    assert single == 2 * double


@pytest.mark.parametrize("variant", AVAILABLE)
@pytest.mark.parametrize("kind", TYPES)
def test_each_batch_tells_the_frequency_under_its_chains(kind: str, variant: str) -> None:
    kernel = peak.kernel(kind, 1, variant)
    kernel.prepare()
    made = sampler.Sampler(kernel, clock.default()).collect(4, 200, 5.0)
    assert made.right
    (told,) = (column[np.isfinite(column)] for column in made.also.values())
    assert len(told)
    assert ((told > 0) & (told < 1e10)).all()
    assert np.median(told) > 1e8  # a batch that was interrupted tells less


def test_a_variant_that_is_switched_off_is_refused_by_name() -> None:
    last = peak.variants()[-1]
    if not last.available or not last.needs:
        pytest.skip("this processor has nothing to switch off")
    program = f"from stend.native import peak; peak.kernel('int32', 1, {last.name!r})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"STEND_DISABLE_ISA": last.needs[0]},
        capture_output=True,
        text=True,
    )
    assert f"ValueError: The variant {last.name} can't run" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("float16", 1, "scalar"), "float64, float32 and int32"),
        (("int32", 0, "scalar"), "0 threads were asked for"),
        (("int32", CPUS + 1, "scalar"), f"may use {CPUS} CPUs"),
        (("int32", 1, "mmx"), "there are scalar"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments: tuple[str, int, str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        peak.kernel(*arguments)
    assert str(caught.value).endswith(".")
