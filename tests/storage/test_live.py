"""The load of the moment in words, and its numbers from an interval."""

import math

import numpy as np
import pytest

from stend.storage.fio.course import Interval
from stend.storage.fio_run import Moment, Rates, described, rates

NOTHING = np.zeros(0, np.int64)
READ = Rates(iops=12_345.6, bandwidth=50.6e6, latency=324e-6, p99=1.0681e-3)


def test_rates_are_of_the_interval_and_the_percentile_of_its_bins():
    ns = np.array([100_000, 200_000, 3_000_000])
    found = rates(Interval(0.5, 200, 819_200, 150e-6, ns, np.array([100, 98, 2])))
    assert found == Rates(iops=400.0, bandwidth=1_638_400.0, latency=150e-6, p99=200e-6)


def test_an_interval_in_which_nothing_ended_has_no_latency():
    found = rates(Interval(1.0, 0, 0, math.nan, NOTHING, NOTHING))
    assert (found.iops, found.bandwidth) == (0.0, 0.0)
    assert math.isnan(found.latency)
    assert math.isnan(found.p99)


@pytest.mark.parametrize(
    ("moment", "cpu", "words"),
    [
        (
            Moment(3.2, 10.0, {"read": READ}),
            0.374,
            "3 s of 10 s · 12,346 IOPS, 50.6 MB/s, 0.324 ms, p99 1.07 ms · CPU 37%",
        ),
        (
            Moment(3.2, None, {"read": READ, "write": Rates(0.0, 0.0, math.nan, math.nan)}),
            None,
            "3 s · read 12,346 IOPS, 50.6 MB/s, 0.324 ms, p99 1.07 ms · write 0 IOPS, 0.0 MB/s",
        ),
        (Moment(5.0, 10.0, {}), math.nan, "5 s of 10 s · fio reports nothing"),
    ],
)
def test_a_moment_is_one_line(moment, cpu, words):
    assert described(moment, cpu) == words
