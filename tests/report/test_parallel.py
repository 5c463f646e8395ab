"""Threads under their conditions and messages by their size: the charts that show them."""

import base64
import json

import numpy as np
import pytest

import made
from report import parallel
from stend.comparing import estimate
from stend.record import Numbers, Work
from stend.report.charts import draw, histogram, threads
from stend.report.charts.chart import SERIES
from stend.report.measured_case import P99, P999, Measured, limits, tail


def charts(cases, where=None):
    found = [Measured(i, c, e) for i, c in enumerate(cases) if (e := estimate(c))]
    return {c.title: c for c in draw(found, limits(where or made.machine(), found))}


@pytest.fixture(scope="module")
def full():
    return parallel.parallel(full=True)


@pytest.fixture(scope="module")
def known(full):
    return charts(full.cases, full.machine)


def numbers(encoded):
    return np.frombuffer(base64.b64decode(encoded["bdata"]), f"<{encoded['dtype']}")


def test_every_case_is_in_exactly_one_table(full, known):
    behind = [row[0] for chart in known.values() for row in chart.rows]
    names = {case.name for case in full.cases}
    assert sorted(name for name in behind if name in names) == sorted(names)


def test_every_chart_is_json_and_its_rows_are_as_long_as_its_head(known):
    for chart in known.values():
        for panel in chart.panels:
            json.dumps([panel.traces, panel.layout], allow_nan=False)
        assert {len(row) for row in chart.rows} == {len(chart.columns)}


def thread(name, seconds, load="none", affinity="none", **parameters):
    return made.case(
        tuple(made.sample([seconds * (1 + 0.01 * i) for i in range(9)], p) for p in range(3)),
        benchmark=f"threads.{name}", variant=None, metric=parallel.TIME, work=Work(operations=1),
        parameters={**parameters, "load": load, "affinity": affinity},
    )  # fmt: skip


GLANCE = "threads: what their operations cost"


def test_operations_stand_by_subject_on_one_logarithmic_axis(known):
    (panel,) = known[GLANCE].panels
    rows = panel.layout["yaxis"]["ticktext"]
    heads = [row for row in rows if row.startswith("<b>")]
    assert heads == [
        "<b>Life of a thread</b>", "<b>Waking blocked threads</b>", "<b>Mutex</b>",
        "<b>Shared by threads</b>", "<b>From one thread to another</b>",
    ]  # fmt: skip
    assert rows[rows.index("<b>Mutex</b>") + 1] == "mutex create"
    assert panel.layout["xaxis"]["type"] == "log"


def test_the_load_is_the_colour_and_the_affinity_the_shape(known):
    (panel,) = known[GLANCE].panels
    medians = [t for t in panel.traces if "error_x" in t]
    assert len({t["marker"]["color"] for t in medians}) == len(parallel.LOADS)
    assert {t["marker"]["symbol"] for t in medians} == {"circle", "diamond-open"}
    assert known[GLANCE].legend[0] == "no load"


def test_the_table_tells_what_load_and_binding_do():
    chart = charts(
        [
            thread("create", 1e-5),
            thread("create", 4e-5, load="all"),
            thread("create", 8e-6, affinity="bound"),
        ]
    )[GLANCE]
    rows = {row[0]: row[-2:] for row in chart.rows}
    assert rows["threads.create load=none affinity=none"] == ("–", "–")
    assert rows["threads.create load=all affinity=none"] == ("+300%", "–")
    assert rows["threads.create load=none affinity=bound"] == ("–", "−20.0%")
    assert chart.notes == (
        "With load on all CPUs the time of create changes by +300%.",
        "Bound to CPUs and without load the time of create changes by −20.0%.",
    )


def test_of_many_counts_the_ends_have_rows_and_the_table_has_all():
    cases = [thread("spinlock", 1e-8 * n, threads=n) for n in (1, 2, 4, 8)]
    found = charts(cases)
    (panel,) = found[GLANCE].panels
    assert panel.layout["yaxis"]["ticktext"][1:] == ["spinlock, 1 thread", "spinlock, 8 threads"]
    assert len(found[GLANCE].rows) == 4
    assert "only the least and the most" in found[GLANCE].says


