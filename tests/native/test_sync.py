"""Synchronisation through the bindings: every operation is proved, and what can't be is refused."""

import os
from collections.abc import Callable

import pytest

from stend.native import Kernel, clock, sampler, threads

CPUS = len(os.sched_getaffinity(0))
several = pytest.mark.skipif(CPUS < 2, reason="needs two CPUs")

Shared = Callable[[int, str, str], Kernel]
SHARED = (threads.lock_unlock, threads.spinlock, threads.semaphore, threads.atomic_add)


def sampled(kernel: Kernel, count: int = 5) -> sampler.Repetitions:
    kernel.prepare()
    made = sampler.Sampler(kernel, clock.default()).collect(1, count, 10.0)
    assert made.right
    assert made.values is not None
    assert (made.values > 0).all()
    assert kernel.prove().right
    return made


@pytest.mark.parametrize("affinity", ["none", "bound"])
@pytest.mark.parametrize("step", ["create", "lock", "unlock", "destroy"])
def test_a_step_shorter_than_the_clocks_has_a_value(step: str, affinity: str) -> None:
    made = sampled(threads.mutex(step, "none", affinity))
    assert made.values is not None
    assert (made.values < 1e-6).all()
    assert (made.ticks > 0).all()


@pytest.mark.parametrize("make", SHARED)
@pytest.mark.parametrize("count", [1, pytest.param(2, marks=several)])
def test_every_operation_of_every_thread_adds_up(make: Shared, count: int) -> None:
    kernel = make(count, "none", "bound")
    sampled(kernel)
    assert kernel.threads == count


@several
@pytest.mark.parametrize("variant", [v.name for v in threads.barrier_variants()])
def test_a_barrier_beside_a_load_does_not_hang(variant: str) -> None:
    kernel = threads.barrier(2, "twice", "bound", variant)
    assert kernel.variant == variant
    sampled(kernel, 2)
    assert "nobody passed before all had come" in kernel.prove().said
    assert "beside" in kernel.about


@pytest.mark.parametrize("variant", [v.name for v in threads.switch_variants()])
def test_a_switch_carries_its_number(variant: str) -> None:
    kernel = threads.switch("same", "none", "bound", variant)
    made = sampled(kernel)
    assert not made.preempted.any()
    assert list(made.also) == (["yields a hop"] if variant == "yield" else [])
    assert "every hop carried its number" in kernel.prove().said


@pytest.mark.parametrize("variant", [v.name for v in threads.ping_pong_variants()])
@pytest.mark.parametrize(
    ("place", "affinity"), [("any", "none"), pytest.param("other", "bound", marks=several)]
)
def test_a_ping_pong_carries_its_number(place: str, affinity: str, variant: str) -> None:
    sampled(threads.ping_pong(place, "none", affinity, variant))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: threads.mutex("forget", "none", "none"), "no step"),
        (lambda: threads.spinlock(1 << 15, "none", "bound"), "CPUs"),
        (lambda: threads.false_sharing(1, 12, "none", "bound"), "not 12"),
        (lambda: threads.barrier(1, "none", "bound", "spin"), "at least 2"),
        (lambda: threads.barrier(2, "none", "bound", "tree"), "no variant"),
        (lambda: threads.switch("any", "none", "bound", "futex"), "anywhere"),
        (lambda: threads.ping_pong("near", "none", "bound", "futex"), "no place"),
    ],
)
def test_what_cannot_be_is_one_sentence(make: Callable[[], Kernel], said: str) -> None:
    with pytest.raises(ValueError, match=rf"{said}.*\.$"):
        make()
