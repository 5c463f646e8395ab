"""Noise through the bindings: what was watched is proved, and no detour is invented."""

import os

import numpy as np
import pytest

from stend.native import Kernel, clock, noise, sampler

CPU = max(os.sched_getaffinity(0))


def sampled(kernel: Kernel, count: int) -> sampler.Repetitions:
    kernel.prepare()
    made = sampler.Sampler(kernel, clock.default()).collect(1, count, 10.0)
    assert made.right
    assert made.values is not None
    assert kernel.prove().right
    return made


def test_a_share_lost_is_a_share() -> None:
    made = sampled(noise.lost(1e-3, CPU), 10)
    assert made.values is not None
    assert (made.values >= 0).all()
    assert (made.values < 1).all()
    assert set(made.core) <= {CPU, -1}


def test_a_detour_has_a_length_or_is_no_value() -> None:
    made = sampled(noise.detour(5e-3, CPU), 10)
    assert made.values is not None
    told = made.values[np.isfinite(made.values)]
    assert (told > 0).all()


def test_a_quantum_is_proved_and_takes_time() -> None:
    kernel = noise.quantum(20e-6, CPU)
    made = sampled(kernel, 10)
    assert made.values is not None
    assert (made.values > 0).all()
    assert "the product of 10 quanta of 20000 multiplications equals" in kernel.prove().said


@pytest.mark.parametrize("make", [noise.lost, noise.detour, noise.quantum])
def test_the_cpus_of_this_process_are_given_back(make: object) -> None:
    assert callable(make)
    before = os.sched_getaffinity(0)
    kernel = make(1e-3, CPU)
    kernel.prepare()
    assert os.sched_getaffinity(0) == {CPU}
    del kernel
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("make", [noise.lost, noise.detour, noise.quantum])
def test_what_cannot_be_is_one_sentence(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=r"more than 0 and at most 60 s .* not -1.* s\.$"):
        make(-1.0, CPU)
    with pytest.raises(ValueError, match=r"CPU 99999.*\.$"):
        make(1e-3, 99999).prepare()
