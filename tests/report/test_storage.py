"""Storage: the table of workloads, two systems side by side, charts of loads."""

import base64
import json

import numpy as np
import pytest
from msgspec.structs import replace

import made
from report.storage_runs import curve, failed, storage, workload
from report.test_terminal import shown
from stend.comparing import compare, estimate, publications
from stend.record import CaseRecord, Integers, Numbers, Status
from stend.record.cautions import Caution
from stend.record.loads import FioRun, Flow, Histogram, Load
from stend.report import terminal
from stend.report.charts import draw, load_time
from stend.report.charts.load_time import COLUMNS, PERCENTS
from stend.report.measured_case import Measured
from stend.report.page import page
from stend.report.workloads import systems, workload_name, workloads
from stend.storage.fio.results import merged

FULL = "fio reported error 28 (No space left on device) in job 3 of 16."


def measured(*cases: CaseRecord) -> list[Measured]:
    return [Measured(i, c, e) for i, c in enumerate(cases) if (e := estimate(c))]


def charts(*cases: CaseRecord):
    return {chart.title: chart for chart in draw(measured(*cases))}


def numbers(plot) -> np.ndarray:
    """A column of a trace, as it was before it was packed."""
    kind = np.dtype(f"<{plot['dtype']}")
    return np.frombuffer(base64.b64decode(plot["bdata"]), kind).astype(float)


@pytest.fixture(scope="module")
def six():
    cases = list(storage(seconds=10).cases)
    cases[2] = failed(cases[2], FULL)
    last = cases[4].samples[-1]
    said = "The range of the last five rounds was 31% of their mean; at most 20% is steady."
    load = replace(last.load, state="unsteady", reasons=(said,))
    cases[4] = replace(cases[4], samples=(*cases[4].samples[:-1], replace(last, load=load)))
    return made.run(tuple(cases))


@pytest.fixture(scope="module")
def two():
    of_both = {"seconds": 10, "rounds": 5, "machines": (), "spread": 0.001}
    return compare(storage(1, **of_both), storage(9, speed=1.2, **of_both))


def test_each_workload_is_a_row_with_its_state_and_why(six):
    table = workloads(six.cases)
    assert [row.state for row in table.rows] == ["ok", "ok", "partial", "ok", "unsteady", "ok"]
    assert [row.counts for row in table.rows] == [True, True, False, True, True, True]
    partial = table.rows[2]
    assert (partial.name, partial.under_way) == ("random read 4 KiB", "64 × 2 = 128")
    assert partial.reasons == (FULL,)
    assert "–" not in partial.cells


def test_the_terminal_shows_them_and_each_reason_once(six):
    text = shown(terminal.print_run, six, width=120)
    assert text.count("No space left on device") == 1
    assert "unsteady: The range of the last five rounds" in text
    assert "storage.read" not in text
    assert max(map(len, text.split("\n"))) <= 120


def test_a_workload_s_name_has_what_is_not_as_usual():
    usual = {"block": 4096, "depth": 32, "jobs": 2}
    assert workload_name("storage.randread", usual | {"file": 1 << 28, "folder": ""}) == (
        "random read 4 KiB, file 256 MiB"
    )
    assert workload_name("storage.read", usual | {"folder": "/mnt"}) == "read 4 KiB, folder /mnt"


def test_a_read_of_what_was_never_written_is_not_ok_in_its_row():
    read = workload("randread", 4096, 1, 1, 1e3, seconds=5, machines=())
    samples = tuple(replace(sample, cautions=(Caution.UNWRITTEN,)) for sample in read.samples)
    text = shown(terminal.print_run, made.run((replace(read, samples=samples),)), width=160)
    (row,) = (line for line in text.split("\n") if "random read 4 KiB" in line)
    assert row.split()[-1] == "unwritten"
    assert "unwritten:" not in text


def test_what_failed_is_grey_where_there_is_colour(six):
    text = shown(terminal.print_run, six, width=160, force_terminal=True)
    lines = text.split("\n")
    (bad,) = (line for line in lines if "random read 4 KiB" in line)
    (good,) = (line for line in lines if "random write 4 KiB" in line)
    assert bad.count("\x1b[0m") == 11  # every cell, and the state in another colour
    assert "\x1b" not in good


