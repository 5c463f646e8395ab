"""The timers of this machine, after Kuzminsky 2002: a 0.01 s timer against the cycle counter.

What one reading costs, how finely it counts, and how wrong it makes a short measurement.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.parameters import Size, choice, seconds
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

FEW = ("tsc", "cntvct", "rdtime", "CLOCK_MONOTONIC", "times")
"""What a quick run looks at: the processor's own, the usual and the historical one."""


def _timers(machine: Machine, size: Size) -> tuple[str, ...]:
    from stend import native

    if size == "full":
        return tuple(timer.name for timer in native.clock.timers())
    lacking = {clock.name for clock in machine.clocks if not clock.available}
    return tuple(name for name in FEW if name not in lacking)


def _durations(machine: Machine, size: Size) -> tuple[float, ...]:
    return {"full": (1e-5, 1e-4, 1e-3, 1e-2, 1e-1), "quick": (1e-3,), "check": (1e-5,)}[size]


def _exists(case: Case, machine: Machine) -> str | None:
    from stend import native

    timers = {timer.name: timer for timer in native.clock.timers()}
    if case.timer not in timers:
        return f"there is no timer {case.timer!r}; the timers are {', '.join(timers)}."
    return timers[str(case.timer)].reason or None


_PROOF = (
    "What the timer showed over the whole measurement has to agree with the processor's cycle "
    "counter, which is read next to it."
)

TIMER = choice(
    "which timer: a counter of the processor (tsc, cntvct, rdtime), a clock of the system by the "
    "name that clock_gettime takes, or a call (gettimeofday, clock, getrusage, times)",
    _timers,
    depends="which counters the processor has",
)


@benchmark(
    "clock.overhead",
    question="How long does it take to read this timer?",
    parameters={"timer": TIMER},
    metric=Metric(name="overhead", unit="s", better="lower"),
    work=lambda case: Work(operations=1),
    needs=_exists,
    about=About(
        work="one reading.",
        proof="Every reading that was asked for is counted, and none lies before the last. "
        f"{_PROOF}",
        bound="A counter of the processor costs tens of cycles. A clock read without "
        "entering the kernel (vDSO) adds its arithmetic; others add a system call.",
        reading="Work timed with this timer should last a thousand times as long. The system's "
        "clocks are as cheap as the counter only where `stend machine` says that the "
        "kernel's clock source is the counter.",
        rooms=("native",),
    ),
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
    about=About(
        proof=f"Every step goes forwards. {_PROOF}",
        bound="How often the timer's source counts; if that is more often than it can be "
        "read, the cost of reading it.",
        reading="A single timing can be wrong by a step at either end. Work is batched until one "
        "timing lasts 1,000 steps.",
        rooms=("native",),
    ),
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
    about=About(
        proof="The work is a chain of multiplications: its product has to be the power computed by "
        f"squaring. {_PROOF}",
        bound="The timer's step: work begins at a place of the step that differs from repetition "
        "to repetition, and most of a short piece of work may fall between two steps.",
        reading="0.01 means one per cent too long or too short. Differences below the timer's "
        "error mean nothing.",
        rooms=("native",),
    ),
)
def error(case: Case) -> "native.Kernel":
    """One repetition times known work by the timer and by the cycle counter."""
    from stend import native

    return native.clock.error(case.timer, case.duration)