def test_ends_are_those_of_the_same_operation():
    cases = [thread("spinlock", 1e-8, threads=n) for n in (1, 8)]
    cases += [thread("barrier", 1e-6, threads=n) for n in (2, 4, 6)]
    shown = threads.ends_only([Measured(i, c, estimate(c)) for i, c in enumerate(cases)])
    assert [m.case.parameters["threads"] for m in shown] == [1, 8, 2, 6]


def test_waking_is_a_curve_by_the_number_that_is_blocked(known):
    chart = known["threads: waking by the number that is blocked"]
    one, every = chart.panels
    assert (one.title, every.title) == ("wake one", "wake all")
    assert every.traces[0]["x"] == [100, 200, 500, 1000]
    assert every.layout["xaxis"]["type"] == every.layout["yaxis"]["type"] == "log"
    assert chart.columns[1:] == ("100", "200", "500", "1\u202f000")


def test_whiskers_on_a_log_axis_have_an_end():
    def case(blocked):
        samples = tuple(made.sample([1e-5 * (1 + 2 * p)] * 9, p) for p in range(5))
        parameters = {"blocked": blocked, "load": "none", "affinity": "none"}
        return made.case(
            samples, benchmark="threads.wake.one", parameters=parameters, metric=parallel.TIME
        )

    chart = charts([case(100), case(1000)])["threads: waking by the number that is blocked"]
    (trace,) = chart.panels[0].traces
    assert trace["error_y"]["arrayminus"] == pytest.approx([y / 2 for y in trace["y"]])
    assert trace["error_y"]["array"] == pytest.approx(trace["y"])


def test_waking_that_hardly_differs_still_has_ticks_and_looks_level():
    def case(blocked, seconds):
        samples = tuple(made.sample([seconds] * 9, p) for p in range(3))
        parameters = {"blocked": blocked, "load": "none", "affinity": "none"}
        return made.case(
            samples, benchmark="threads.wake.one", parameters=parameters, metric=parallel.TIME
        )

    chart = charts([case(100, 7.0e-6), case(1000, 6.8e-6)])
    axis = chart["threads: waking by the number that is blocked"].panels[0].layout["yaxis"]
    low, high = (10**end for end in axis["range"])
    assert high > 5 * low
    assert sum(low < tick < high for tick in axis["tickvals"]) >= 2


def test_the_pair_of_hosts_whose_messages_stand_for_all_is_named(known):
    assert (
        "Between nodes: n1+n2, one of 3 pairs."
        in known["mpi: how the times of a message spread"].says
    )


def test_what_threads_share_has_a_curve_from_three_counts_on(known):
    chart = known["threads: what they share, by their number"]
    titles = [panel.title for panel in chart.panels]
    assert titles == ["mutex lock unlock", "spinlock", "semaphore", "atomic add", "false sharing",
                      "barrier"]  # fmt: skip
    assert [t["name"] for t in chart.panels[4].traces] == ["8 B apart", "128 B apart"]
    two = charts([thread("spinlock", 1e-8, threads=n) for n in (1, 2)])
    assert list(two) == [GLANCE]


def message(name, seconds, variant="openmpi", n=9, metric=parallel.LATENCY, **parameters):
    values = list(seconds) if isinstance(seconds, list) else [seconds] * n
    return made.case(
        (made.sample(values),), benchmark=f"mpi.{name}", variant=variant, metric=metric,
        parameters=parameters, work=Work(),
    )  # fmt: skip


PINGPONG = "mpi: ping-pong by message size"


