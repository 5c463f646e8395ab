"""Shifts between runs whose noise is known."""

import math

import numpy as np
import pytest
from scipy import stats

from stend.statistics import RunFigure, between_runs, bounded, run_figure, student, superiority
from stend.statistics.run_variation import BELIEF, FLOOR


def runs(*logs, scatter=0.0, slowed=0.0, unrest=0.0, most=0.0):
    return [RunFigure(log, scatter, slowed, unrest, most) for log in logs]


def answer(shift, confidence=0.99):
    (found,) = student([shift], confidence)
    return found


def test_one_run_each_rests_on_the_prior_alone():
    shift = between_runs(runs(0.0), runs(0.1))
    assert shift.freedom == BELIEF
    assert shift.spread == pytest.approx(FLOOR)
    found = answer(shift)
    width = stats.t.ppf(0.995, BELIEF) * math.sqrt(2) * FLOOR
    assert (found.low, found.high) == (pytest.approx(0.1 - width), pytest.approx(0.1 + width))
    assert found.p == pytest.approx(2 * stats.t.sf(0.1 / (math.sqrt(2) * FLOOR), BELIEF))


def test_without_processes_several_runs_give_students_own_test():
    a, b = [0.0, 0.02, 0.01], [0.1, 0.09, 0.13]
    shift = between_runs(runs(*a, scatter=None), runs(*b, scatter=None))
    expected = stats.ttest_ind(b, a)
    assert answer(shift).p == pytest.approx(expected.pvalue)
    assert shift.freedom == 4


def test_without_processes_two_runs_a_side_answer_and_fewer_do_not():
    one, two = runs(0.0, scatter=None), runs(0.0, 0.01, scatter=None)
    assert between_runs(two, two) is not None
    assert between_runs(one, two) is None
    assert between_runs(one, one, [runs(0.0, 0.01, 0.02, scatter=None)]) is not None


def test_a_few_runs_that_agree_to_the_last_digit_do_not_tell_their_spread():
    third = [math.log(1 / 3)] * 3
    for b in ([math.log(1 / 3)] * 3, [math.log(0.4)] * 3):
        assert between_runs(runs(*third, scatter=None), runs(*b, scatter=None)) is None
    assert between_runs(runs(*third), runs(*third)) is not None


def test_the_more_a_runs_processes_scatter_the_less_it_tells():
    tight, loose = (
        between_runs(runs(0.0), runs(0.1)),
        between_runs(runs(0.0), runs(0.1, scatter=0.2**2)),
    )
    assert loose.variance > 10 * tight.variance


def test_history_that_agrees_narrows_and_one_that_does_not_widens():
    quiet = runs(*(0.001 * (-1) ** i for i in range(12)))
    wild = runs(*(0.05 * (-1) ** i for i in range(12)))
    widths = [
        (found := answer(between_runs(runs(0.0), runs(0.0), history))).high - found.low
        for history in ([quiet], [], [wild])
    ]
    assert widths == sorted(widths)
    assert widths[0] < 0.6 * widths[1]


def test_a_group_of_the_history_is_held_against_itself_alone():
    """Runs of another version may lie elsewhere: only what they scatter by counts."""
    near = between_runs(runs(0.0), runs(0.1), [runs(0.0, 0.01), runs(0.0, 0.01)])
    far = between_runs(runs(0.0), runs(0.1), [runs(0.0, 0.01), runs(5.0, 5.01)])
    assert far.variance == pytest.approx(near.variance)


def test_where_runs_contradict_the_prior_it_counts_less():
    apart = between_runs(runs(0.0, 0.3), runs(0.1, 0.4))
    assert apart.freedom < 2 + 0.1 * BELIEF
    assert apart.spread > 0.15


def test_a_run_that_was_slowed_hardly_counts_among_others():
    calm = between_runs(runs(0.0, 0.0), runs(0.1, 0.1))
    loaded = between_runs(runs(0.0, 0.0), [*runs(0.1, 0.1), *runs(-0.9, slowed=1.2)])
    assert loaded.estimate == pytest.approx(calm.estimate, abs=0.001)


