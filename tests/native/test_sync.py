"""Synchronisation through the bindings: every operation is proved, and what can't be is refused."""

import os
import resource
from collections.abc import Callable

import pytest

from stend.benchmarks.families.threads.conditions import LOADS, load_threads
from stend.native import Failed, Kernel, clock, sampler, threads
from stend.record import Machine

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
    whole = made.ticks / clock.calibrate(clock.default(), 0.01).hz
    assert (made.values < whole / 512).all()


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


@pytest.mark.parametrize("load", LOADS[1:])
def test_the_plan_counts_load_threads_as_the_kernels_do(load: str) -> None:
    here = Machine(usable=tuple(os.sched_getaffinity(0)))
    counted = f"beside {load_threads(load, here)} load threads"
    assert counted in threads.mutex("lock", load, "none").about


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


def test_a_limit_that_is_met_in_the_middle_is_one_sentence() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        for variant in ("pipe", "eventfd"):
            with pytest.raises(Failed, match=rf"^No {variant} could be made: .*ulimit -n.*\.$"):
                threads.ping_pong("any", "none", "none", variant)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