def test_latency_and_bandwidth_run_by_size_on_logarithmic_axes():
    chart = charts([message("pingpong", 1e-6 * n, bytes=1000 * n) for n in (1, 2, 3)])[PINGPONG]
    latency, bandwidth = chart.panels
    assert latency.layout["xaxis"]["type"] == latency.layout["yaxis"]["type"] == "log"
    assert latency.traces[0]["y"] == pytest.approx([1, 2, 3])
    assert bandwidth.traces[0]["y"] == pytest.approx([1, 1, 1])
    assert [row[-1] for row in chart.rows] == ["1.00 GB/s"] * 3


def test_an_empty_message_has_a_place_left_of_one_byte_and_no_bandwidth():
    chart = charts([message("pingpong", 1e-6, bytes=n) for n in (0, 1, 2)])[PINGPONG]
    latency, bandwidth = chart.panels
    assert latency.traces[0]["x"] == [0.5, 1, 2]
    assert latency.layout["xaxis"]["ticktext"][0] == "0 B"
    assert bandwidth.traces[0]["x"] == [1, 2]
    assert chart.rows[0][-1] == "–"


def test_a_tail_is_told_only_where_enough_repetitions_lie_in_it():
    case = message("pingpong", [1e-6] * 195 + [1e-3] * 5, bytes=8)
    one = Measured(0, case, estimate(case))
    assert tail(one, P99) == pytest.approx(1e-3)
    assert tail(one, P999) is None


def test_the_tail_of_a_rate_is_its_slow_end():
    case = message("bidirectional", [1e-6] * 195 + [1e-3] * 5, metric=parallel.BANDWIDTH)
    case = made.case(case.samples, metric=parallel.BANDWIDTH, work=Work(bytes=1000.0))
    assert tail(Measured(0, case, estimate(case)), P99) == pytest.approx(1e6)


def test_tails_are_thinner_lines_of_the_same_colour():
    seconds = [1e-6] * 1980 + [1e-3] * 20 + [2e-3] * 3
    chart = charts([message("pingpong", seconds, bytes=n) for n in (8, 16)])[PINGPONG]
    thin = [t for t in chart.panels[0].traces if t["mode"] == "lines"]
    (median,) = [t for t in chart.panels[0].traces if t["mode"] == "lines+markers"]
    assert [t["line"]["dash"] for t in thin] == ["dot", "dash"]
    assert {t["line"]["color"] for t in thin} == {median["line"]["color"]}
    assert "Dotted lines" in chart.says


def test_lines_are_told_apart_by_place_and_variants_get_panels_when_there_are_too_many(known):
    chart = known[PINGPONG]
    assert chart.legend[0] == "within a socket"
    assert len(chart.legend) <= SERIES
    assert [p.title for p in chart.panels] == [
        "latency, openmpi", "bandwidth, openmpi", "latency, mpich", "bandwidth, mpich",
    ]  # fmt: skip


def test_lines_beyond_the_colours_are_told_to_be_in_the_table():
    cases = [
        message("pingpong", 1e-5, bytes=n, hosts=f"n1+n{i}", place="nodes")
        for i in range(2, 13)
        for n in (8, 16)
    ]
    chart = charts(cases)[PINGPONG]
    assert chart.notes == ("The chart shows 8 of 11 lines; the table has all of them.",)
    assert len(chart.rows) == len(cases)


def test_each_collective_has_a_panel(known):
    chart = known["mpi: collective operations by message size"]
    assert [p.title for p in chart.panels] == ["bcast", "allreduce", "alltoall", "gather"]
    assert chart.legend == ("openmpi, 2 ranks", "openmpi, 4 ranks", "mpich, 2 ranks",
                            "mpich, 4 ranks")  # fmt: skip


def test_benchmarks_of_one_size_are_rows(known):
    assert known["mpi.barrier: latency"].panels[0].traces[0]["mode"] == "markers"
    assert len(known["mpi.message_rate: rate"].rows) == 10


def test_what_all_messages_share_is_told():
    cases = [message("pingpong", 1e-5, bytes=n, place="socket", hosts="") for n in (8, 16)]
    assert charts(cases)[PINGPONG].says.endswith(" All with openmpi, within a socket.")


