"""A kernel, in this process: prepared, sampled by a rule, proved."""

import math
from typing import TYPE_CHECKING

from stend.record import ClockFacts, Proof, Sample
from stend.running.sampling import Once, Precision, Rounds, measure
from stend.running.sampling import Rule as StoppingRule
from stend.running.task import Rule

if TYPE_CHECKING:
    from stend import native

_PROBE_SECONDS = 0.002
"""For the core's frequency: long enough for dozens of chains, too short to warm the core."""


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
        rule=stopping(rule),
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


def stopping(rule: Rule) -> StoppingRule:
    """The rule that a task names."""
    if rule.name == "rounds":
        return Rounds()
    return Precision(target=rule.target) if rule.name == "precision" else Once()
