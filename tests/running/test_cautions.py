"""Each caution on a sample that has its cause, and on one that has not."""

import msgspec
import numpy as np
import pytest

import made
from shapes import bimodal, correlated, drifting, normal, spiky, stepping
from stend.record import Integers, Numbers, Sample, Stop
from stend.record.cautions import Caution
from stend.running.sampling import examine

C = Caution


def random() -> np.random.Generator:
    return np.random.default_rng(1)


def sample(x, **also) -> Sample:
    return made.sample((1e-4 * np.asarray(x)).tolist(), **also)


def stopped(criterion: str) -> Stop:
    return Stop(rule="precision", criterion=criterion)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (normal(random(), 2000, 0.01), ()),
        (spiky(random(), 2000), ()),
        (bimodal(random(), 2000), (C.TWO_MODES,)),
        (stepping(random(), 2000), (C.STEP, C.AUTOCORRELATED)),
        (drifting(random(), 2000), (C.DRIFTING, C.AUTOCORRELATED)),
        (np.round(20 * normal(random(), 2000, 0.03)) / 20, (C.QUANTISED,)),
        (np.where(random().random(2000) < 0.2, 1, 0) * normal(random(), 2000, 1) ** 2
         + normal(random(), 2000, 0.01), (C.NOISY,)),
        (normal(random(), 5), (C.FEW_REPETITIONS,)),
    ],
)  # fmt: skip
def test_what_the_values_tell(x, expected):
    found = [c for c in examine(sample(x)) if c is not C.COARSE_CLOCK]
    assert tuple(found) == tuple(c for c in C if c in expected)


def test_values_that_follow_each_other_are_told():
    x = 1 + correlated(random(), 4000, 0.95, 0.01)
    assert [c for c in examine(sample(x)) if c is not C.COARSE_CLOCK] == [C.AUTOCORRELATED]


def test_two_modes_on_both_sides_of_a_step_are_both_named():
    x = np.concatenate([bimodal(random(), 1000), 1.02 * bimodal(random(), 1000)])
    assert {C.TWO_MODES, C.STEP} <= set(examine(sample(x)))


@pytest.mark.parametrize(
    ("criterion", "caution"),
    [("time limit", C.TIME_LIMIT), ("not reproducible", C.NOT_REPRODUCIBLE)],
)
def test_how_it_stopped(criterion, caution):
    x = normal(random(), 200)
    assert caution in examine(sample(x, stop=stopped(criterion)))
    assert caution not in examine(sample(x))


def test_a_time_limit_is_no_caution_where_the_interval_was_narrow_all_the_same():
    x = normal(random(), 200)
    for half_width, said in ((0.009, False), (0.011, True)):
        stop = Stop(rule="precision", criterion="time limit", half_width=half_width)
        assert (C.TIME_LIMIT in examine(sample(x, stop=stop))) is said


def hit(x, times: int) -> tuple[np.ndarray, Integers]:
    """The first `times` repetitions preempted, and 10% slower."""
    struck = np.arange(len(x)) < times
    return np.where(struck, 1.1, 1) * x, Integers(struck.astype(int).tolist())


def test_preemption_counts_by_its_share_of_short_repetitions():
    x, some = hit(normal(random(), 200), 12)
    assert C.PREEMPTED in examine(sample(x, preempted=some))
    assert C.PREEMPTED not in examine(sample(5000 * x, preempted=some))
    x, few = hit(normal(random(), 200), 8)
    assert C.PREEMPTED not in examine(sample(x, preempted=few))


def test_preemption_that_slowed_nothing_is_no_caution():
    x, some = hit(normal(random(), 200), 40)
    assert C.PREEMPTED not in examine(sample(np.where(some, x / 1.1, x), preempted=some))
    assert C.PREEMPTED in examine(sample(x, preempted=Integers([1] * 200)))


def test_a_slow_mode_that_is_preemption_is_not_called_a_second_mode():
    x = bimodal(random(), 2000)
    slow = Integers((x > np.mean(x)).astype(int).tolist())
    assert C.TWO_MODES in examine(sample(x))
    assert {C.TWO_MODES, C.PREEMPTED} & set(examine(sample(x, preempted=slow))) == {C.PREEMPTED}


def test_two_modes_that_preemption_does_not_explain_stay():
    x = bimodal(random(), 2000)
    all_of_them = Integers([1] * 2000)
    assert {C.TWO_MODES, C.PREEMPTED} <= set(examine(sample(x, preempted=all_of_them)))


def test_a_thread_on_two_cores_has_migrated_and_an_unknown_core_has_not():
    x = normal(random(), 4)
    assert C.MIGRATED in examine(sample(x, core=Integers([1, 1, 2, 1])))
    assert C.MIGRATED not in examine(sample(x, core=Integers([1, -1, -1, 1])))


@pytest.mark.parametrize(("after", "seen"), [(2.8e9, True), (2.9e9, False), (3.2e9, True)])
def test_a_core_that_changed_its_frequency_by_more_than_a_turbo_step_is_throttled(after, seen):
    found = examine(sample(normal(random(), 9), core_hz=(3e9, after)))
    assert (C.THROTTLED in found) is seen


def test_the_step_of_the_clock_is_read_from_its_instants():
    fine = sample(normal(random(), 200))
    ticks = np.asarray(fine.ticks) // 1000 * 1000
    coarse = msgspec.structs.replace(
        fine, ticks=Integers(ticks), started=Integers(np.cumsum(ticks))
    )
    assert C.COARSE_CLOCK not in examine(fine)
    assert C.COARSE_CLOCK in examine(coarse)
    observed = msgspec.structs.replace(coarse, values=Numbers(normal(random(), 200)))
    assert C.COARSE_CLOCK not in examine(observed)


@pytest.mark.parametrize("values", [[], [float("nan")] * 100, [0.0] * 100, [1.0] * 100])
def test_values_without_a_message_bring_nothing_but_their_fewness(values):
    n = len(values)
    empty = made.sample([1e-4] * n, values=Numbers(values))
    assert set(examine(empty)) <= {C.FEW_REPETITIONS}
