"""Sums become what happened between them; what can't be is a gap, never a negative rate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.storage.fio.course import course
from storage.fio.reports import Report, job, report, way

BEGAN = 1_700_000_000_000


def after(ms: int, latencies: dict[int, int]) -> Report:
    """A report made `ms` after the run began."""
    return report(job(read=way(latencies, ms)), ms=BEGAN + ms)


def test_intervals_are_differences_of_the_sums() -> None:
    found = course([after(500, {1000: 5}), after(1500, {1000: 25}), after(2500, {1000: 25})])
    (flow,) = found.flows
    assert list(flow.at) == [500_000_000, 1_500_000_000, 2_500_000_000]
    assert list(flow.iops) == [10, 20, 0]
    assert list(flow.bandwidth) == [40960, 81920, 0]
    assert list(flow.latency)[:2] == pytest.approx([1e-6, 1e-6])
    assert math.isnan(flow.latency[2])
    assert (list(flow.interval), list(flow.counts)) == ([0, 1], [5, 20])
    assert (flow.operations, found.gaps) == (25, ())


def test_a_direction_that_begins_later_counts_from_the_beginning() -> None:
    first = report(job(read=way({1000: 10}, 1000)), ms=BEGAN + 1000)
    second = report(job(read=way({1000: 20}, 2000), write=way({500: 7}, 900)), ms=BEGAN + 2000)
    read, write = course([first, second]).flows
    assert list(write.iops) == [0, 7]
    assert list(read.at) == list(write.at)


def test_counters_that_go_back_are_a_gap() -> None:
    found = course([after(1000, {10: 50}), after(2000, {10: 3}), after(3000, {10: 9})])
    (flow,) = found.flows
    assert list(flow.iops) == [50, 6]
    (gap,) = found.gaps
    assert gap.startswith("At 2.0 s fio's count of reads went from 50 back to 3")


def test_a_repeated_time_is_a_gap() -> None:
    found = course([after(1000, {10: 50}), after(1000, {10: 60}), after(2000, {10: 90})])
    assert list(found.flows[0].iops) == [50, 40]
    assert "by 0 s" in found.gaps[0]


def test_the_last_report_ends_when_the_jobs_did() -> None:
    """It is written 400 ms after they ended, and 100 ms after the report before it."""
    last = report(job(read=way({10: 20}, 2000)), ms=BEGAN + 2400)
    (flow,) = course([after(1000, {10: 10}), after(1900, {10: 18}), last]).flows
    assert list(flow.at) == [1_000_000_000, 2_000_000_000]
    assert list(flow.iops) == [10, 10]


@given(st.lists(st.tuples(st.integers(-1500, 3000), st.integers(-50, 100)), min_size=1, max_size=9))
def test_no_rate_is_negative_and_no_operation_counts_twice(steps: list[tuple[int, int]]) -> None:
    ms, n, reports = 1000, 100, []
    for apart, done in [(0, 0), *steps]:
        ms, n = max(1, ms + apart), max(1, n + done)
        reports.append(after(ms, {1000: n}))
    found = course(reports)
    for flow in found.flows:
        assert min(flow.iops, default=0) >= 0
        assert sorted(set(flow.at)) == list(flow.at)
        assert flow.operations == n
    forward = all(apart > 0 and done >= 0 for apart, done in steps)
    assert forward is False or found.gaps == ()


def test_no_document_is_no_course() -> None:
    assert course([]).flows == ()
