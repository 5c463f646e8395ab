"""The life of threads through the bindings: every thread that is made is counted."""

from collections.abc import Callable

import pytest

from stend.native import Kernel, clock, sampler, threads

Make = Callable[[str, str], Kernel]


def sampled(kernel: Kernel, count: int) -> sampler.Repetitions:
    kernel.prepare()
    made = sampler.Sampler(kernel, clock.default()).collect(1, count, 10.0)
    assert made.right
    assert made.values is not None
    assert (made.values > 0).all()
    return made


@pytest.mark.parametrize("affinity", ["none", "bound"])
@pytest.mark.parametrize("make", [threads.create, threads.create_join])
def test_every_thread_that_is_made_is_counted(make: Make, affinity: str) -> None:
    kernel = make("none", affinity)
    sampled(kernel, 20)
    proof = kernel.prove()
    assert proof.right
    assert "of 20 threads made 20 ran, each once" in proof.said


def test_the_record_says_which_stacks_threads_have() -> None:
    assert "stacks of" in threads.create("none", "none").about


@pytest.mark.parametrize("make", [threads.create, threads.create_join])
def test_unknown_conditions_are_one_sentence(make: Make) -> None:
    with pytest.raises(ValueError, match=r"no load \"heavy\"; use none, half, all or twice\.$"):
        make("heavy", "none")
    with pytest.raises(ValueError, match=r"no affinity \"tight\"; use none or bound\.$"):
        make("none", "tight")
