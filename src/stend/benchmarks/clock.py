"""The timers of this machine, after Kuzminsky 2002: a 0.01 s timer against the cycle counter.

What one reading costs, how finely it counts, and how wrong it makes a short measurement.
"""

from typing import TYPE_CHECKING

from stend.definition import Case, benchmark
from stend.parameters import Size, choice, seconds
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

FEW = ("tsc", "cntvct", "rdtime", "CLOCK_MONOTONIC", "times")
"""What a quick run looks at: the processor's own, the usual and the historical one."""


def _timers(machine: Machine, size: Size) -> tuple[str, ...]:
    from stend import native

    timers = native.clock.timers()
    if size == "full":
        return tuple(timer.name for timer in timers)
    return tuple(timer.name for timer in timers if timer.available and timer.name in FEW)


def _durations(machine: Machine, size: Size) -> tuple[float, ...]:
    return {"full": (1e-5, 1e-4, 1e-3, 1e-2, 1e-1), "quick": (1e-3,), "check": (1e-5,)}[size]


def _exists(case: Case, machine: Machine) -> str | None:
    from stend import native

    timers = {timer.name: timer for timer in native.clock.timers()}
    if case.timer not in timers:
        return f"there is no timer {case.timer!r}; the timers are {', '.join(timers)}."
    return timers[str(case.timer)].reason or None


TIMER = choice("which timer; `stend list clock.overhead` names them", _timers)


@benchmark(
    "clock.overhead",
    question="How long does it take to read this timer?",
    parameters={"timer": TIMER},
    metric=Metric(name="overhead", unit="s", better="lower"),
    work=lambda case: Work(operations=1),
    needs=_exists,
)
def overhead(case: Case) -> "native.Kernel":
    """One execution reads the timer once."""
    from stend import native

    return native.clock.read(case.timer)


@benchmark(
    "clock.resolution",
    question="How far apart are two readings of this timer in a row that differ?",
    parameters={"timer": TIMER},
    metric=Metric(name="step", unit="s", better="lower"),
    needs=_exists,
)
def resolution(case: Case) -> "native.Kernel":
    """One repetition observes one step."""
    from stend import native

    return native.clock.step(case.timer)


@benchmark(
    "clock.error",
    question="How wrong is a measurement of this length when this timer makes it?",
    parameters={
        "timer": TIMER,
        "duration": seconds("how long the measured work takes", _durations, 1e-6, 10.0),
    },
    metric=Metric(name="error", unit="relative", better="lower"),
    needs=_exists,
)
def error(case: Case) -> "native.Kernel":
    """One repetition times known work by the timer and by the cycle counter."""
    from stend import native

    return native.clock.error(case.timer, case.duration)
