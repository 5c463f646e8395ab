"""The same case on several numbers of threads: how many times faster than on one."""

from collections.abc import Sequence

from stend.comparing.limits import threads_of
from stend.report.charts.chart import Listing
from stend.report.measured_case import Measured
from stend.report.quantities import figure, parameter
from stend.statistics import unpaired

_CONFIDENCE = 0.95


def speedups(measured: Sequence[Measured]) -> Listing | None:
    """A row for each case that was measured on one thread and on more; None without any.

    Only rates are set side by side: their work may grow with the threads. The speed-up is the
    ratio of the rates with its 95% interval over processes, which the two were not interleaved
    for.
    """
    found: dict[Same, dict[int, Measured]] = {}
    for m in measured:
        if m.case.metric.unit.endswith("/s") and "threads" in m.case.parameters:
            found.setdefault(_same(m), {})[threads_of(m.case)] = m
    found = {same: by for same, by in found.items() if 1 in by and len(by) > 1}
    if not found:
        return None
    counts = sorted({count for by in found.values() for count in by if count != 1})
    return Listing(
        "Times as fast as one thread, with 95% intervals over processes, and the share of what as "
        "many threads could do at most",
        ("case", "1 thread", *(f"{count} threads" for count in counts)),
        tuple(
            (name, _figure(by[1]), *(_times(by[1], by.get(count)) for count in counts))
            for name, by in zip(_names(list(found)), found.values(), strict=True)
        ),
    )


Same = tuple[str, tuple[str, ...], str]
"""What cases that differ by their threads alone share: benchmark, parameters, variant."""


def _same(m: Measured) -> Same:
    rest = ((k, v) for k, v in m.case.parameters.items() if k != "threads")
    return m.case.benchmark, tuple(f"{k} {parameter(k, v)}" for k, v in rest), m.variant


def _names(cases: Sequence[Same]) -> list[str]:
    """`linpack.lu · mkl`: without what all cases of the benchmark share."""
    words = [(benchmark, (*rest, *filter(None, [variant]))) for benchmark, rest, variant in cases]
    shared: dict[str, set[str]] = {}
    for benchmark, said in words:
        shared[benchmark] = shared.get(benchmark, set(said)) & set(said)
    return [" · ".join([b, *(w for w in said if w not in shared[b])]) for b, said in words]


def _figure(m: Measured) -> str:
    return figure(m.estimate.value, m.estimate.unit, m.estimate.ends)


def _times(one: Measured, more: Measured | None) -> str:
    if more is None or not 0 < one.estimate.value < float("inf"):
        return "–"
    ratio = more.estimate.value / one.estimate.value
    between = unpaired(
        list(one.estimate.medians.values()), list(more.estimate.medians.values()), _CONFIDENCE
    )
    ends = (between.low, between.high) if between.low and between.high else None
    return f"{figure(ratio, '×', ends)}, {100 * ratio / threads_of(more.case):.0f}%"
