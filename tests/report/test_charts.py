"""Each shape of cases gets the chart that fits it, whatever the benchmark is called."""

import json

import pytest
from msgspec.structs import replace

import made
from report.comparisons import comparison, judged
from report.example import example
from report.processor import processor
from stend.comparing import Verdict, compare, estimate
from stend.record import ClockFacts, Conditions, Integers, Metric, Numbers, Watched, Work
from stend.report.charts import draw
from stend.report.charts.chart import decades, label
from stend.report.charts.ratios import ratios
from stend.report.charts.watch import watched
from stend.report.measured_case import Measured, limits
from stend.report.quantities import Scale

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


def test_operations_of_one_figure_share_a_panel():
    (chart,) = charts(
        *numbered("threads", [1, 2], benchmark="mine.read"),
        *numbered("threads", [2], benchmark="mine.write"),
        *numbered("threads", [2], benchmark="mine.copy"),
    )
    read, others = chart.panels
    assert (read.title, others.title) == ("read", "the others")
    assert [trace["x"] for trace in others.traces] == [["write<br>2", "copy<br>2"]]
    assert len(chart.rows) == 4


def test_one_operation_of_one_figure_stands_with_the_rest():
    (chart,) = charts(
        *numbered("threads", [1, 2], benchmark="mine.read"),
        *numbered("threads", [2], benchmark="mine.write"),
    )
    (panel,) = chart.panels
    assert [trace["x"] for trace in panel.traces] == [["1", "2"], ["2"]]


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


@pytest.fixture(scope="module")
def known():
    """The charts of a whole processor by their titles."""
    run = processor(full=True)
    found = [Measured(i, c, e) for i, c in enumerate(run.cases) if (e := estimate(c))]
    return {chart.title: chart for chart in draw(found, limits(run.machine, found))}


def test_the_peaks_are_one_chart_whose_notes_tell_the_frequencies(known):
    peak = known["peak: what the processor can do at most"]
    assert [p.title for p in peak.panels] == ["float64", "float32", "int32"]
    assert peak.legend == ("1 thread", "2 threads")
    assert len(peak.notes) == 2


def test_linpack_names_the_best_library_of_those_that_were_measured(known):
    drawn = known["LINPACK: rate by algorithm"]
    assert drawn.notes[0].startswith("The best of 4 for lu n 1\u202f000 on 1 thread is mkl: 47.7")
    assert drawn.panels[0].layout["xaxis"]["range"] == drawn.panels[1].layout["xaxis"]["range"]


def test_a_sweep_has_a_panel_a_number_of_threads_and_its_share_of_the_peak(known):
    drawn = known["linpack.sweep: rate by n"]
    assert [p.title for p in drawn.panels] == [
        "1 thread", "2 threads", "share of the peak, 1 thread", "share of the peak, 2 threads",
    ]  # fmt: skip
    share = drawn.panels[2].traces[drawn.legend.index("mkl")]["y"]
    assert share[-1] == pytest.approx(100 * 48e9 * 8000 / 8200 / (2.4e9 * 32), rel=0.05)


def test_too_many_lines_for_one_panel_get_one_for_each_operation(known):
    drawn = known["memory.bandwidth: bandwidth by size"]
    assert [p.title for p in drawn.panels[:3]] == ["read, 1 thread", "write, 1 thread",
                                                   "copy, 1 thread"]  # fmt: skip
    assert drawn.across == 3
    assert len({str(p.layout["yaxis"]["range"]) for p in drawn.panels}) == 1


def test_the_latency_shows_its_levels_and_what_the_os_has_wrong(known):
    drawn = known["memory.latency: latency by size"]
    assert [row[:3] for row in drawn.listing.rows] == [
        ("L1d", "48 KiB", "between 32 KiB and 64 KiB"),
        ("L2", "2 MiB", "between 2 MiB and 4 MiB"),
        ("L3", "480 MiB", "between 32 MiB and 64 MiB"),
        ("memory", "–", "–"),
    ]
    assert len(drawn.notes) == 1


def test_the_loaded_latency_runs_along_the_bandwidth_that_was_taken(known):
    drawn = known["memory.loaded_latency: latency by the load on the memory"]
    (line,) = drawn.panels[0].traces
    assert line["x"] == sorted(line["x"])
    assert line["x"][-1] == pytest.approx(12.0)


def loaded(*seconds, spread=0.01):
    """The caption over a latency for each of some delays, the least load first."""
    return charts(
        *[
            made.case(
                tuple(
                    replace(
                        made.sample([(1 + spread * i) * s] * 9, i),
                        also={"injected B/s": Numbers([1e9 * (n + 1)] * 9)},
                    )
                    for i in range(5)
                ),
                parameters={"delay": 100 - n},
                metric=TIME,
            )
            for n, s in enumerate(seconds)
        ]
    )[0].says


def test_the_words_over_the_loaded_latency_follow_the_data():
    assert "Within the intervals it stays the same" in loaded(1e-7, 1.002e-7, 1.001e-7)
    assert "rises by 19.6%: this load does not yet fill the memory" in loaded(1e-7, 1.1e-7, 1.2e-7)
    assert "rises to 3 times as long" in loaded(1e-7, 1.1e-7, 3e-7)
    assert "steep" not in loaded(1e-7, 1e-7)
    assert "too wide to tell" in loaded(1e-7, 1e-7, spread=0.5)
    assert "--set threads=" in loaded(1e-7, 1e-7)