@pytest.mark.parametrize("higher", [True, False])
def test_load_explains_as_much_as_it_took_and_only_for_the_worse(higher):
    """A was measured beside others who took half of the machine; B was not."""
    took = math.log(2)

    def told(improvement):
        b = runs(improvement if higher else -improvement)
        found = answer(bounded(runs(0.0, slowed=took, most=took), b, higher=higher))
        return found if higher else found._replace(low=-found.high, high=-found.low)

    for improvement in (0.01, 0.3, took):
        assert told(improvement).low < 0 < told(improvement).high
        assert told(improvement).p > 0.5
    assert told(took + 0.1).low > 0
    assert told(-0.1).high < 0  # undisturbed, A would be even better
    assert told(-0.1).p < 0.01
    assert told(took + 0.1).p < 0.01


def test_without_load_nothing_is_bounded():
    assert bounded(runs(0.0), runs(0.1), higher=True) is None


def test_runs_that_load_slowed_by_anything_up_to_what_it_took_give_no_false_verdict():
    random, wrong, trials = np.random.default_rng(5), 0, 2000
    for _ in range(trials):
        most = random.uniform(0.05, 2.0, 2)
        logs = -random.uniform(0, most) + FLOOR * random.standard_normal(2)
        a, b = (runs(log, slowed=limit, most=limit) for log, limit in zip(logs, most, strict=True))
        wrong += answer(bounded(a, b, higher=True)).p < 0.01
    assert wrong <= 0.01 * trials


def test_a_run_more_restless_than_others_counts_less_and_one_like_them_as_much():
    past = [runs(*[0.0] * 5)]
    restless = between_runs(runs(0.0), runs(0.1, unrest=0.08), past)
    alike = between_runs(
        *(runs(x, unrest=0.08) for x in (0.0, 0.1)), [runs(*[0.0] * 5, unrest=0.08)]
    )
    assert answer(restless).low < 0 < answer(alike).low
    assert alike == between_runs(runs(0.0), runs(0.1), past)


def test_a_run_of_the_past_with_too_few_processes_hides_nothing_of_the_others():
    """Its processes are taken to scatter as usual: what the sides' own tell still counts."""
    past = runs(0.0, 0.01, scatter=1e-4)
    whole = between_runs(runs(0.0, scatter=1e-4), runs(0.1, scatter=1e-4), [past])
    lacking = [past[0], past[1]._replace(scatter=None)]
    assert between_runs(runs(0.0, scatter=1e-4), runs(0.1, scatter=1e-4), [lacking]) == whole
    assert between_runs(runs(0.0, scatter=None), runs(0.1, scatter=1e-4), [past]) is None


def test_what_the_clock_explains_is_in_the_interval_and_not_in_the_p():
    plain = between_runs(runs(0.0), runs(-0.05))
    explained = between_runs(runs(0.0), runs(-0.05), explained=-0.05)
    assert answer(explained).p == pytest.approx(1.0)
    assert answer(explained).low == pytest.approx(answer(plain).low)
    assert answer(explained).high == pytest.approx(answer(plain).high + 0.05)
    against = between_runs(runs(0.0), runs(-0.05), explained=0.05)
    assert answer(against).p == pytest.approx(answer(plain).p)


@pytest.mark.parametrize("spread", [0.0, 0.01])
def test_suites_in_which_nothing_changed_seldom_deceive(spread):
    random = np.random.default_rng(int(1000 * spread))
    false = 0
    for _ in range(60):
        shifts = [_same(random, spread) for _ in range(10)]
        false += any(10 * found.p <= 0.01 for found in student(shifts, 0.99))
    assert false <= 3


def _same(random, spread):
    logs = spread * random.standard_normal(4)
    found = [run_figure(np.exp(x + 0.01 * random.standard_normal(5)).tolist()) for x in logs]
    return between_runs(found[:2], found[2:])


def test_superiority_counts_pairs_and_ties_as_half():
    assert superiority([1, 2, 3], [4, 5]) == 1
    assert superiority([4, 5], [1, 2, 3]) == 0
    assert superiority([1, 2], [1, 2]) == 0.5
    assert superiority([1, 1, 3], [2]) == pytest.approx(2 / 3)
    assert superiority([], [1]) is None
    assert superiority([float("nan"), 1], [2]) == 1
