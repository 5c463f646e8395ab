"""A course and a text that grow: as if they were read whole, and nothing is counted twice."""

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.storage.fio.course import Growing, course
from stend.storage.fio.documents import Scanner, scan

BINS = [90_624, 124_416, 1_011_712]
"""ns; values by which fio names bins."""


def document(ms: int, counts: list[int]) -> dict:
    """The sums of one job at a time: so many operations in each bin, 4 KiB each."""
    done = sum(counts)
    mean = float(np.dot(BINS, counts)) / done if done else 0.0
    latency = {"mean": mean, "min": 1, "max": 2_000_000, "N": done}
    bins = {str(ns): n for ns, n in zip(BINS, counts, strict=True) if n}
    way = {"total_ios": done, "io_bytes": 4096 * done, "io_kbytes": 4 * done, "runtime": ms}
    return {
        "timestamp_ms": 1_700_000_000_000 + ms,
        "jobs": [{"jobname": "j", "read": way | {"lat_ns": latency | {"bins": bins}}}],
    }


steps = st.lists(
    st.tuples(st.integers(1, 3000), st.lists(st.integers(0, 10_000), min_size=3, max_size=3)),
    min_size=1,
    max_size=12,
)


def documents(drawn: list[tuple[int, list[int]]]) -> list[dict]:
    times = np.cumsum([ms for ms, _ in drawn])
    sums = np.cumsum([counts for _, counts in drawn], axis=0)
    return [document(int(ms), row.tolist()) for ms, row in zip(times, sums, strict=True)]


@given(steps)
def test_the_intervals_hold_every_operation_once(drawn):
    told = documents(drawn)
    found = course(told)
    assert found.gaps == ()
    total = sum(sum(counts) for _, counts in drawn)
    assert sum(flow.operations for flow in found.flows) == total
    for flow in found.flows:
        ends = [0, *flow.at]
        seconds = np.diff(ends) / 1e9
        assert np.dot(flow.iops, seconds) == pytest.approx(total)
        assert np.dot(flow.bandwidth, seconds) == pytest.approx(4096 * total)
        assert sum(flow.counts) == total
        mean = sum(
            latency * iops * span
            for latency, iops, span in zip(flow.latency, flow.iops, seconds, strict=True)
            if iops
        )
        assert mean / total == pytest.approx(flow.mean, rel=1e-6)


@given(steps)
def test_what_is_told_meanwhile_adds_up_too(drawn):
    growing = Growing()
    told = [growing.add(one) for one in documents(drawn)]
    done = sum(interval.operations for ways in told for interval in ways.values())
    assert done == sum(sum(counts) for _, counts in drawn)


@pytest.mark.parametrize(
    ("end", "at"), [(2499, [1000, 2499]), (2500, [1000, 2000, 2500]), (3000, [1000, 2000, 3000])]
)
def test_a_last_report_that_closes_less_than_half_of_an_interval_closes_the_one_before(end, at):
    told = [document(ms, [ms, 0, 0]) for ms in (1000, 2000, end)]
    assert [ns // 1_000_000 for ns in course(told).flows[0].at] == at


def test_a_count_that_goes_back_tells_nothing():
    growing = Growing()
    growing.add(document(1000, [5, 5, 5]))
    assert growing.add(document(2000, [1, 1, 1])) == {}
    assert "back to 3" in growing.finished().gaps[0]


def test_nothing_comes_of_nothing():
    assert Growing().finished() == course([])


def test_a_long_run_keeps_no_documents():
    growing = Growing()
    texts = [json.dumps(wide(k)) for k in range(1, 201)]
    for text in texts[:100]:
        growing.add(json.loads(text))
    tracemalloc.start()
    for text in texts[100:]:
        growing.add(json.loads(text))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept / 100 < len(texts[-1]) / 4


def wide(k: int) -> dict:
    """A document with as many bins as real ones have, in all of which operations end."""
    one = document(1000 * k, [k, k, k])
    one["jobs"][0]["read"]["lat_ns"]["bins"] = {str(1000 + 16 * place): k for place in range(1000)}
    return one


TEXTS = [
    b'note: first\n{\n  "jobs" : [\n    {}\n  ]\n}\nfio: between\n{\n  "jobs" : []\n}\nlast\n',
    b'{\n  "fio version" : "fio-3.33",\n  "jobs" : [\n{\n  "jobs" : [{"read" : {}}]\n}\n',
    b'{\n  "jobs" : []\n}\n{\n  "fio version" : "fio-3.33",\n  "jobs" : [\n    {"a',
    b"",
    b"no document {at all}",
]


@given(st.sampled_from(TEXTS), st.lists(st.integers(0, 120), max_size=8))
def test_a_text_in_pieces_is_read_as_the_whole(text, cuts):
    scanner = Scanner()
    ends = [*sorted(cuts), len(text)]
    found = [one for a, b in zip([0, *ends], ends, strict=False) for one in scanner.feed(text[a:b])]
    whole = scan(text)
    assert found == whole.documents
    assert list(scanner.stray) == whole.stray
    assert scanner.truncated == whole.truncated
