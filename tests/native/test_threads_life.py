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


@pytest.mark.parametrize("affinity", ["none", "bound"])
@pytest.mark.parametrize("keep", ["joined", "detached"])
def test_every_thread_of_a_chain_is_counted(keep: str, affinity: str) -> None:
    kernel = threads.chain(50, keep, "none", affinity)
    made = sampled(kernel, 3)
    assert "in 3 chains of 50 threads 150 ran, each once a chain" in kernel.prove().said
    assert list(made.also) == (["until the last runs s"] if keep == "joined" else [])


@pytest.mark.parametrize("load", ["none", "half"])
def test_sleepers_count_each_of_their_wakings(load: str) -> None:
    one, all_of_them = threads.wake_one(9, load, "none"), threads.wake_all(9, load, "bound")
    sampled(one, 5)
    sampled(all_of_them, 5)
    assert "in 5 wake-ups of one of 9 blocked threads, these counted 5 " in one.prove().said
    assert (
        "in 5 wake-ups of all of 9 blocked threads, these counted 45 " in all_of_them.prove().said
    )


def test_losing_the_core_to_a_thread_that_was_woken_is_no_preemption() -> None:
    assert not sampled(threads.wake_all(50, "none", "none"), 5).preempted.any()
