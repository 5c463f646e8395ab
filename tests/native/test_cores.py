"""Rows of the core-to-core matrix through the bindings: columns, values, refusals."""

import os

import numpy as np
import pytest

from stend.native import Unavailable, clock, cores, sampler

CPUS = sorted(os.sched_getaffinity(0))

pytestmark = pytest.mark.usefixtures("affinity_is_given_back")


def test_a_row_has_a_column_for_every_other_cpu_and_their_median() -> None:
    if len(CPUS) < 2:
        pytest.skip("one CPU is all that this process may use")
    kernel = cores.row(CPUS[0])
    kernel.prepare()
    made = sampler.Sampler(kernel, clock.default()).collect(1, 40, 10.0)
    assert made.right
    assert made.values is not None
    assert list(made.also) == [f"to CPU {cpu} s" for cpu in CPUS[1:]]
    ways = np.array(list(made.also.values()))
    assert (ways > 0).all()
    assert np.allclose(made.values, np.median(ways, axis=0))
    assert set(made.core) <= {CPUS[0], -1}
    proof = kernel.prove()
    assert proof.right
    assert f"between CPU {CPUS[0]} and {len(CPUS) - 1} others" in proof.said


def test_a_lone_cpu_is_told_of() -> None:
    os.sched_setaffinity(0, {CPUS[0]})
    try:
        with pytest.raises(Unavailable, match=r"may use one; give it more\.$"):
            cores.row(CPUS[0]).prepare()
    finally:
        os.sched_setaffinity(0, CPUS)


def test_a_cpu_that_may_not_be_used_is_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"CPU 99999.*\.$"):
        cores.row(99999).prepare()
