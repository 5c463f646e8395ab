"""A kernel or a Python function, in this process: sampled by a rule, proved."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stend.benchmarks.runner import Rule
from stend.record import CaseRecord, ClockFacts, Metric, Proof, Sample, Status, Work
from stend.running import sampling

if TYPE_CHECKING:
    from stend import native

_PROBE_SECONDS = 0.002
"""For the core's frequency: long enough for dozens of chains, too short to warm the core."""


@dataclass(frozen=True, slots=True)
class KernelRunner:
    """Samples a kernel in this process."""

    kernel: "native.Kernel"
    clock: ClockFacts

    @property
    def variant(self) -> str | None:
        """The kernel's own."""
        return self.kernel.variant

    def measure(self, rule: Rule, process: int) -> tuple[Sample, dict[str, str]]:
        """Prepare the kernel, sample it by the rule, prove it."""
        sample = measure_kernel(self.kernel, self.clock, rule, process)
        return sample, {"about": self.kernel.about} if self.kernel.about else {}


def measure_kernel(kernel: "native.Kernel", clock: ClockFacts, rule: Rule, process: int) -> Sample:
    """Measure `kernel` by `rule`, timed by `clock`; the work's own exceptions go through."""
    from stend import native

    def proof() -> Proof:
        proved = kernel.prove()
        return Proof(right=proved.right, said=proved.said)

    kernel.prepare()
    sampler = native.sampler.Sampler(kernel, clock.name)
    return sampling.measure(
        sampler,
        clock=clock,
        rule=sampling.stopping_rule(rule),
        budget=rule.seconds,
        proof=proof,
        process=process,
        origin=sampler.origin,
        core_frequency=_core_frequency,
    )


def _core_frequency() -> float | None:
    """Hz; None where the probe can't tell, as when it was interrupted all the time."""
    from stend import native

    hz = native.clock.core_frequency(_PROBE_SECONDS)
    return hz if math.isfinite(hz) else None


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
