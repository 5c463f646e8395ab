"""A load becomes one repetition, with no figure that its operations don't bear."""

import pytest

from stend.record import CaseRecord, Sample, Status
from stend.record.cautions import Caution
from stend.record.invariants import validate
from stend.record.loads import FioRun, Load, State
from stend.storage.fio.load_case import case_of, sample_of
from stend.storage.fio.results import METRIC, flows
from storage.fio.reports import job, named, report, way


def load(state: State = "ok", read: dict[int, int] | None = None, **more: dict[int, int]) -> Load:
    ways = {name: way(latencies, 2000) for name, latencies in more.items()}
    found = flows(report(job(read=way({100_000: 2000} if read is None else read, 2000), **ways)))
    reasons = () if state == "ok" else ("It was so.",)
    return Load(
        state=state, reasons=reasons, runs=(FioRun(phase="measure", state=state, flows=found),)
    )


def case(*samples: Sample) -> CaseRecord:
    made = case_of("storage.randread", "How?", {"block": 4096}, samples)
    validate(made)
    return made


def test_directions_count_together() -> None:
    sample = sample_of(load(write={300_000: 2000}), 0, cpu=0.25)
    assert sample.values is not None
    assert list(sample.values) == [2000.0]
    also = {name: column[0] for name, column in sample.also.items()}
    assert also["bandwidth B/s"] == 2000 * 4096
    assert also["latency s"] == pytest.approx(200e-6)
    assert also["p50 s"] == pytest.approx(named(100_000) / 1e9)
    assert also["p99 s"] == pytest.approx(named(300_000) / 1e9)
    assert also["cpu share"] == 0.25


@pytest.mark.parametrize(("n", "told"), [(999, 1), (1000, 2), (9999, 2), (10_000, 3), (100_000, 4)])
def test_a_percentile_has_ten_operations_beyond_it(n: int, told: int) -> None:
    also = sample_of(load(read={5000: n}), 0).also
    assert sum(name.startswith("p") for name in also) == told


def test_a_case_names_the_figures_it_has() -> None:
    made = case(sample_of(load(), 0), sample_of(load(), 1))
    assert (made.status, made.metric) == (Status.MEASURED, METRIC)
    assert set(made.further) == {"bandwidth B/s", "latency s", "p50 s", "p99 s"}


@pytest.mark.parametrize("state", ["failed", "partial"])
def test_one_bad_round_fails_the_case_and_is_kept(state: State) -> None:
    made = case(sample_of(load(), 0), sample_of(load(state), 1))
    assert made.status is Status.FAILED
    assert made.reason == "It was so."
    assert [sample.proof.right for sample in made.samples] == [True, False]


def test_an_interrupted_load_has_the_figures_of_what_it_did() -> None:
    made = case(sample_of(load("interrupted"), 0))
    assert (made.status, made.has_figure) == (Status.INTERRUPTED, True)
    made = case(sample_of(load("interrupted", read={}), 0))
    assert (made.status, made.has_figure, made.samples) == (Status.INTERRUPTED, False, ())


def test_an_unsteady_load_is_measured_and_marked() -> None:
    made = case(sample_of(load("unsteady"), 0))
    assert made.status is Status.MEASURED
    assert made.cautions == (Caution.UNSTEADY,)


def test_a_load_without_a_run_is_no_measurement() -> None:
    assert case().status is Status.FAILED
    sample = sample_of(Load(state="failed", reasons=("fio is not there.",)), 0)
    assert case(sample).reason == "fio is not there."