SPREAD = "mpi: how the times of a message spread"


def test_the_four_histograms_are_shares_of_all_messages_on_one_logarithmic_axis(known):
    chart = known[SPREAD]
    assert [p.title for p in chart.panels] == ["openmpi", "mpich"]
    names = ("1 KB, within a node", "1 KB, between nodes", "128 MB, within a node",
             "128 MB, between nodes")  # fmt: skip
    assert chart.legend == names
    for panel in chart.panels:
        assert tuple(t["name"] for t in panel.traces) == names
        assert [numbers(t["y"]).sum() for t in panel.traces] == pytest.approx([1] * 4)
        assert panel.layout["xaxis"]["type"] == panel.layout["yaxis"]["type"] == "log"


def test_whatever_of_the_four_there_is_is_drawn_and_in_the_legend():
    cases = [message("pingpong", 1e-5, bytes=1024, place="nodes", hosts="n1+n2")]
    chart = charts(cases)[SPREAD]
    (trace,) = chart.panels[0].traces
    assert (trace["name"],) == chart.legend == ("1 KB, between nodes",)
    assert SPREAD not in charts([message("pingpong", 1e-5, bytes=8, place="nodes")])


def test_two_places_are_not_two_humps_of_one_histogram():
    cases = [message("pingpong", s, bytes=1024, place=p)
             for p, s in (("socket", 1e-6), ("sockets", 1e-4))]  # fmt: skip
    (row,) = charts(cases)[SPREAD].rows
    assert row[-1].startswith("mpi.pingpong bytes=1024 place=socket ")


def ranked(times):
    also = {f"rank {i} s": Numbers(x) for i, x in enumerate(times)}
    return made.case((made.sample([1e-3] * len(times[0]), also=also),), metric=parallel.TIME)


def test_each_rank_has_its_own_histogram():
    panel = histogram.rank_panel(ranked([[1e-6, 2e-6, 3e-6], [4e-6] * 3]))
    assert [numbers(t["y"]).sum() for t in panel.traces] == pytest.approx([1, 1])
    assert panel.title.endswith("a line a rank")
    assert histogram.rank_panel(made.case()) is None


def test_of_many_ranks_some_are_drawn_the_first_and_the_last_among_them():
    panel = histogram.rank_panel(ranked([[1e-6 * (i + 1)] * 3 for i in range(64)]))
    assert len(panel.traces) == histogram.MOST
    assert panel.traces[0]["hovertemplate"].startswith("rank 0:")
    assert panel.traces[-1]["hovertemplate"].startswith("rank 63:")
    assert panel.title.endswith("(12 of 64)")


@pytest.mark.parametrize(
    "values", [[0.0] * 9, [1e300] * 9, [5.0], [1e-12, 1e3], [-1.0, *[1.0] * 8]]
)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("threads.create", {"load": "none", "affinity": "none"}),
        ("threads.other", {}),
        ("threads.wake.all", {"blocked": 0, "load": "odd", "affinity": "odd"}),
        ("cores.latency", {"cpu": 0}),
        ("numa.copy", {"node": 0, "memory": 0}),
        ("numa.latency", {"node": 0, "memory": "odd"}),
        ("mpi.pingpong", {"bytes": 1024, "place": "odd", "hosts": "+"}),
        ("mpi.bcast", {"bytes": -1}),
        ("mpi.odd", {}),
    ],
)
def test_odd_records_have_charts_that_are_json(values, name, parameters):
    sample = made.sample([1e-3] * len(values), values=Numbers(values))
    case = made.case((sample,), benchmark=name, parameters=parameters, metric=parallel.TIME)
    more = {n: v + 1 if type(v) is int else v for n, v in parameters.items()}
    other = made.case((sample,), benchmark=name, parameters=more, metric=parallel.TIME)
    found = charts([case, other])
    assert found
    for chart in found.values():
        for panel in chart.panels:
            json.dumps([panel.traces, panel.layout], allow_nan=False)