def test_skipped_storage_is_told_as_every_skip():
    bare = replace(workload("read", 4096, 1, 1, 1e3, seconds=5, machines=()), samples=())
    text = shown(
        terminal.print_run, made.run((replace(bare, status=Status.SKIPPED, reason="No fio."),))
    )
    assert "skipped. No fio." in text


def test_storage_that_was_only_checked_did_not_end_badly():
    case = workload("read", 4096, 1, 1, 1e3, seconds=5, rounds=1, machines=())
    run = made.run((replace(case, status=Status.CHECKED),))
    assert workloads(run.cases) is None
    assert "checked. It ran once, untimed" in " ".join(shown(terminal.print_run, run).split())
    assert "ended badly" not in page([run])


def test_a_benchmark_of_storage_is_named_by_what_was_set():
    of = {"block": 4096, "depth": 32, "jobs": 2, "file": 1 << 30}
    assert workload_name("storage.read", of | {"folder": ""}) == "read 4 KiB, file 1 GiB"
    there = workload_name("storage.read", of | {"folder": "/mnt/a"})
    assert there == "read 4 KiB, file 1 GiB, folder /mnt/a"


def test_two_systems_have_both_values_a_sign_and_a_word(two):
    text = shown(terminal.print_comparison, two, width=130, no_color=True)
    assert "▲ faster" in text
    assert "▲ shorter" in text
    assert "? cannot tell" in text
    assert "\x1b" not in text
    table = systems(two)
    assert table.columns == ("IOPS", "bandwidth", "mean latency", "p99 latency", "CPU")
    read = table.rows[0].cells[0]
    assert read.values.endswith(" k")
    assert read.said.startswith("+2")


def test_the_page_says_it_in_words_beside_the_colour(six, two):
    both = page([storage(1, seconds=5, rounds=5, machines=()),
                 storage(9, speed=1.2, seconds=5, rounds=5, machines=())])  # fmt: skip
    assert "A and B side by side" in both
    assert "▲ shorter</span>" in both
    one = page([six])
    assert '<dt class="grave">Could not be measured <span class="tag bad">1</span>' in one
    assert f"random read 4 KiB is partial: {FULL}" in one
    assert "random read 4 KiB, 64 × 2 = 128 in flight: over time (partial)" in one


def test_a_run_without_storage_has_nothing_of_it():
    text = page([made.run()])
    assert "storage workload" not in text
    assert systems(compare(made.run(), made.run(id="b" * 32))) is None


def test_many_readings_are_averaged_over_time_and_lose_no_operation():
    n = 6 * COLUMNS
    rng = np.random.default_rng(1)
    iops = Numbers(rng.uniform(1e3, 1e5, n))
    flow = Flow(direction="read", operations=1, bytes=1, seconds=float(n), iops=iops,
                at=Integers((i + 1) * 10**9 for i in range(n)))  # fmt: skip
    k = load_time.every([n])
    found = load_time.rates(flow, 0, k, iops)
    assert len(found.at) == COLUMNS + 1
    assert found.values[0] == found.values[1]  # it holds from the beginning of its interval on
    assert found.values[1:].sum() * k == pytest.approx(sum(iops))


def test_a_gap_stays_a_gap_however_many_readings_are_put_together():
    seconds = [*range(1, 1000), *range(1500, 2500)]
    flow = Flow(direction="read", operations=1, bytes=1, seconds=1.0,
                iops=Numbers([1.0] * len(seconds)),
                at=Integers(s * 10**9 for s in seconds))  # fmt: skip
    found = load_time.rates(flow, 0, load_time.every([len(seconds)]), flow.iops)
    assert np.isnan(found.values).sum() == 1
    (at,) = np.flatnonzero(np.isnan(found.values))
    assert found.at[at + 1] - found.at[at - 1] > 500
    assert len(load_time.stretches(found)) == 2


