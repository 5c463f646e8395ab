"""Percentiles are those that fio prints, and histograms are merged by adding."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stend.record.loads import Histogram
from stend.storage.fio.course import course
from stend.storage.fio.results import (
    added,
    bin_value,
    coarsened,
    merged,
    of_bins,
    operations_of,
    percentiles,
    subtracted,
)
from storage.fio.reports import job, named, report, way

BINS = st.dictionaries(st.integers(0, 1 << 40), st.integers(1, 1000), max_size=30)
ASKED = [1.0, 50.0, 95.0, 99.0, 99.9, 99.99, 100.0]


def made(bins: dict[int, int], of: str = "total") -> Histogram:
    ns = np.array(list(bins), np.int64)
    return of_bins(of, *added(ns, np.array(list(bins.values()), np.int64)))


def as_fio_does(histogram: Histogram, percent: float) -> float:
    """stat.c, calc_clat_percentiles, in its own words."""
    total = np.longdouble(0)
    for ns, n in zip(histogram.ns, histogram.counts, strict=True):
        total += n
        if total >= np.longdouble(percent) / 100 * operations_of(histogram):
            return ns / 1e9
    raise AssertionError("no bin reaches it")


def bin_as_fio_does(value: int, bits: int) -> int:
    """stat.c, plat_val_to_idx and plat_idx_to_val."""
    msb = value.bit_length() - 1 if value else 0
    if msb <= bits:
        return value
    dropped = msb - bits
    index = ((dropped + 1) << bits) + (((1 << bits) - 1) & (value >> dropped))
    if index < (1 << bits) << 1:
        return index
    dropped = (index >> bits) - 1
    return int((1 << (dropped + bits)) + ((index % (1 << bits)) + 0.5) * (1 << dropped))


@given(BINS.filter(bool), st.floats(0.001, 100.0))
@example({1: 50, 2: 50}, 50.0)
def test_a_percentile_is_the_one_that_fio_prints(bins: dict[int, int], percent: float) -> None:
    histogram = made(bins)
    assert percentiles(histogram, [percent]) == [as_fio_does(histogram, percent)]


@given(st.integers(0, (1 << 62) - 1), st.sampled_from([3, 6]))
def test_a_value_lies_in_the_bin_where_fio_puts_it(value: int, bits: int) -> None:
    assert bin_value(np.array([value]), bits)[0] == bin_as_fio_does(value, bits)


@given(BINS, BINS)
def test_merging_is_adding(one: dict[int, int], other: dict[int, int]) -> None:
    both = merged([made(one), made(other)])
    assert both is not None
    found = dict(zip(both.ns, both.counts, strict=True))
    assert found == {k: one.get(k, 0) + other.get(k, 0) for k in one | other}
    assert subtracted(both, made(one)) is not None
    ns, counts = subtracted(both, made(one)) or ([], [])
    assert dict(zip(ns, counts, strict=True)) == other


def test_histograms_of_two_kinds_are_not_merged() -> None:
    assert merged([made({1: 1}), made({1: 1}, "completion")]) is None
    assert subtracted(made({1: 1}), made({1: 1}, "completion")) is None


def test_a_bin_that_became_less_is_no_difference() -> None:
    assert subtracted(made({100: 5}), made({100: 6})) is None


@given(BINS)
def test_coarse_bins_keep_every_operation_within_a_sixteenth(bins: dict[int, int]) -> None:
    histogram = made(bins)
    ns, counts = coarsened(np.asarray(histogram.ns), np.asarray(histogram.counts))
    assert counts.sum() == sum(bins.values())
    for value in bins:
        assert np.abs(ns - value).min() <= max(value / 16, 0)


def test_nothing_has_no_percentile() -> None:
    assert math.isnan(percentiles(made({}), [50.0])[0])


def test_the_mean_of_percentiles_is_not_the_percentile_of_all() -> None:
    """Nine calm seconds and one bad one: their mean p99 is an eighth of the true one."""
    latencies: dict[int, int] = {}
    documents = []
    for second in range(10):
        slow = second == 4
        latencies[5_000_000 if slow else 100_000] = (
            latencies.get(5_000_000 if slow else 100_000, 0) + 1000
        )
        ways = {"read": way(dict(latencies), 1000 * (second + 1))}
        documents.append(report(job(**ways), ms=1_700_000_000_000 + 1000 * second))
    (flow,) = course(documents).flows
    assert flow.histogram is not None
    (true,) = percentiles(flow.histogram, [99.0])
    which, ns, counts = map(np.asarray, (flow.interval, flow.ns, flow.counts))
    each = [
        percentiles(of_bins("total", ns[which == i], counts[which == i]), [99.0])[0]
        for i in range(10)
    ]
    assert true == pytest.approx(named(5_000_000) / 1e9)
    assert np.mean(each) < true / 8
    ns, counts = added(ns, counts)  # the same seconds, merged by adding: the truth, coarser
    assert percentiles(of_bins("total", ns, counts), [99.0])[0] == pytest.approx(true, rel=1 / 16)
