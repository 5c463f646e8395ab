"""Logs of several jobs become one course: rates add up, latencies are weighted, stalls are seen."""

import math
from pathlib import Path

import numpy as np
import pytest

from stend.record.loads import Flow
from stend.storage.fio.log_course import flows_of, with_courses
from stend.storage.fio.logs import Kind, Log


def log(kind: Kind, rows: list[tuple[int, ...]], job: int = 1) -> Log:
    """Rows of ms, value, direction, block size."""
    ms, values, directions, blocks = (
        np.array(column, np.int64) for column in zip(*rows, strict=True)
    )
    return Log(Path(f"x_{kind}.{job}.log"), kind, job, ms, values, directions, blocks)


def test_rates_of_jobs_add_up_where_their_windows_meet() -> None:
    logs = [
        log("iops", [(500, 100, 0, 0), (1001, 200, 0, 0)]),
        log("iops", [(501, 10, 0, 0), (999, 20, 0, 0)], job=2),
        log("bw", [(500, 400, 0, 0), (1000, 800, 0, 0)]),
    ]
    (flow,) = flows_of(logs, 1)
    assert list(flow.at) == [500_000_000, 1_000_000_000]
    assert list(flow.iops) == [110, 220]
    assert list(flow.bandwidth) == [400 * 1024, 800 * 1024]
    assert (flow.operations, flow.bytes, flow.seconds) == (165, 600 * 1024, 1.0)


def test_latencies_are_weighted_by_the_operations_of_each_job() -> None:
    logs = [
        log("iops", [(1000, 900, 0, 0), (2000, 900, 0, 0)]),
        log("iops", [(1000, 100, 0, 0), (2000, 100, 0, 0)], job=2),
        log("lat", [(1000, 1000, 0, 0), (2000, 1000, 0, 0)]),
        log("lat", [(1000, 11_000, 0, 0), (2000, 11_000, 0, 0)], job=2),
    ]
    (flow,) = flows_of(logs, 1)
    assert list(flow.latency) == pytest.approx([2e-6, 2e-6])
    (flow,) = flows_of(logs, 1000)
    assert list(flow.latency) == pytest.approx([2e-3, 2e-3])
    assert flow.mean == pytest.approx(2e-3)


def test_windows_that_end_late_stay_in_step_for_an_hour() -> None:
    late = np.random.default_rng(7).integers(0, 4, 3600)
    rows = [(500 * (i + 1) + int(ms), 10, 0, 0) for i, ms in enumerate(late)]
    (flow,) = flows_of([log("iops", rows)], 1)
    assert list(flow.iops) == [10] * 3600
    assert flow.at[-1] == 1_800_000_000_000


def test_a_window_without_an_entry_is_a_stall() -> None:
    (flow,) = flows_of([log("iops", [(t, 50, 1, 0) for t in (1000, 2000, 3000, 5000)])], 1)
    assert flow.direction == "write"
    assert list(flow.iops) == [50, 50, 50, 0, 50]
    assert all(map(math.isnan, flow.latency))


def test_the_last_window_without_a_rate_is_left_out() -> None:
    logs = [
        log("iops", [(1000, 5, 0, 0), (2000, 5, 0, 0)]),
        log("lat", [(1000, 7, 0, 0), (2000, 7, 0, 0), (2600, 9, 0, 0)]),
    ]
    assert list(flows_of(logs, 1)[0].iops) == [5, 5]


def test_single_operations_are_counted_each_second() -> None:
    rows = [(ms, 1000 * (1 + ms // 1000), 0, 4096) for ms in range(0, 2600, 10)]
    (flow,) = flows_of([log("lat", rows)], 1)
    assert list(flow.iops) == pytest.approx([100, 100, 60 / 0.59])
    assert list(flow.at) == [1_000_000_000, 2_000_000_000, 2_590_000_000]
    assert list(flow.latency) == pytest.approx([1e-6, 2e-6, 3e-6])
    assert (flow.operations, flow.bytes) == (260, 260 * 4096)
    assert flow.histogram is not None
    assert (flow.histogram.of, list(flow.histogram.counts)) == ("total", [100, 100, 60])
    assert (list(flow.interval), list(flow.counts)) == ([0, 1, 2], [100, 100, 60])


def test_what_two_logs_tell_of_the_same_operations_counts_once() -> None:
    rows = [(ms, 1, 0, 4096) for ms in range(0, 1001, 10)]
    logs = [log(kind, rows) for kind in ("iops", "bw", "lat", "clat")]  # type: ignore[arg-type]
    assert flows_of(logs, 1)[0].operations == 101
    assert flows_of(logs, 1)[0].bytes == 101 * 4096


def test_histograms_lie_in_the_intervals_of_the_other_logs() -> None:
    bins = np.zeros((1856, 4), np.int64)
    bins[[200, 300, 300, 1000], range(4)] = [5, 6, 7, 8]
    ms = np.array([501, 1002, 1500, 2001])
    hist = Log(Path("x_clat_hist.1.log"), "hist", 1, ms, bins, ms * 0, ms * 0, 1)
    (flow,) = flows_of([hist, log("iops", [(1000, 11, 0, 0), (2000, 15, 0, 0)])], 1)
    assert list(flow.iops) == [11, 15]
    assert (list(flow.interval), list(flow.counts)) == ([0, 0, 1, 1], [5, 6, 7, 8])
    assert flow.histogram is not None
    assert (flow.histogram.of, list(flow.histogram.counts)) == ("completion", [5, 13, 8])
    (flow,) = flows_of([hist], 1)
    assert list(flow.iops) == pytest.approx([10, 12, 14, 16])


def test_a_log_of_one_far_entry_takes_no_memory() -> None:
    (flow,) = flows_of([log("iops", [(1, 5, 0, 0), (2, 5, 0, 0), (1 << 41, 5, 0, 0)])], 1)
    assert len(flow.at) <= 3


def test_totals_of_a_result_stay_and_its_course_is_the_logged_one() -> None:
    told = Flow(direction="read", operations=7, bytes=70, seconds=2.0)
    other = Flow(direction="write", operations=1, bytes=1, seconds=1.0)
    logged = flows_of([log("iops", [(1000, 3, 0, 0), (2000, 4, 0, 0)])], 1)
    read, write = with_courses((told, other), logged)
    assert (read.operations, read.bytes, list(read.iops)) == (7, 70, [3, 4])
    assert write == other