def test_percentiles_over_time_are_of_added_bins_and_never_averages():
    """A thousand fast operations in one second, a thousand slow ones in the next."""
    flow = Flow(
        direction="read", operations=2000, bytes=1, seconds=2.0,
        at=Integers([10**9, 2 * 10**9]), iops=Numbers([1000.0, 1000.0]),
        latency=Numbers([1e-6, 1e-3]), bandwidth=Numbers([1.0, 1.0]),
        interval=Integers([0, 1]), ns=Integers([1000, 1_000_000]), counts=Integers([1500, 500]),
    )  # fmt: skip
    run = FioRun(phase="measure", state="ok", lasted=2.0, flows=(flow,))
    found = dict(zip(PERCENTS, load_time.bands(run, 0.0, 2), strict=True))
    assert set(found[50.0].values) == {1e-6}
    assert set(found[90.0].values) == {1e-3}
    assert np.isnan(found[99.9].values).all()  # too few operations lie beyond it


def test_the_mean_latency_of_a_point_is_weighted_by_its_operations():
    flow = Flow(direction="read", operations=1, bytes=1, seconds=2.0,
                at=Integers([10**9, 2 * 10**9]), iops=Numbers([9000.0, 1000.0]),
                latency=Numbers([1e-3, 11e-3]))  # fmt: skip
    assert load_time.latencies(flow, 0, 2).values == pytest.approx(2e-3)


def test_a_load_is_above_the_machines_on_one_time_axis():
    found = charts(workload("randread", 4096, 64, 2, 1e5, seconds=20))
    (panel,) = found["random read 4 KiB, 64 × 2 = 128 in flight: over time"].panels
    heads = [a["text"] for a in panel.layout["annotations"] if a.get("xref") == "paper"]
    assert [head.partition("</b>")[0].removeprefix("<b>") for head in heads] == [
        "Operations a second", "Latency",
        "CPU", "Memory", "Disks", "CPU", "Memory", "Disks",
    ]  # fmt: skip
    assert all("xaxis" not in trace for trace in panel.traces)
    assert len(panel.layout["shapes"]) == 4  # the precondition, the warm-up, two rounds


def test_the_disks_that_moved_most_are_drawn_and_those_that_did_nothing_are_not():
    case = workload("randread", 4096, 64, 2, 1e5, seconds=20, rounds=2)

    def with_disks(sample):
        (machine, _) = sample.load.beside
        (disk,) = machine.disks
        often = np.arange(1, 1 + len(machine.at))
        disks = (
            replace(disk, name=name, read=Numbers(by * often), written=Numbers(0 * often))
            for name, by in (("vda", 1e3), ("vdb", 0), ("<b>", 4e6), ("vdd", 3e6), ("vde", 2e6))
        )
        load = replace(sample.load, beside=(replace(machine, disks=tuple(disks)),))
        return replace(sample, load=load)

    found = charts(replace(case, samples=tuple(map(with_disks, case.samples))))
    (panel,) = found["random read 4 KiB, 64 × 2 = 128 in flight: over time"].panels
    head = panel.layout["annotations"][-1]["text"]
    assert head == "<b>Disks</b> of bench, MB/s: &lt;b&gt;, vdd, vde"
    first, written, *_ = panel.traces[-6:]
    assert np.nanmax(numbers(first["y"])) == 4 * len(case.samples[0].load.beside[0].at)
    assert np.nanmax(numbers(written["y"])) == 0


def test_a_percentile_of_too_few_operations_is_not_in_the_table_of_the_phases():
    found = charts(workload("randread", 4096, 64, 2, 10.0, seconds=20, rounds=1))
    rows = found["random read 4 KiB, 64 × 2 = 128 in flight: over time"].rows
    assert all(row[-1] == "–" and row[-3] != "–" for row in rows)


