"""Levels of a latency curve: the curve is known, what was made of it must be found in it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.record import Cache
from stend.report.memory_levels import levels, plateaus, sentences

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
KNOWN = ((48 * KIB, 1.5e-9), (2 * MIB, 5e-9), (32 * MIB, 25e-9))
MEMORY = 110e-9


def octaves(low=4 * KIB, high=GIB, each=1):
    steps = each * round(np.log2(high / low))
    return [float(round(low * 2 ** (i / each))) for i in range(steps + 1)]


def curve(sizes, known=KNOWN, memory=MEMORY):
    """Random loads over S bytes hit a cache of C bytes in C/S of all cases."""
    found = []
    for size in sizes:
        latency = memory
        for capacity, hit in reversed(known):
            share = min(1.0, capacity / size)
            latency = share * hit + (1 - share) * latency
        found.append(latency)
    return found


def cache(level, size, shared_by=1):
    kind = "data" if level == 1 else "unified"
    return Cache(level=level, kind=kind, bytes=size, shared_by=shared_by)


TRUE = (cache(1, 48 * KIB), cache(2, 2 * MIB), cache(3, 32 * MIB, 8))


@pytest.mark.parametrize("each", [1, 2, 4])
def test_every_cache_is_found_within_the_sampling(each):
    sizes = octaves(each=each)
    found = plateaus(sizes, curve(sizes))
    assert len(found) == 4
    for plateau, (capacity, _) in zip(found, KNOWN, strict=False):
        assert plateau.last <= 1.2 * capacity
        assert capacity <= plateau.beyond <= 2.01 * plateau.last
    assert found[-1].beyond is None


def test_the_latency_of_a_level_is_that_of_its_cache():
    sizes = octaves(each=2)
    found = plateaus(sizes, curve(sizes))
    assert [p.latency for p in found] == pytest.approx([1.5e-9, 4.8e-9, 23e-9, 106e-9], rel=0.1)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("each", [1, 2, 4])
def test_noise_of_two_percent_and_a_spike_change_nothing(seed, each):
    rng = np.random.default_rng(seed)
    sizes = octaves(each=each)
    noisy = np.array(curve(sizes)) * np.exp(0.02 * rng.standard_normal(len(sizes)))
    noisy[rng.choice([1, -2])] *= 2.5  # within a rise, a spike can't be told from it
    found = plateaus(sizes, list(noisy))
    assert len(found) == 4
    for plateau, (capacity, _) in zip(found, KNOWN, strict=False):
        assert plateau.last <= 2.01 * capacity
        assert plateau.beyond >= capacity / 2.01


def test_a_missing_level_is_not_made_up():
    sizes = octaves()
    found = plateaus(sizes, curve(sizes, KNOWN[:2]))
    assert [p.last for p in found[:-1]] == [32 * KIB, 2 * MIB]
    assert len(found) == 3


@pytest.mark.parametrize("each", [1, 2, 4])
def test_a_cache_that_is_left_at_once_ends_between_two_sizes(each):
    sizes = octaves(each=each)
    found = plateaus(sizes, [1e-9 if s <= 48 * KIB else 4e-9 for s in sizes])
    assert len(found) == 2
    assert found[0].last <= 48 * KIB < found[0].beyond
    assert [p.latency for p in found] == [1e-9, 4e-9]


def test_a_latency_that_still_grows_at_the_end_is_said():
    sizes = octaves(high=256 * MIB)
    known = (*KNOWN[:2], (200 * MIB, 25e-9))
    found = levels(sizes, curve(sizes, known, 400e-9), TRUE[:2])
    assert "still grows at the largest size measured, 256 MiB" in sentences(found)[-1]


def test_a_flat_curve_is_one_level_that_is_not_left():
    sizes = octaves()
    (only,) = plateaus(sizes, [5e-9] * len(sizes))
    assert (only.first, only.last, only.beyond) == (sizes[0], sizes[-1], None)


def test_a_slow_climb_is_one_level_as_a_tlb_makes_it():
    sizes = octaves()
    climbing = [100e-9 * 1.12**i for i in range(len(sizes))]
    (only,) = plateaus(sizes, climbing)
    assert only.beyond is None


@pytest.mark.parametrize(
    ("sizes", "latencies"),
    [([], []), ([1.0], [1.0]), ([1.0, 2.0, 4.0], [1.0, 0.0, 2.0]), ([0.0, 1.0, 2.0], [1.0] * 3),
     ([1.0, 2.0, 4.0], [1.0, float("nan"), 2.0])],
)  # fmt: skip
def test_what_is_no_curve_has_no_levels(sizes, latencies):
    assert plateaus(sizes, latencies) == ()


@given(st.lists(st.tuples(st.floats(1, 1e12), st.floats(1e-10, 1e-5)), max_size=40))
def test_any_curve_is_answered_with_levels_in_order(points):
    found = plateaus([s for s, _ in points], [v for _, v in points])
    assert all(p.first <= p.last <= (p.beyond or p.last) for p in found)
    assert all(a.last <= b.first for a, b in pairwise(found))


def test_where_the_os_and_the_curve_agree_nothing_is_said():
    sizes = octaves()
    found = levels(sizes, curve(sizes), TRUE)
    assert [x.name for x in found] == ["L1d", "L2", "L3", "memory"]
    assert sentences(found) == ()
    assert found[2].seen == (32 * MIB, 64 * MIB)


def test_a_last_cache_of_the_host_is_said_to_be_shared():
    sizes = octaves()
    reported = (*TRUE[:2], cache(3, 480 * MIB, 2))
    found = levels(sizes, curve(sizes), reported)
    (said,) = sentences(found)
    assert said == (
        "The OS reports an L3 of 480 MiB, but the curve leaves it between 32 MiB and 64 MiB: it "
        "is shared with others, or belongs to the host."
    )
    assert found[2].bytes == 32 * MIB
    assert found[3].name == "memory"


def test_a_cache_that_the_curve_does_not_show_is_said():
    sizes = octaves()
    found = levels(sizes, curve(sizes, KNOWN[:2]), TRUE)
    (said,) = sentences(found)
    assert said == "The curve has no step at the 32 MiB of the L3 that the OS reports."
    assert found[2].latency == pytest.approx(MEMORY, rel=0.5)
    assert found[2].at is not None


def test_a_level_that_the_os_does_not_report_is_said():
    sizes = octaves()
    found = levels(sizes, curve(sizes), TRUE[:2])
    assert [x.name for x in found] == ["L1d", "L2", "not reported", "memory"]
    assert "does not report" in sentences(found)[0]


def test_sizes_that_end_before_a_cache_do_leave_it_open():
    sizes = octaves(high=16 * MIB)
    found = levels(sizes, curve(sizes), TRUE)
    assert [x.name for x in found] == ["L1d", "L2", "L3"]
    assert sentences(found) == (
        "The sizes measured end at 16 MiB, before the curve could leave the L3 of 32 MiB.",
    )


def test_a_few_sizes_give_latencies_but_no_ends():
    sizes = [16.0 * KIB, 512.0 * KIB, 16.0 * MIB, 1.0 * GIB]
    found = levels(sizes, curve(sizes), TRUE)
    assert [x.latency for x in found] == pytest.approx(curve(sizes))
    assert found[0].at == 16 * KIB
    assert sentences(found)[0].startswith("Too few sizes were measured to show where the L1d")
    assert len(sentences(found)) == 2


def test_a_smaller_cache_reported_than_the_curve_shows_is_said():
    sizes = octaves()
    reported = (TRUE[0], cache(2, 512 * KIB), TRUE[2])
    (said,) = sentences(levels(sizes, curve(sizes), reported))
    assert "leaves it later, between 2 MiB and 4 MiB" in said


def test_sizes_two_octaves_apart_find_caches_within_their_sampling():
    sizes = [16.0 * KIB * 4**i for i in range(9)]
    found = levels(sizes, curve(sizes), TRUE)
    assert [x.name for x in found] == ["L1d", "L2", "L3", "memory"]
    assert sentences(found) == ()


def test_no_sizes_are_no_levels():
    assert levels([], [], TRUE) == ()


def test_of_cores_that_differ_the_larger_cache_counts():
    sizes = octaves()
    found = levels(sizes, curve(sizes), (*TRUE, cache(1, 32 * KIB)))
    assert found[0].reported == 48 * KIB
