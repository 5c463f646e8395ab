"""Which rows of the core-to-core matrix are measured where."""

import itertools

import pytest

from stend.benchmarks import registry
from stend.record import Machine
from stend.running.plan import Choice, plan


def rows(usable: tuple[int, ...], size: str) -> list[int]:
    choice = Choice(size=size)  # type: ignore[arg-type]
    return [c.case.cpu for c in plan(registry.find(["cores"]), Machine(usable=usable), choice)]


@pytest.mark.parametrize("size", ["quick", "full"])
@pytest.mark.parametrize("usable", [(0, 1), (3, 5, 8), tuple(range(16))])
def test_every_usable_cpu_has_a_row(usable, size):
    assert rows(usable, size) == list(usable)


def test_a_quick_run_takes_evenly_chosen_rows_with_both_ends():
    quick = rows(tuple(range(0, 512, 2)), "quick")
    assert len(quick) == len(set(quick)) == 16
    assert (quick[0], quick[-1]) == (0, 510)
    gaps = {b - a for a, b in itertools.pairwise(quick)}
    assert max(gaps) - min(gaps) <= 2
    assert len(rows(tuple(range(256)), "full")) == 256


def test_a_lone_cpu_is_skipped_with_the_reason():
    (alone,) = plan(registry.find(["cores"]), Machine(usable=(4,)), Choice())
    assert "this process may use one; give it more" in (alone.skip or "")


def test_a_cpu_that_may_not_be_used_is_skipped_with_those_that_may():
    choice = Choice(settings={"cpu": ["7", "1"]})
    refused, taken = plan(registry.find(["cores"]), Machine(usable=(1, 2)), choice)
    assert "may not use CPU 7; use --set cpu=N with one of 1, 2." in (refused.skip or "")
    assert taken.skip is None