def test_rounds_stand_side_by_side_whatever_ran_between_them():
    case = workload("randread", 4096, 64, 2, 1e5, seconds=20, rounds=3)
    shifted = tuple(
        replace(s, load=replace(s.load, runs=tuple(
            replace(run, began=run.began + 3600 * i * 10**9) for run in s.load.runs)))
        for i, s in enumerate(case.samples)
    )  # fmt: skip
    (panel,) = charts(replace(case, samples=shifted))[
        "random read 4 KiB, 64 × 2 = 128 in flight: over time"
    ].panels
    assert panel.layout["xaxis"]["range"][1] == pytest.approx(78 + 20 + 20, rel=0.05)


def test_an_area_of_the_cpu_is_not_drawn_over_a_gap():
    found = charts(workload("randread", 4096, 64, 2, 1e5, seconds=20, rounds=1))
    (panel,) = found["random read 4 KiB, 64 × 2 = 128 in flight: over time"].panels
    remote = next(t for t in panel.traces if t.get("fillcolor") == "--s3")
    x = numbers(remote["x"])
    assert np.isnan(x).sum() == 1
    assert not ((x > 11.5) & (x < 16.5)).any()


def test_an_hour_takes_a_bounded_part_of_the_page():
    case = workload("randread", 4096, 64, 2, 1e5, seconds=3600, rounds=1, timed=200)
    (found,) = (c for t, c in charts(case).items() if "over time" in t)
    longest = max(len(numbers(t["x"])) for t in found.panels[0].traces if type(t["x"]) is dict)
    assert longest <= 2 * COLUMNS + 20
    assert len(json.dumps(found.panels[0].traces)) < 350_000


def test_an_imported_load_without_clock_or_histograms_is_drawn_run_after_run():
    def bare(run: FioRun) -> FioRun:
        flows = (replace(f, histogram=None, interval=Integers(), ns=Integers(), counts=Integers())
                 for f in run.flows)  # fmt: skip
        return replace(run, began=0, flows=tuple(flows))

    case = workload("write", 4096, 64, 2, 1e5, seconds=20, rounds=1, machines=())
    (sample,) = case.samples
    load = replace(sample.load, runs=tuple(map(bare, sample.load.runs)), beside=())
    found = charts(replace(case, samples=(replace(sample, load=load),)))
    (panel,) = found["write 4 KiB, 64 × 2 = 128 in flight: over time"].panels
    assert panel.layout["xaxis"]["range"][1] == pytest.approx(70)
    assert not any("latencies spread" in title for title in found)


@pytest.mark.parametrize(
    "load",
    [
        None,
        Load(state="ok"),
        Load(state="failed", runs=(FioRun(phase="measure", state="failed"),)),
        Load(state="ok", runs=(FioRun(phase="measure", state="ok", flows=(
            Flow(direction="trim", operations=0, bytes=0, seconds=0.0),)),)),
        Load(state="ok", runs=(FioRun(phase="measure", state="ok", lasted=1.0, flows=(
            Flow(direction="read", operations=1, bytes=1, seconds=1.0, at=Integers([10**9]),
                 iops=Numbers([0.0]), bandwidth=Numbers([0.0]),
                 latency=Numbers([float("nan")])),)),)),
    ],
)  # fmt: skip
def test_a_load_that_tells_little_still_makes_a_page(load):
    case = workload("read", 4096, 1, 1, 1e3, seconds=12, rounds=2, machines=())
    samples = tuple(replace(s, load=load) for s in case.samples)
    assert "read 4 KiB" in page([made.run((replace(case, samples=samples),))])


def test_latencies_of_nothing_need_no_logarithm():
    """As of fio's null engine, which answers within a nanosecond."""
    cases = []
    for case in curve().cases:
        nothing = {name: Numbers([0.0]) for name in case.further if name.endswith(" s")}
        bins = Histogram(of="total", ns=Integers([0]), counts=Integers([10]))
        flow = Flow(direction="read", operations=10, bytes=1, seconds=1.0, histogram=bins,
                    at=Integers([10**9]), iops=Numbers([10.0]), latency=Numbers([0.0]),
                    interval=Integers([0]), ns=Integers([0]), counts=Integers([10]))  # fmt: skip
        load = Load(state="ok", runs=(FioRun(phase="measure", state="ok", flows=(flow,)),))
        samples = (replace(s, also=s.also | nothing, load=load) for s in case.samples)
        cases.append(replace(case, samples=tuple(samples)))
    assert "random read 4 KiB" in page([made.run(tuple(cases))])


