"""What a document says is summed over its jobs, in the units of every version of fio."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.storage.fio.results import flows, printed_percentiles
from storage.fio.reports import job, named, report, way


def test_operations_bytes_and_bins_of_jobs_add_up_and_the_longest_counts() -> None:
    found = flows(report(job(read=way({1000: 5}, 900)), job(read=way({1000: 2, 9000: 3}, 1000))))
    (flow,) = found
    assert (flow.direction, flow.operations, flow.bytes) == ("read", 10, 40960)
    assert flow.seconds == 1.0
    assert (flow.least, flow.most) == pytest.approx((1e-6, 9e-6))
    assert flow.histogram is not None
    assert dict(zip(flow.histogram.ns, flow.histogram.counts, strict=True)) == {
        named(1000): 7,
        named(9000): 3,
    }


def test_the_mean_latency_is_weighted_by_operations() -> None:
    (flow,) = flows(report(job(read=way({1000: 99})), job(read=way({9000: 1}))))
    assert flow.mean == pytest.approx((99 * 1e-6 + 9e-6) / 100)


def test_total_latencies_come_before_those_of_completion() -> None:
    both = way({1000: 5}) | {"clat_ns": way({500: 5}, kind="clat")["clat_ns"]}
    (flow,) = flows(report(job(read=both)))
    assert flow.histogram is not None
    assert flow.histogram.of == "total"
    (flow,) = flows(report(job(read=both), job(read=way({700: 1}, kind="clat"))))
    assert flow.histogram is not None, "one job has no total, so of all it is the completion"
    assert (flow.histogram.of, sum(flow.histogram.counts)) == ("completion", 6)


def test_without_bins_there_is_no_histogram() -> None:
    (flow,) = flows(report(job(read=way({1000: 5}, kind="none"))))
    assert flow.histogram is None
    assert flow.mean == pytest.approx(1e-6)


OLD: dict[str, Any] = {
    "fio version": "fio-2.16",
    "jobs": [
        {
            "jobname": "old",
            "groupid": 0,
            "error": 0,
            "read": {
                "io_bytes": 4096,  # KiB, until fio 2.99
                "bw": 2048,
                "iops": 512.0,
                "runtime": 2000,
                "total_ios": 1024,
                "clat": {"mean": 190.0, "percentile": {"99.000000": 250}, "bins": {"190": 1024}},
                "lat": {"min": 100, "max": 300, "mean": 200.0, "stddev": 1.0},
            },
            "write": {"io_bytes": 0, "iops": 0.0, "runtime": 0, "total_ios": 0},
        }
    ],
}
"""Laid out as stat.c of fio 2.16 does."""


def test_fio_2_tells_microseconds_and_kibibytes() -> None:
    (flow,) = flows(OLD)
    assert flow.bytes == 4 << 20
    assert (flow.mean, flow.least, flow.most) == pytest.approx((200e-6, 100e-6, 300e-6))
    assert flow.histogram is not None
    assert list(flow.histogram.ns) == [190_000]
    assert printed_percentiles(OLD)[99.0] == pytest.approx(250e-6)


def test_early_fio_2_does_not_count_operations() -> None:
    old = {**OLD["jobs"][0], "read": {**OLD["jobs"][0]["read"]}}
    del old["read"]["total_ios"]
    (flow,) = flows({"jobs": [old]})
    assert flow.operations == 1024


def test_the_sum_over_all_servers_is_not_counted_again() -> None:
    one, two = (
        job("a", hostname="n1", read=way({10: 3})),
        job("a", hostname="n2", read=way({10: 4})),
    )
    both = job("All clients", read=way({10: 7}))
    (flow,) = flows({"client_stats": [one, two, both]})
    assert flow.operations == 7


def test_percentiles_of_several_jobs_are_not_made_up() -> None:
    one = way({10: 3}) | {"clat_ns": {"percentile": {"99.000000": 5}}}
    assert printed_percentiles(report(job(read=one)))[99.0] == pytest.approx(5e-9)
    assert printed_percentiles(report(job(read=one), job(read=one))) == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["jobs", "read", "lat_ns", "bins", "mean", "total_ios", "7", "io_bytes"]
            ),
            part,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["jobs", "client_stats"]), JSON))
def test_any_json_gives_flows_with_numbers_that_can_be_kept(document: dict[str, Any]) -> None:
    for flow in flows(document):
        assert 0 <= flow.operations < 2**63
        assert 0 <= flow.bytes < 2**63
        assert flow.seconds >= 0
