"""A kernel, in this process: prepared, sampled by a rule, proved."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stend.benchmarks.runner import Rule
from stend.record import ClockFacts, Proof, Sample
from stend.running.sampling import measure, stopping_rule

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
        told = kernel.prove()
        return Proof(right=told.right, said=told.said)

    kernel.prepare()
    sampler = native.sampler.Sampler(kernel, clock.name)
    return measure(
        sampler,
        clock=clock,
        rule=stopping_rule(rule),
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