def test_the_spread_of_the_latencies_is_of_all_rounds_and_not_of_what_came_before():
    case = workload("randread", 4096, 64, 2, 1e5, seconds=10, rounds=3, machines=())
    chart = charts(case)["storage: how the latencies spread"]
    whole = merged(s.load.runs[-1].flows[0].histogram for s in case.samples).counts
    (row,) = chart.rows
    assert int(row[1].replace("\u202f", "")) == sum(whole) == 90_000
    (trace,) = chart.panels[0].traces
    x = numbers(trace["x"])
    assert (np.diff(x) > 0).all()
    assert 10 ** x[-1] == pytest.approx(90_000 / whole[-1], rel=1e-4)


def test_parts_of_the_maximum_and_depths_are_curves():
    found = charts(*curve().cases)
    load = found["random read 4 KiB: latency under load"]
    mean, tail, *_, most = load.panels[0].traces
    assert len(mean["x"]) == 10
    assert mean["x"] == sorted(mean["x"])
    assert all(p99 > mean for mean, p99 in zip(mean["y"], tail["y"], strict=True))
    assert most["x"] == pytest.approx([120, 120], rel=0.05)
    depths = found["random read 4 KiB: by depth"]
    assert depths.panels[0].traces[0]["x"] == [1, 2, 4, 8, 16, 32, 64, 128]
    assert not any("at 10%" in title for title in found)


def test_the_six_workloads_stand_beside_the_published_ones():
    chart = charts(*storage(seconds=5, machines=()).cases)[
        "storage: the workloads, compared with published ones"
    ]
    assert [panel.title for panel in chart.panels] == [
        "operations a second", "bandwidth", "latency", "CPU",
    ]  # fmt: skip
    assert chart.panels[3].layout["xaxis"]["tickvals"][-1] == 100, "no CPU is busier than that"
    here, there = chart.panels[0].traces
    assert sorted(there["x"]) == pytest.approx([84, 118, 233, 371, 700, 1400])
    assert len(here["x"]) == 6
    assert here["width"] == there["width"] < 1, "a row each, and none over the next one"
    assert "“Load testing of a storage system on Elbrus" in chart.says


def test_a_published_latency_stands_only_beside_one_under_as_many_requests():
    title = "storage: the workloads, compared with published ones"

    def latencies(jobs):
        case = workload("randread", 4096, 64, jobs, 1e5, seconds=5, machines=())
        chart = charts(case)[title]
        (row,) = [row for row in chart.rows if "Linux 5.4" in row[1]]
        assert row[2] == "64 × 16 = 1,024"
        return "latency" in [panel.title for panel in chart.panels], row[5]

    assert latencies(16) == (True, "8.00 ms")
    assert latencies(2) == (False, "–")


def test_a_limited_or_skewed_load_is_not_set_beside_published_ones():
    for more in ({"load": 50}, {"rate_iops": "9"}, {"random_distribution": "zipf:1.2"}):
        case = workload("randread", 4096, 64, 16, 1e5, seconds=5, machines=(), **more)
        assert not any("published" in found for found in charts(case))


def test_the_published_storage_figures_are_those_of_the_literature():
    fastest = max(publications.storage(), key=lambda f: f.iops or 0)
    assert (fastest.system, fastest.kernel, fastest.iops) == ("vostok-elbrus-8c", "5.4", 1.4e6)
    wide = [f for f in publications.storage() if f.workload == "read-128k-sequential"]
    assert [f.bandwidth for f in wide] == [2.6e9, 5.7e9, None]
    assert [f.latency for f in wide] == pytest.approx([0.4e-3, 0.3e-3, 5.1e-3])


def test_the_null_target_is_not_set_beside_real_systems():
    cases = [replace(c, parameters=c.parameters | {"target": "null"}) for c in storage(
        seconds=5, machines=()).cases]  # fmt: skip
    assert not any("published" in title for title in charts(*cases))
