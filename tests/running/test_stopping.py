"""The rules by themselves, on arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapes import bimodal, correlated, normal
from stend.running.sampling import Once, Precision, Rounds
from stend.statistics import Floats, median_interval


def random(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def followed(rule, series: Floats, each: float = 1e-4):
    """The stop, and how many it took, when every repetition lasts `each` seconds."""
    n = 0
    while True:
        count, seconds = rule.wants(n, n * each)
        n += max(1, min(count, int(np.ceil(min(seconds, 1e9) / each))))
        if stop := rule.look(series[:n], n * each):
            return stop, n


def test_precision_does_not_stop_before_its_floor_of_time():
    x = normal(random(), 3000, 0.001)
    assert Precision().look(x[:2400], 0.24) is None
    assert Precision().look(x[:2500], 0.25).criterion == "precision"


def test_precision_does_not_stop_below_its_effective_size():
    assert Precision().look(normal(random(), 127, 0.001), 10.0) is None
    assert Precision().look(normal(random(), 160, 0.001), 10.0).criterion == "precision"
    slow = 1 + correlated(random(), 1000, 0.95, 0.001)
    assert Precision().look(slow, 10.0) is None


def test_precision_holds_only_when_it_held_before():
    calm = normal(random(), 2000, 0.03)
    wild = np.concatenate([normal(random(), 1000, 0.5), np.ones(500)])
    assert median_interval(wild).half_width < 0.01
    assert Precision().look(wild, 1.0) is None
    assert Precision().look(calm, 1.0) is not None


def test_precision_goes_on_until_the_interval_is_within_the_target():
    x = normal(random(), 40000, 0.2)
    for target in (0.02, 0.01, 0.005):
        stop, n = followed(Precision(target=target, floor=0.0), x)
        assert stop.half_width <= target
        assert median_interval(x[:n]).half_width == stop.half_width


def test_precision_says_what_it_reached_when_time_runs_out():
    x = normal(random(), 500, 0.3)
    stop = Precision().out_of_time(x)
    assert stop.criterion == "time limit"
    assert stop.half_width == pytest.approx(median_interval(x).half_width)
    assert Precision().out_of_time(normal(random(), 500, 0.001)).criterion == "precision"


@given(st.integers(0, 16383), st.floats(0, 10))
def test_precision_always_wants_more_and_never_more_than_it_keeps(n, seconds):
    count, longest = Precision().wants(n, seconds)
    assert 1 <= count <= 16384 - n
    assert longest > 0


def test_rounds_double_and_start_again():
    rule = Rounds()
    sizes, n = [], 0
    while n < 8064:
        count, _ = rule.wants(n, 0.0)
        sizes.append(count)
        n += count
    assert sizes == [32, 64, 128, 256, 512, 1024] * 4


def test_an_interrupted_round_is_completed():
    assert Rounds().wants(40, 0.0)[0] == 56
    assert Rounds().look(normal(random(), 40), 0.0) is None


def test_rounds_accept_a_normal_sample_by_pearsons_test():
    stop, n = followed(Rounds(), normal(random(2), 9000))
    assert (stop.criterion, stop.rounds, stop.restarts, n) == ("normal", 1, 0, 32)
    assert stop.mean == pytest.approx(1, abs=0.02)


def test_rounds_accept_a_tight_sample_that_is_not_normal():
    x = 1 + 0.018 * (random().random(9000) < 0.5)
    stop, _ = followed(Rounds(), x)
    assert stop.criterion == "tight"


def test_rounds_accept_an_interval_of_eighty_percent():
    x = normal(random(3), 9000)
    x[::10] = 3.0
    stop, _ = followed(Rounds(), x)
    assert stop.criterion == "interval"


def test_the_mean_is_that_of_the_accepted_round_alone():
    x = np.concatenate([bimodal(random(), 32, 0.5, 0.5), normal(random(), 64)])
    stop, n = followed(Rounds(), x)
    assert (stop.accepted_from, n, stop.rounds) == (32, 96, 2)
    assert stop.mean == pytest.approx(x[32:96].mean())


def test_two_equal_modes_are_not_reproducible_after_three_restarts():
    stop, n = followed(Rounds(), bimodal(random(), 9000, 0.5, 0.1))
    assert (stop.criterion, stop.restarts, stop.rounds) == ("not reproducible", 3, 6)
    assert n == 4 * 2016
    assert stop.accepted_from == n - 1024


def test_rounds_out_of_time_keep_the_mean_of_the_round_under_way():
    x = bimodal(random(), 50, 0.5, 0.5)
    stop = Rounds().out_of_time(x)
    assert (stop.criterion, stop.accepted_from) == ("time limit", 32)
    assert stop.mean == pytest.approx(x[32:].mean())


def test_values_that_are_no_numbers_never_fulfil_a_rule():
    nothing = np.full(8064, np.nan)
    assert Rounds().look(nothing, 1.0).criterion == "not reproducible"
    assert Rounds().look(nothing, 1.0).mean is None
    assert Precision().look(nothing, 1.0) is None


def test_once_stops_at_once():
    assert Once().wants(0, 0.0)[0] == 1
    assert Once().look(np.array([3.0]), 0.0).criterion == "once"
    assert Once().out_of_time(np.array([3.0])).criterion == "once"
