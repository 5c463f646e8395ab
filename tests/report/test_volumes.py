"""Tomography: time against accuracy, and whole volumes beside the published ones."""

import json

import pytest

import made
from stend.comparing import estimate, publications
from stend.record import Metric, Numbers, Work
from stend.report.charts import draw
from stend.report.measured_case import Measured, limits


def case(what, a_slice, error, problem="shepp-logan-3d", variant="avx512", **also):
    """One whose every slice takes so many seconds and is off by so much."""
    parameters = {"problem": problem, "slices": 32, "threads": 1} | also
    seconds = a_slice * parameters["slices"]
    samples = tuple(
        made.sample([seconds * (1 + 0.001 * (i - 4)) for i in range(9)], p,
                    also={"RMSE": Numbers([error] * 9)})
        for p in range(3)
    )  # fmt: skip
    return made.case(
        samples, benchmark=f"tomo.{what}", variant=variant, parameters=parameters,
        metric=Metric(name="time", unit="s/slice", better="lower"),
        work=Work(operations=parameters["slices"]),
    )  # fmt: skip


def charts(*cases):
    found = [Measured(i, c, e) for i, c in enumerate(cases) if (e := estimate(c))]
    return {c.title: c for c in draw(found, limits(made.machine(), found))}


@pytest.fixture
def drawn():
    return charts(
        case("dfr", 1.25e-3, 0.0138), case("dfr", 4e-3, 0.0138, variant="portable"),
        case("dfr", 0.75e-3, 0.0138, threads=2), case("fbp", 7e-3, 0.0151),
        case("dfr", 5e-3, 0.02, problem="may-beetle"),
    )  # fmt: skip


def test_a_point_is_the_error_and_the_time_of_a_slice(drawn):
    (panel,) = drawn["tomo: time and accuracy, shepp-logan-3d"].panels
    dfr, fbp = panel.traces
    assert dfr["x"] == pytest.approx([0.0138] * 3)
    assert dfr["y"] == pytest.approx([1.25, 4.0, 0.75], rel=0.01)  # ms
    assert fbp["y"] == pytest.approx([7.0], rel=0.01)


def test_a_volume_is_its_slices_beside_the_published_ones_of_the_same_algorithm(drawn):
    chart = drawn["tomo: the volume shepp-logan-3d"]
    dfr, fbp = chart.panels
    measured, computed, there = dfr.traces
    assert list(measured["x"]) == []
    assert sorted(computed["x"]) == pytest.approx([0.75e-3 * 511, 1.25e-3 * 511], rel=0.01)
    expected = [
        f.seconds
        for f in publications.volumes()
        if (f.problem, f.algorithm) == ("shepp-logan-3d", "dfr")
    ]
    assert sorted(there["x"]) == sorted(expected)
    assert fbp.traces[1]["x"] == pytest.approx([7e-3 * 511], rel=0.01)


def test_a_volume_that_was_measured_whole_is_not_computed_from_a_few_slices():
    few, whole = case("dfr", 1.25e-3, 0.0138), case("dfr", 1.5e-3, 0.0138, slices=511)
    chart = charts(few, whole, case("fbp", 7e-3, 0.0151))["tomo: the volume shepp-logan-3d"]
    dfr, fbp = chart.panels
    assert list(dfr.traces[0]["x"]) == pytest.approx([1.5e-3 * 511], rel=0.01)
    assert list(dfr.traces[1]["x"]) == []
    assert fbp.traces[1]["text"][0].endswith(", computed from 32 slices")
    assert "computed" in chart.legend[1]
    assert [row[-2] for row in chart.rows][:3] == ["0.639", "0.766", "3.58"], "all in seconds"
    assert [row[-1] for row in chart.rows][:3] == [
        "computed from 32 slices", "measured", "computed from 32 slices",
    ]  # fmt: skip


def test_problems_have_charts_of_their_own(drawn):
    assert "tomo: the volume may-beetle" in drawn
    (panel,) = drawn["tomo: the volume may-beetle"].panels
    assert panel.traces[1]["x"] == pytest.approx([5e-3 * 1261], rel=0.01)


def test_the_table_has_every_case_and_every_published_figure(drawn):
    chart = drawn["tomo: the volume shepp-logan-3d"]
    figures = [f for f in publications.volumes() if f.problem == "shepp-logan-3d"]
    assert len(chart.rows) == 4 + len(figures) == 34
    for of in drawn.values():
        for panel in of.panels:
            json.dumps([panel.traces, panel.layout], allow_nan=False)


def test_the_time_is_of_a_slice_and_reads_so():
    (chart,) = (c for title, c in charts(case("dfr", 1.25e-3, 0.01)).items() if "accuracy" in title)
    ((_, time, error),) = chart.rows
    assert time.endswith("ms/slice")
    assert time.startswith("1.25")
    assert error == "0.01000"
