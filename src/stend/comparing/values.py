"""A sample's ticks → one value a repetition, in the unit of its metric."""

import numpy as np
from numpy.typing import NDArray

from stend.record import CaseRecord, Metric, Sample, Work

Values = NDArray[np.float64]


def work_of(metric: Metric, work: Work) -> float | None:
    """What one execution does, in what the metric counts; None: it declares none."""
    return {
        "B/s": work.bytes,
        "FLOP/s": work.flops,
        "op/s": work.operations,
        "block/s": work.blocks,
        "s/slice": work.operations,
    }.get(metric.unit)


def from_seconds(seconds: Values, metric: Metric, work: Work) -> Values:
    """Turn seconds an execution into the metric's unit.

    A rate is the work of one execution over its time, infinite where the clock saw no time
    pass; a time each is its inverse. NaN where the case declares no such work, or where the unit
    is one that only the kernel itself can report.
    """
    if metric.unit == "s":
        return seconds
    amount = work_of(metric, work)
    if amount is None:
        return np.full_like(seconds, np.nan)
    if metric.unit == "s/slice":
        return seconds / amount
    with np.errstate(divide="ignore", invalid="ignore"):
        return amount / seconds


def seconds_of(sample: Sample) -> Values:
    """Seconds an execution, for each repetition."""
    return np.asarray(sample.ticks, dtype=np.float64) / (sample.hz * sample.batch)


def values_of(case: CaseRecord, sample: Sample) -> Values:
    """Each repetition's value in the metric's unit; what a kernel reported itself is kept."""
    if sample.values is not None:
        return np.asarray(sample.values, dtype=np.float64)
    return from_seconds(seconds_of(sample), case.metric, case.work)
