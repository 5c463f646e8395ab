"""The distribution of a case: nothing is lost but where it is said."""

import base64

import numpy as np

import made
from stend.comparing import estimate
from stend.record import Conditions, Disturbance, Integers, Metric
from stend.report.distribution import distribution

TIME = Metric(name="time", unit="s", better="lower")


def drawn(samples, conditions=None, points=1000):
    case = made.case(samples, metric=TIME)
    return distribution(case, estimate(case), conditions or Conditions(), points)


def numbers(column):
    return np.frombuffer(base64.b64decode(column["bdata"]), dtype="<f4")


def test_the_histogram_counts_every_repetition_within_its_range():
    shown = drawn((made.sample(list(1e-3 + np.arange(500) * 1e-7)),))
    assert numbers(shown.panels[0].traces[0]["y"]).sum() == 500


def test_far_outliers_are_left_out_of_the_histogram_and_said():
    shown = drawn((made.sample([1e-3, 1.01e-3] * 200 + [1.0]),))
    assert numbers(shown.panels[0].traces[0]["y"]).sum() == 400
    assert shown.said[0] == "1 of 401 repetitions lie outside the histogram's range."


def test_a_thinned_time_course_keeps_every_spike_and_says_how_many_it_shows():
    ticks = np.full(100_000, 100_000)
    ticks[[7, 50_003, 99_999]] = 900_000
    columns = {"started": np.cumsum(ticks) - ticks, "ticks": ticks}
    columns |= {"core": ticks * 0, "preempted": ticks * 0}
    sample = made.sample([], **{name: Integers(c.tobytes()) for name, c in columns.items()})
    shown = drawn((sample,), points=500)
    (trace,) = shown.panels[2].traces
    values = numbers(trace["y"])
    assert len(values) <= 1000
    assert (values > 800).sum() == 3
    assert any("of 100,000 repetitions" in said for said in shown.said)


def test_disturbed_and_preempted_repetitions_are_marked():
    sample = made.sample([1e-3] * 10, preempted=Integers([1] + [0] * 9))
    spell = Disturbance(kind="steal", said="Stolen.", start=1_005_500_000, end=1_006_500_000)
    shown = drawn((sample,), Conditions(during=(spell,)))
    counts = {trace["name"]: len(numbers(trace["y"])) for trace in shown.panels[2].traces}
    assert counts == {"quiet": 7, "preempted": 1, "disturbed machine": 2}


def test_each_process_has_its_own_curve():
    shown = drawn(tuple(made.sample([1e-3, 2e-3, 3e-3], process=i) for i in range(4)))
    assert len(shown.panels[1].traces) == 4


def test_processes_stand_end_to_end_in_the_time_course():
    shown = drawn(tuple(made.sample([1e-3] * 3, process=i) for i in range(2)))
    at = numbers(shown.panels[2].traces[0]["x"])
    assert np.allclose(at, np.arange(6) * 1e-3, atol=1e-6)
