"""A Python function, measured in this process by the same sampler and rules."""

from collections.abc import Callable
from typing import Any

from stend.benchmarks.runner import Rule
from stend.record import CaseRecord, Metric, Status, Work

_ANYTHING = object()


def measure(
    function: Callable[[], Any], expected: Any = _ANYTHING, *, seconds: float = 1.0
) -> CaseRecord:
    """Measure a Python function that takes no arguments.

    The record has one sample of this one process: run a script several times, or define a
    benchmark, to see what differs between processes. `stend.estimate` gives its figure. A
    call from the sampler costs about 50 ns beside the function's own work.

    Args:
        function: what to measure.
        expected: what the function has to return; when it returns something else the record
            is wrong, and there is no number.
        seconds: what measuring may take; it stops earlier when the 95% interval of the
            median is within 1%.
    """
    from stend import native
    from stend.machine import default_clock
    from stend.running.kernel import measure_kernel

    call = native.sampler.call
    kernel = call(function) if expected is _ANYTHING else call(function, expected)
    sample = measure_kernel(kernel, default_clock(), Rule(seconds=seconds), process=0)
    return CaseRecord(
        benchmark=getattr(function, "__qualname__", "function"),
        question="How long does one call take?",
        parameters={},
        variant=None,
        metric=Metric(name="time", unit="s", better="lower"),
        work=Work(operations=1),
        status=Status.MEASURED if sample.proof.right else Status.WRONG,
        reason="" if sample.proof.right else sample.proof.said,
        samples=(sample,),
    )
