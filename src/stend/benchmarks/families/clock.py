"""The timers of this machine, after Kuzminsky 2002: a 0.01 s timer against the cycle counter.

The cost of one reading, the timer's resolution, and the error of a short measurement.
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
    "Over the whole measurement the timer must agree with the processor's cycle counter, which is "
    "read next to it."
)

TIMER = choice(
    "the timer: a counter of the processor (tsc, cntvct, rdtime), a clock of the system by the "
    "name that clock_gettime takes, or a call (gettimeofday, clock, getrusage, times)",
    _timers,
    depends="the counters of the processor",
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
        proof="All requested readings are counted, and none is earlier than the one before it. "
        f"{_PROOF}",
        bound="A counter of the processor costs tens of cycles. A clock read without entering the "
        "kernel (vDSO) adds some arithmetic; others add a system call.",
        reading="Work timed with this timer should last a thousand times as long. The system's "
        "clocks cost as little as the counter only if `stend machine` shows the counter "
        "as the kernel's clock source.",
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
        proof=f"Every step is forward. {_PROOF}",
        bound="The frequency of the timer's source; if it counts faster than it can be read, the "
        "cost of reading it.",
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
        proof="The work is a chain of multiplications; its product must be the power computed by "
        f"squaring. {_PROOF}",
        bound="The timer's step: each repetition begins at another point within a step, and most "
        "of a short piece of work may fall between two steps.",
        reading="0.01 means one per cent too long or too short. Differences below the timer's "
        "error mean nothing.",
        rooms=("native",),
    ),
)
def error(case: Case) -> "native.Kernel":
    """One repetition times known work by the timer and by the cycle counter."""
    from stend import native

    return native.clock.error(case.timer, case.duration)
