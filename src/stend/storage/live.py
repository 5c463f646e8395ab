"""The load of the moment: what fio did between two documents comes in, a line to show goes out."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from stend.fio.course import Interval
from stend.fio.histogram import of_bins, percentiles
from stend.loads import Direction


class Rates(NamedTuple):
    """What went on in the last interval; NaN where nothing ended in it."""

    iops: float
    bandwidth: float
    """B/s."""
    latency: float
    """The mean, s."""
    p99: float
    """s, from the bins."""


class Moment(NamedTuple):
    """How far a run is, and what the last second of it was like."""

    elapsed: float
    """Seconds since the load began."""
    asked: float | None
    """Seconds that it is to run; None: until its work is done."""
    ways: Mapping[Direction, Rates]
    """Empty while fio has told nothing: it lays out its files, or the device does not answer."""


def rates(interval: Interval) -> Rates:
    """Give the rates of one way in one interval."""
    bins = of_bins("total", interval.ns, interval.counts)
    return Rates(
        iops=interval.operations / interval.seconds,
        bandwidth=interval.bytes / interval.seconds,
        latency=interval.latency,
        p99=percentiles(bins, [99])[0],
    )


def described(moment: Moment, cpu: float | None = None) -> str:
    """Say a moment in a line that fits a terminal; `cpu` is the busy share of the machine."""
    parts = [_time(moment), *(_way(way, moment.ways) for way in moment.ways)]
    if not moment.ways:
        parts.append("fio tells nothing")
    if cpu is not None and math.isfinite(cpu):
        parts.append(f"CPU {cpu:.0%}")
    return " · ".join(parts)


def _time(moment: Moment) -> str:
    return f"{moment.elapsed:.0f} s" + (f" of {moment.asked:.0f} s" if moment.asked else "")


def _way(way: Direction, ways: Mapping[Direction, Rates]) -> str:
    one = ways[way]
    named = f"{way} " if len(ways) > 1 else ""
    latency = "" if math.isnan(one.latency) else f", {one.latency * 1e3:.3g} ms"
    p99 = "" if math.isnan(one.p99) else f", p99 {one.p99 * 1e3:.3g} ms"
    return f"{named}{one.iops:,.0f} IOPS, {one.bandwidth / 1e6:,.1f} MB/s{latency}{p99}"