def test_ways_to_place_threads_are_lines_over_one_another(known):
    (panel,) = known["memory.write.parallel: bandwidth by threads"].panels
    assert {trace["mode"] for trace in panel.traces} == {"lines+markers"}
    assert len(panel.traces) == 3


def test_copies_stand_beside_as_many_threads(known):
    drawn = known["stream: bandwidth by threads and copies"]
    assert drawn.legend == ("threads", "copies")
    triad = next(p for p in drawn.panels if p.title == "triad")
    assert [(t["name"], t["x"]) for t in triad.traces] == [
        ("threads", ["1", "2"]), ("copies", ["1", "2"]),
    ]  # fmt: skip
    assert not any("stream.copies" in title for title in known)


def test_copies_of_one_count_stand_beside_the_threads_too():
    run = processor()
    one = [c for c in run.cases if c.parameters.get("copies") != 1]
    (drawn,) = [c for c in charts(*one) if c.title.startswith("stream")]
    assert [t["x"] for t in drawn.panels[-1].traces] == [["1", "2"], ["2"]]


def test_grids_stand_in_the_order_of_their_points(known):
    (panel,) = known["fft.complex2d: rate by size"].panels
    assert panel.layout["xaxis"]["categoryarray"] == [
        "256×256", "500×500", "512×512", "521×521", "1024×1024",
    ]  # fmt: skip


def test_detours_are_counted_on_a_log_axis_beside_advice(known):
    drawn = known["noise: what the system takes of a core"]
    assert [p.layout["xaxis"].get("type") for p in drawn.panels] == ["log", None]
    assert "of a core is lost" in drawn.says
    assert any("isolcpus" in note for note in drawn.notes)


def test_shares_that_are_no_errors_are_not_drawn_as_such():
    share = Metric(name="lost", unit="share", better="lower")
    cases = numbered("core", [0, 1], metric=share, benchmark="mine.lost")
    sample = made.sample([1e-3] * 3, values=Numbers([0.1, 0.2, 0.3]))
    (chart,) = charts(*(replace(c, samples=(sample,)) for c in cases))
    assert "Error of" not in chart.says


def test_every_case_of_a_processor_is_in_exactly_one_table(known):
    behind = [row[0] for chart in known.values() for row in chart.rows]
    assert sorted(behind) == sorted(c.name for c in processor(full=True).cases)


@pytest.mark.parametrize("values", [[0.0] * 9, [-1.0] * 9, [1e300] * 9, [5.0]])
@pytest.mark.parametrize("unit", ["things", "relative", "seconds", "B/s"])
@pytest.mark.parametrize("name", ["threads", "block", "word", "size"])
def test_any_value_has_a_chart_that_is_json(values, unit, name):
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


def test_ratios_name_the_parameters_that_tell_cases_apart():
    samples = tuple(made.sample([2e-3] * 9, i) for i in range(8))
    cases = [made.case(samples, parameters={"size": n, "pages": "huge"}) for n in (1024, 2048)]
    (panel,) = ratios(compare(made.run(tuple(cases)), made.run(tuple(cases)))).panels
    named = [f"stream.triad · size {size} KiB" for size in (2, 1)]
    assert panel.layout["yaxis"]["categoryarray"] == named


def test_ratios_over_more_than_tenfold_are_drawn_logarithmically():
    one, ten = (judged("gost.magma", 1.0, Verdict.CANNOT_TELL, width) for width in (0.1, 0.95))
    types = [ratios(comparison(row)).panels[0].layout["xaxis"].get("type") for row in (one, ten)]
    assert types == [None, "log"]


@pytest.mark.parametrize(("width", "ticks"), [(0.85, "D2"), (0.95, 1)])
def test_ticks_of_ratios_leave_room_for_each_other(width, ticks):
    row = judged("gost.magma", 1.0, Verdict.CANNOT_TELL, width)
    assert ratios(comparison(row)).panels[0].layout["xaxis"]["dtick"] == ticks


def test_a_label_is_no_markup_for_plotly():
    assert label("<a href='x'>\n&") == "&lt;a href='x'&gt;·&amp;"


@pytest.mark.parametrize(("mhz", "nominal"), [(2700.0, True), (3900.0, False)])
def test_a_frequency_that_is_always_the_counters_is_called_nominal(mhz, nominal):
    seen = Watched(
        at=Integers([0, 10**8, 2 * 10**8]),
        steal=Numbers([0.0] * 3),
        others=Numbers([0.0] * 3),
        mhz=Numbers([mhz] * 3),
    )
    tsc = ClockFacts(name="tsc", available=True, hz=2.7e9)
    run = made.run(machine=made.machine(clocks=(tsc,)), conditions=Conditions(watched=seen))
    assert watched(run).panels[-1].title.endswith("the nominal one") == nominal


def test_a_log_axis_of_nearly_equal_values_has_ticks_among_them():
    ticks = decades([5.9e-6, 6.7e-6], Scale(1e6, "µs"), "s")["ticktext"]
    assert {"5 µs", "6 µs", "7 µs", "8 µs"} <= set(ticks)
