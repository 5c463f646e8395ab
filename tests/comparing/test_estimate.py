"""Figures of samples with known medians."""

import math

import pytest

import made
from stend.comparing import estimate
from stend.record import Metric, Numbers, Stop, Work
from stend.record.cautions import Caution


def test_a_rate_is_the_work_of_one_execution_over_its_time():
    sample = made.sample([2e-3] * 20, batch=2)  # 1 ms an execution, 24,000 bytes
    assert estimate(made.case((sample,))).value == pytest.approx(24e6)


@pytest.mark.parametrize(
    ("unit", "expected"), [("FLOP/s", 2e6), ("op/s", 3e6), ("block/s", 4e6), ("s", 1e-3)]
)
def test_every_unit_of_work_has_its_own_rate(unit, expected):
    metric = Metric(name="rate", unit=unit, better="higher")
    work = Work(bytes=1e3, flops=2e3, operations=3e3, blocks=4e3)
    case = made.case((made.sample([1e-3] * 9),), metric=metric, work=work)
    assert estimate(case).value == pytest.approx(expected)


def test_what_a_kernel_reports_itself_is_taken_as_it_is():
    metric = Metric(name="step", unit="seconds", better="lower")
    sample = made.sample([1.0, 1.0, 1.0], values=Numbers([1e-9, math.nan, 3e-9]))
    found = estimate(made.case((sample,), metric=metric))
    assert (found.value, found.repetitions) == (pytest.approx(2e-9), 2)


def test_a_rate_without_declared_work_has_no_figure():
    assert estimate(made.case(work=Work())) is None


def test_a_clock_that_saw_no_time_pass_gives_no_figure():
    assert estimate(made.case((made.sample([0.0] * 5),))) is None


def test_the_value_is_the_median_over_process_medians_not_of_pooled_repetitions():
    long = made.sample([1e-3] * 1000, process=0)
    short = [made.sample([2e-3] * 3, process=i) for i in (1, 2)]
    metric = Metric(name="time", unit="s", better="lower")
    found = estimate(made.case((long, *short), metric=metric))
    assert found.value == pytest.approx(2e-3)
    assert found.medians == {0: 1e-3, 1: 2e-3, 2: 2e-3}


def test_the_interval_is_over_processes_when_there_are_several():
    samples = tuple(made.sample([1e-3 + i * 1e-6] * 9, process=i) for i in range(5))
    interval = estimate(made.case(samples)).interval
    assert interval.over == "processes"


def test_one_process_has_an_interval_of_its_repetitions_and_says_so():
    seconds = [1e-3 + i % 7 * 1e-6 for i in range(60)]
    interval = estimate(made.case((made.sample(seconds),))).interval
    assert interval.over == "repetitions"
    assert interval.low <= estimate(made.case((made.sample(seconds),))).value <= interval.high


def test_one_value_has_a_figure_without_an_interval_and_the_reason():
    found = estimate(made.case((made.sample([1e-3]),)))
    assert found.interval is None
    assert found.why.endswith(".")


def test_two_modes_stand_beside_the_median_when_a_sample_was_found_to_have_them():
    seconds = [1e-3 * (1.3 if i % 3 == 0 else 1.0) + i % 5 * 1e-7 for i in range(300)]
    metric = Metric(name="time", unit="s", better="lower")
    flagged = made.sample(seconds, cautions=(Caution.TWO_MODES,))
    low, high = estimate(made.case((flagged,), metric=metric)).modes
    assert low.value == pytest.approx(1e-3, rel=0.01)
    assert high.value == pytest.approx(1.3e-3, rel=0.01)
    assert high.weight == pytest.approx(1 / 3, abs=0.01)


def test_the_mean_of_the_accepted_round_is_a_rate_too():
    stop = Stop(rule="rounds", criterion="normal", rounds=1, mean=1e-3)
    samples = (made.sample([1e-3] * 32, stop=stop),)
    assert estimate(made.case(samples)).mean == pytest.approx(24e6)


@pytest.mark.parametrize(("noisy", "said"), [(1, ()), (2, ("noisy",)), (3, ("noisy",))])
def test_a_caution_is_of_the_case_when_half_of_its_processes_carry_it(noisy, said):
    cautions = [(Caution.NOISY,)] * noisy + [()] * (3 - noisy)
    samples = tuple(made.sample(process=i, cautions=c) for i, c in enumerate(cautions))
    assert made.case(samples).cautions == said
    assert made.case(samples[:1]).cautions == ("noisy",)
    assert made.case(()).cautions == ()


def test_few_repetitions_are_no_caution_where_the_interval_is_over_processes():
    samples = tuple(
        made.sample([1e-3 + i * 1e-5], process=i, cautions=(Caution.FEW_REPETITIONS,))
        for i in range(3)
    )
    several, alone = made.case(samples), made.case(samples[:1])
    assert (several.cautions, estimate(several).interval is None) == ((), False)
    assert (alone.cautions, estimate(alone).interval) == (("few repetitions",), None)
