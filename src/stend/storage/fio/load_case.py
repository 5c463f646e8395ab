"""The case of a measured run of fio: IOPS, latencies, and whatever else is compared."""

from collections.abc import Mapping, Sequence

from stend.record import CaseRecord, Proof, Sample, Scalar, Status, Stop, Work, in_all
from stend.record.cautions import Caution
from stend.record.columns import Integers, Numbers
from stend.record.loads import Flow, Histogram, Load
from stend.storage.fio.results import FURTHER, METRIC, PERCENTS, merged, operations_of, percentiles

BEYOND = 10
"""Operations that must lie beyond a percentile for it to be one of them and not their maximum."""

_FIGURES = {"ok", "unsteady", "interrupted"}


def sample_of(
    load: Load,
    process: int,
    cpu: float | None = None,
    printed: Mapping[float, float] | None = None,
) -> Sample:
    """Make the one repetition that a load's last run is.

    Args:
        load: with the run.
        process: the order of the sample in its case.
        cpu: the share of all CPU time.
        printed: percentiles of an imported result without bins, s by percent.

    All directions count together. A column of `also` for which there is nothing is left out.
    """
    run = load.runs[-1] if load.runs else None
    flows = run.flows if run else ()
    done = sum(flow.operations for flow in flows)
    seconds = max((flow.seconds for flow in flows), default=0.0)
    also = _also(flows, seconds, cpu) | _enough(printed or {}, done)
    return Sample(
        process=process,
        clock="CLOCK_MONOTONIC",
        hz=1e9,
        origin=run.began if run else 0,
        batch=1,
        started=Integers([0]),
        ticks=Integers([round(seconds * 1e9)]),
        core=Integers([-1]),
        preempted=Integers([0]),
        values=Numbers([done / seconds if seconds else 0.0]),
        also={name: Numbers([value]) for name, value in also.items()},
        stop=Stop(rule="once", criterion="once"),
        proof=_proof(load, done, seconds),
        cautions=(Caution.UNSTEADY,) if load.state == "unsteady" else (),
        load=load,
    )


def _proof(load: Load, done: int, seconds: float) -> Proof:
    said = f"{load.fio or 'fio'} did {done:,} operations in {seconds:,.3f} s."
    right = load.state in _FIGURES and done > 0 and seconds > 0
    return Proof(right=right, said=" ".join([said, *load.reasons]))


def _also(flows: Sequence[Flow], seconds: float, cpu: float | None) -> dict[str, float]:
    found: dict[str, float] = {}
    if seconds:
        found["bandwidth B/s"] = sum(flow.bytes for flow in flows) / seconds
    busy = [flow for flow in flows if flow.operations]
    means = [(flow.operations, flow.mean) for flow in busy if flow.mean is not None]
    if busy and len(means) == len(busy):
        found["latency s"] = sum(n * mean for n, mean in means) / sum(n for n, _ in means)
    histogram = total(busy)
    if histogram:
        found.update(_percentiles(histogram))
    if cpu is not None:
        found["cpu share"] = cpu
    return found


def total(flows: Sequence[Flow]) -> Histogram | None:
    """The latencies of all directions in one histogram; None unless each has one of a kind."""
    histograms = [flow.histogram for flow in flows if flow.histogram]
    return merged(histograms) if len(histograms) == len(flows) else None


def _percentiles(histogram: Histogram) -> dict[str, float]:
    percents = list(PERCENTS.values())
    found = dict(zip(percents, percentiles(histogram, percents), strict=True))
    return _enough(found, operations_of(histogram))


def _enough(values: Mapping[float, float], n: int) -> dict[str, float]:
    """Name the percentiles beyond which enough of `n` operations lie."""
    reached = {name: p for name, p in PERCENTS.items() if n * (100 - p) >= 99.999 * BEYOND}
    return {name: values[p] for name, p in reached.items() if p in values}


def case_of(
    benchmark: str,
    question: str,
    parameters: Mapping[str, Scalar],
    samples: Sequence[Sample],
    detail: Mapping[str, str] | None = None,
) -> CaseRecord:
    """Make the case that measured runs of one workload are, by how their loads ended.

    One that is partial or failed fails the case, and everything is kept; of an interrupted case
    the samples without a figure are left out.
    """
    loads = [sample.load for sample in samples if sample.load]
    states = {load.state for load in loads}
    reasons = dict.fromkeys(reason for load in loads for reason in load.reasons)
    status = Status.MEASURED
    if not samples or states & {"partial", "failed"}:
        status = Status.FAILED
    elif "interrupted" in states:
        status = Status.INTERRUPTED
        samples = [sample for sample in samples if sample.proof.right]
    elif not all(sample.proof.right for sample in samples):
        status = Status.WRONG
    return CaseRecord(
        benchmark=benchmark,
        question=question,
        parameters=dict(parameters),
        variant=None,
        metric=METRIC,
        further=in_all(FURTHER, samples),
        work=Work(),
        status=status,
        reason="" if status is Status.MEASURED else " ".join(reasons) or "fio did nothing.",
        samples=tuple(samples),
        detail=dict(detail or {}),
    )
