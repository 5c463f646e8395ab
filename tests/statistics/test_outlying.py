"""Who stands apart from a fleet: known answers, and what a few bad members can't do."""

from itertools import combinations
from math import log

import numpy as np
import pytest
from scipy import stats

from stend.statistics import beside_others, ends_of_links, spread


def fleet(*middles, wide=0.001):
    """Members with three looks each, evenly about their middle."""
    return [[middle - wide, middle, middle + wide] for middle in middles]


def test_the_spread_is_a_standard_deviation_of_normal_values():
    random = np.random.default_rng(1)
    for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 25):
        found = [spread(3 * random.standard_normal(n)) for _ in range(4000)]
        assert np.mean(found) == pytest.approx(3, rel=0.06), n


def test_the_spread_is_the_quartile_of_all_distances_by_brute_force():
    x = np.random.default_rng(2).standard_cauchy(31)
    distances = sorted(abs(a - b) for a, b in combinations(x, 2))
    h = 31 // 2 + 1
    expected = 2.2219 * 31 / (31 + 1.4) * distances[h * (h - 1) // 2 - 1]
    assert spread(x) == pytest.approx(expected)


def test_half_of_the_values_cannot_break_the_spread():
    x = np.random.default_rng(3).standard_normal(21)
    broken = x.copy()
    broken[:10] = 1e9 * np.arange(1, 11)
    assert spread(broken) < 10 * spread(x)


def test_without_belief_the_last_of_three_is_students_t_with_one_degree():
    """The spread of two others is their distance; the error has the median's variance as well."""
    a, b, c = 0.0, 0.1, 1.0
    last = beside_others(fleet(a, b, c, wide=0), usual=0.0, belief=0.0)[2]
    deviation = 2.2219 * 0.399 * 0.1
    error = deviation * np.sqrt(1 + np.pi / 4)
    assert (last.shift, last.freedom) == (pytest.approx(0.95), 1.0)
    assert last.error == pytest.approx(error)
    assert last.p == pytest.approx(2 * stats.t.sf(0.95 / error, 1))


def test_with_all_belief_the_error_is_the_usual_one():
    last = beside_others(fleet(0, 0, 0, 0.1, wide=0), usual=0.02, belief=1e9)[3]
    assert last.error == pytest.approx(0.02 * np.sqrt(1 + np.pi / 6))
    assert last.p == pytest.approx(2 * stats.norm.sf(0.1 / last.error), rel=1e-3)


@pytest.mark.parametrize("count", [3, 4, 5, 8, 30])
def test_one_that_is_far_off_is_sure_and_all_others_are_not(count):
    middles = [*np.linspace(-0.004, 0.004, count - 1), log(0.7)]
    *others, last = beside_others(fleet(*middles))
    assert last.p < 1e-4
    assert last.shift == pytest.approx(log(0.7), abs=0.005)
    assert min(one.p for one in others) > 0.05


def test_a_second_bad_one_does_not_hide_the_first():
    *others, a, b = beside_others(fleet(0.002, -0.002, 0.001, -0.001, 0, 0.003, -0.4, -0.5))
    assert max(a.p, b.p) < 0.001
    assert min(one.p for one in others) > 0.05


def test_two_that_differ_cannot_tell_which_is_wrong():
    for standing in beside_others(fleet(0, 1)):
        assert standing.p is None
        assert "only 2 measured it: it takes 3" in standing.reason


def test_a_member_with_one_look_is_left_out_and_the_others_are_judged():
    found = beside_others([*fleet(0, 0, 0.5), [0.1], []])
    assert [one.p is None for one in found] == [False, False, False, True, True]
    assert found[3].reason == "1 process can't tell how much its figure varies."
    assert found[4].reason == "0 processes can't tell how much its figure varies."


def test_a_member_that_varies_more_than_others_is_less_sure():
    calm = beside_others([*fleet(0, 0.001, -0.001), [0.1, 0.1, 0.101]])[3]
    wild = beside_others([*fleet(0, 0.001, -0.001), [-0.1, 0.1, 0.3]])[3]
    assert wild.p > 10 * calm.p


def test_noisy_looks_widen_what_is_usual():
    quiet = beside_others(fleet(0, 0, 0, 0.1, wide=0.001))[3]
    noisy = beside_others(fleet(0, 0, 0, 0.1, wide=0.1))[3]
    assert quiet.p < 0.001
    assert noisy.p > 0.1


def test_healthy_fleets_are_rarely_blamed():
    random = np.random.default_rng(4)
    for n in (3, 6, 20):
        least = [
            n * min(s.p for s in beside_others(
                list(0.01 * random.standard_normal((n, 1)) + 0.01 * random.standard_normal((n, 3)))
            ))
            for _ in range(300)
        ]  # fmt: skip
        assert np.mean(np.array(least) < 0.01) <= 0.02, n


def pairs(n):
    return list(combinations(range(n), 2))


@pytest.mark.parametrize("n", [3, 4, 7])
def test_what_ends_add_to_their_links_is_found(n):
    ends = np.arange(n) ** 2.0
    values = [ends[a] + ends[b] for a, b in pairs(n)]
    assert ends_of_links(pairs(n), values) == pytest.approx(ends)


def test_one_bad_link_is_not_blamed_on_its_ends():
    ends = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    values = np.array([ends[a] + ends[b] for a, b in pairs(6)])
    values[pairs(6).index((1, 4))] += 3
    assert ends_of_links(pairs(6), values) == pytest.approx(ends, abs=1e-3)


@pytest.mark.parametrize("links", [[(0, 1)], [(0, 1), (1, 2), (2, 3), (3, 0)]])
def test_links_without_a_triangle_tell_no_end(links):
    assert ends_of_links(links, [1.0] * len(links)) is None


def test_a_ring_with_neighbours_and_their_neighbours_tells_every_end():
    links = [(i, (i + d) % 20) for d in (1, 2) for i in range(20)]
    ends = np.linspace(0, 1, 20)
    found = ends_of_links(links, [ends[a] + ends[b] for a, b in links])
    assert found == pytest.approx(ends)


@pytest.mark.parametrize("count", [3, 4, 9, 40])
def test_all_members_at_once_stand_as_each_beside_the_others_alone(count):
    random = np.random.default_rng(count)
    middles = np.round(random.standard_normal(count), 2)  # with ties
    members = [middle + 0.01 * random.standard_normal(3) for middle in middles]
    found = beside_others(members, usual=0.0, belief=0.0)
    medians = np.array([np.median(member) for member in members])
    for i, standing in enumerate(found):
        others = np.delete(medians, i)
        assert standing.shift == medians[i] - np.median(others)
        assert standing.error >= spread(others) * np.sqrt(1 + np.pi / 2 / len(others)) * 0.999999


def test_members_with_different_numbers_of_looks_stand_as_they_did():
    random = np.random.default_rng(5)
    members = [0.01 * random.standard_normal(looks) for looks in (2, 3, 3, 5, 1, 8)]
    found = beside_others(members)
    assert found[4].reason.startswith("1 process")
    assert found[3].shift == pytest.approx(
        np.median(members[3]) - np.median([np.median(members[i]) for i in (0, 1, 2, 5)])
    )
