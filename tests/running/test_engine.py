"""The engine on collectors with known answers."""

import msgspec
import numpy as np
import pytest

from shapes import bimodal, normal
from stend.errors import MeasuringError
from stend.record import Proof, Sample, from_json, to_json
from stend.record.cautions import Caution
from stend.running.sampling import Once, Precision, Rounds, measure
from stend.statistics import Floats, median_interval
from synthetic import CLOCK, Played, proved


def measured(series: Floats, **also) -> Sample:
    collector = also.pop("collector", None) or Played(series)
    fields = {"clock": CLOCK, "rule": Precision(), "budget": 2.0, "proof": proved}
    return measure(collector, **fields | also)


def seconds(sample: Sample) -> Floats:
    return np.asarray(sample.ticks) / sample.hz / sample.batch


def spent(sample: Sample) -> float:
    """Wall time from the collector's beginning to the sample's end."""
    return (sample.started[-1] + sample.ticks[-1]) / sample.hz


def random(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_quiet_work_converges_to_its_time_within_half_a_second():
    sample = measured(2e-9 * normal(random(), 30000, 0.003))
    assert sample.stop.criterion == "precision"
    assert sample.cautions == ()
    assert np.median(seconds(sample)) == pytest.approx(2e-9, rel=0.001)
    assert spent(sample) < 0.5
    assert sample.stop.effective >= 128
    assert sample.stop.half_width < 0.01
    sampled = spent(sample) - sample.started[0] / sample.hz
    assert 0.25 <= sampled < 0.4


def test_short_work_is_batched_until_a_timing_lasts_fifty_microseconds():
    sample = measured(1e-9 * normal(random(), 30000, 0.01))
    assert sample.batch == 65536
    assert 50e-6 <= np.median(sample.ticks) / sample.hz < 100e-6


def test_a_coarse_clock_takes_a_thousand_of_its_steps():
    clock = msgspec.structs.replace(CLOCK, resolution=1e-6)
    sample = measured(1e-6 * normal(random(), 30000, 0.01), clock=clock)
    assert sample.batch == 1024


def test_an_interrupted_timing_does_not_end_the_calibration():
    series = 1e-6 * normal(random(), 30000, 0.003)
    series[1] = 0.004
    assert measured(series).batch == 64


def test_work_that_was_cold_is_batched_by_what_it_takes_when_warm():
    series = 1e-6 * normal(random(), 30000, 0.003)
    series[:20] *= 40
    sample = measured(series)
    assert np.median(sample.ticks) / sample.hz >= 50e-6


def test_work_that_takes_no_time_is_an_error():
    with pytest.raises(MeasuringError, match="not being done"):
        measured(np.zeros(10))


@pytest.mark.parametrize("unknown", ["hz", "resolution"])
def test_a_clock_that_is_not_known_is_an_error(unknown):
    with pytest.raises(MeasuringError, match="virtual"):
        measured(np.ones(9), clock=msgspec.structs.replace(CLOCK, **{unknown: None}))


@pytest.mark.parametrize("constant", [200, 1000])
def test_a_warm_up_is_discarded(constant):
    warm = 0.5 * np.exp(-np.arange(30000) / constant)
    sample = measured(1e-4 * (normal(random(), 30000, 0.01) + warm))
    assert np.median(seconds(sample)) == pytest.approx(1e-4, rel=0.003)
    assert sample.warm_up > 3 * constant


def test_a_warm_up_longer_than_a_quarter_of_the_budget_is_a_caution():
    warm = 0.5 * np.exp(-np.arange(30000) / 4000)
    sample = measured(1e-4 * (normal(random(), 30000, 0.01) + warm))
    assert sample.started[0] / sample.hz < 0.51
    assert Caution.DRIFTING in sample.cautions


def test_long_work_ends_with_the_budget_and_says_so():
    collector = Played(0.5 * normal(random(), 100, 0.01))
    sample = measured(np.empty(0), collector=collector)
    assert (sample.warm_up, len(sample.ticks)) == (1, 3)
    assert sample.stop.criterion == "time limit"
    assert Caution.FEW_REPETITIONS in sample.cautions
    assert Caution.TIME_LIMIT not in sample.cautions  # it is the same fault
    assert spent(sample) < 2.25


@pytest.mark.parametrize("each", [0.012, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7])
def test_no_repetition_overruns_the_budget_by_more_than_its_half(each):
    sample = measured(each * normal(random(), 1000, 0.01))
    assert spent(sample) <= max(2.0 + 0.52 * each, 4.1 * each)
    assert len(sample.ticks) >= 3
    assert sample.warm_up >= 1
    assert sample.started[0] / sample.hz <= max(0.5 + 0.52 * each, 1.1 * each)


@pytest.mark.parametrize("each", [1.0, 5.0, 19.0])
def test_three_repetitions_are_made_of_whatever_takes_longer_than_the_budget(each):
    sample = measured(each * normal(random(), 10, 0.01))
    assert (sample.warm_up, len(sample.ticks)) == (1, 3)


def test_work_that_takes_more_than_ten_budgets_is_made_once_more_after_its_warm_up():
    sample = measured(25.0 * normal(random(), 10, 0.01))
    assert (sample.warm_up, len(sample.ticks)) == (1, 1)


def test_noise_is_sampled_until_the_interval_is_narrow():
    sample = measured(1e-4 * normal(random(), 40000, 0.3), budget=20)
    assert sample.stop.criterion == "precision"
    assert 0.008 < sample.stop.half_width <= 0.01
    assert median_interval(seconds(sample)).half_width == pytest.approx(sample.stop.half_width)


def test_more_repetitions_than_can_be_kept_are_not_made():
    sample = measured(60e-6 * normal(random(), 60000, 0.9).clip(0.01), budget=30)
    assert len(sample.ticks) == 16384
    assert sample.stop.criterion == "repetition limit"


def test_observations_are_never_batched_and_judged_by_their_values():
    values = 100 * normal(random(), 30000, 0.01)
    sample = measured(values, collector=Played(values, observed=1e-6))
    assert sample.batch == 1
    assert np.median(np.asarray(sample.values)) == pytest.approx(100, rel=0.01)
    assert sample.stop.criterion == "precision"
    assert Caution.COARSE_CLOCK not in sample.cautions


def test_what_else_was_observed_is_kept_beside_the_values():
    values = 100 * normal(random(), 3000, 0.01)
    played = Played(values, observed=1e-3, also={"injected B/s": 2 * values})
    sample = measured(values, collector=played)
    beside = np.asarray(sample.also["injected B/s"])
    assert len(beside) == len(sample.ticks) > 64, "several collections are joined"
    assert (beside == 2 * np.asarray(sample.values)).all()
    assert from_json(to_json(sample), Sample) == sample


def test_observations_without_a_number_end_with_the_budget():
    values = np.full(1000, np.nan)
    sample = measured(values, collector=Played(values, observed=1e-3), budget=0.5)
    assert sample.stop.criterion == "time limit"
    assert sample.stop.effective == 0
    assert sample.stop.half_width is None


@pytest.mark.parametrize("rule", [Precision(), Rounds(), Once()])
def test_a_wrong_result_ends_the_sampling_and_is_kept(rule):
    early = 0 if isinstance(rule, Once) else 700
    collector = Played(1e-4 * bimodal(random(), 30000, 0.5, 0.5), wrong_at=early)
    sample = measured(np.empty(0), collector=collector, rule=rule)
    assert not sample.proof.right
    assert "check failed" in sample.proof.said
    assert sample.stop.criterion == "wrong result"
    assert collector.made == early + 1
    assert len(sample.ticks) >= 1


@pytest.mark.parametrize("wrong_at", [0, 1, 3, 100])
def test_a_wrong_result_while_warming_up_is_kept_too(wrong_at):
    sample = measured(
        np.empty(0), collector=Played(1e-4 * normal(random(), 30000, 0.01), wrong_at=wrong_at)
    )
    assert not sample.proof.right
    assert sample.warm_up + len(sample.ticks) == wrong_at + 1


def test_a_proof_that_fails_in_the_end_is_the_samples():
    sample = measured(
        1e-4 * normal(random(), 30000), proof=lambda: Proof(right=False, said="The sum is off.")
    )
    assert sample.proof == Proof(right=False, said="The sum is off.")


def test_what_the_work_raises_goes_through():
    class Broken:
        def collect(self, batch, count, seconds, /):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        measured(np.empty(0), collector=Broken())


def test_once_is_one_execution_without_preparation():
    collector = Played(1e-9 * normal(random(), 100))
    sample = measured(np.empty(0), collector=collector, rule=Once())
    assert (sample.batch, len(sample.ticks), sample.warm_up) == (1, 1, 0)
    assert sample.stop.criterion == "once"
    assert collector.made == 1


def test_the_cores_frequency_is_probed_around_the_sampling():
    collector = Played(1e-4 * normal(random(), 30000))
    made = []

    def probe() -> float:
        made.append(collector.made)
        return 3e9 if len(made) == 1 else 2e9

    sample = measured(np.empty(0), collector=collector, core_frequency=probe)
    assert sample.core_hz == (3e9, 2e9)
    assert made == [sample.warm_up, sample.warm_up + len(sample.ticks)]
    assert Caution.THROTTLED in sample.cautions


def test_a_frequency_that_cannot_be_read_is_none():
    assert measured(1e-4 * normal(random(), 30000), core_frequency=lambda: None).core_hz is None


@pytest.mark.parametrize(
    ("move", "caution"),
    [(np.arange(30000) / 3000, Caution.DRIFTING), (np.arange(30000) > 1800, Caution.STEP)],
)
def test_work_that_moved_is_a_caution(move, caution):
    sample = measured(1e-4 * (normal(random(), 30000, 0.01) + 0.05 * move))
    assert caution in sample.cautions
    assert Caution.TWO_MODES not in sample.cautions


def test_a_thread_that_changed_cores_is_a_caution():
    collector = Played(1e-4 * normal(random(), 30000), core=lambda i: i // 1000 % 2)
    assert Caution.MIGRATED in measured(np.empty(0), collector=collector).cautions


def test_the_sample_survives_the_journey_through_a_run_file():
    sample = measured(1e-4 * normal(random(), 3000, 0.01), process=2, origin=77)
    assert from_json(to_json(sample), Sample) == sample
    assert (sample.process, sample.origin, sample.clock) == (2, 77, "virtual")
