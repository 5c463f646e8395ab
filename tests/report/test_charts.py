"""Each shape of cases gets the chart that fits it, whatever the benchmark is called."""

import json

import pytest

import made
from report.example import example
from stend.comparing import compare, estimate
from stend.record import Metric, Work
from stend.report.charts import draw
from stend.report.charts.chart import label
from stend.report.charts.group import Measured
from stend.report.charts.ratios import ratios
from stend.report.names import short

TIME = Metric(name="time", unit="s", better="lower")


def charts(*cases):
    return draw([Measured(i, c, estimate(c)) for i, c in enumerate(cases) if estimate(c)])


def numbered(name, values, **also):
    return [
        made.case((made.sample([1e-3 * (i + 1)] * 9),), parameters={name: v}, **also)
        for i, v in enumerate(values)
    ]


def test_threads_go_along_the_axis_with_a_panel_an_operation():
    (chart,) = charts(
        *numbered("threads", [1, 2], benchmark="mine.read"),
        *numbered("threads", [1, 2], benchmark="mine.write"),
    )
    assert chart.title == "mine: bandwidth by threads"
    assert [panel.title for panel in chart.panels] == ["read", "write"]
    assert {trace["type"] for panel in chart.panels for trace in panel.traces} == {"bar"}


def test_many_thread_counts_are_lines():
    (chart,) = charts(*numbered("threads", [1, 2, 4, 8, 16]))
    assert chart.panels[0].traces[0]["x"] == [1, 2, 4, 8, 16]


def test_sizes_run_along_a_log_axis_and_a_rate_shows_its_time_too():
    (chart,) = charts(*numbered("block", [1 << 20, 1 << 22, 1 << 24], work=Work(bytes=1e6)))
    bandwidth, time = chart.panels
    assert bandwidth.layout["xaxis"]["type"] == "log"
    assert bandwidth.layout["xaxis"]["ticktext"] == ["1 MiB", "4 MiB", "16 MiB"]
    assert time.layout["yaxis"]["type"] == "log"
    assert time.traces[0]["y"] == pytest.approx([1.0, 2.0, 3.0])  # ms


def test_words_are_rows_with_the_best_first():
    (chart,) = charts(*numbered("timer", ["slow", "fast"][::-1], metric=TIME))
    assert chart.panels[0].layout["yaxis"]["categoryarray"] == ["slow", "fast"]


def test_signed_errors_are_drawn_by_their_size():
    run = example()
    (errors,) = [c for c in charts(*run.cases) if "error" in c.title]
    rows = dict(errors.rows)
    assert rows["clock.error timer=times duration=0.001"] == "900%"


def test_one_case_alone_is_a_histogram_of_all_its_repetitions():
    (chart,) = charts(made.case())
    assert chart.panels[0].traces[0]["type"] == "bar"


def test_a_shape_nobody_thought_of_is_dots_with_intervals():
    cases = [made.case(parameters={"on": v}, metric=TIME) for v in (True, False)]
    (chart,) = charts(*cases)
    assert chart.panels[0].traces[0]["mode"] == "markers"
    assert len(chart.rows) == 2


@pytest.mark.parametrize("values", [[0.0] * 9, [-1.0] * 9, [1e300] * 9, [5.0]])
@pytest.mark.parametrize("unit", ["things", "relative", "seconds", "B/s"])
@pytest.mark.parametrize("name", ["threads", "block", "word", "size"])
def test_any_value_has_a_chart_that_is_json(values, unit, name):
    from stend.record import Numbers

    points = {"word": ["a", "b", "c"]}.get(name, [1, 16, 256])
    sample = made.sample([1e-3] * len(values), values=Numbers(values))
    metric = Metric(name="odd", unit=unit, better="lower")
    drawn = charts(*[made.case((sample,), parameters={name: p}, metric=metric) for p in points])
    for panel in drawn[0].panels:
        json.dumps([panel.traces, panel.layout], allow_nan=False)


def test_every_measured_case_is_in_exactly_one_table_behind_a_chart():
    run = example()
    behind = [row[0] for chart in charts(*run.cases) for row in chart.rows]
    assert sorted(behind) == sorted(c.name for c in run.cases if estimate(c))


def test_better_is_to_the_right_for_times_too():
    a = made.run((made.case(tuple(made.sample([2e-3] * 9, i) for i in range(8)), metric=TIME),))
    b = made.run((made.case(tuple(made.sample([1e-3] * 9, i) for i in range(8)), metric=TIME),))
    (panel,) = ratios(compare(a, b)).panels
    (x,) = [trace["x"] for trace in panel.traces if trace["x"]]
    assert x == [pytest.approx(2.0)]


def test_a_label_is_no_markup_for_plotly():
    assert label("<a href='x'>\n&") == "&lt;a href='x'&gt;·&amp;"


def test_short_names_leave_out_what_is_alike_and_stay_apart():
    names = ["s.a n=1 m=5 [p]", "s.a n=2 m=5 [p]", "s.b n=1 m=5 [p]"]
    assert short(names) == ["s.a n=1", "s.a n=2", "s.b n=1 m=5 [p]"]
    assert short(["s.a n=1", "s.a n=1 n=1"]) == ["s.a n=1", "s.a n=1 n=1"]
