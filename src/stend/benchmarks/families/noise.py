"""The time that the OS and the hypervisor take from a core that only computes.

`noise.quantum` repeats a fixed quantum of work (FWQ: Sottile and Minnich 2004); `noise.lost` and
`noise.detour` read the cycle counter in a tight loop, where a gap of more than nine shortest loops
is a detour (selfish detour: Beckman et al. 2006; netgauge: Hoefler et al. 2010).
native/kernels/noise/README.md lists what can be switched off.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.needs import cpu_lacks
from stend.benchmarks.parameters import CPUS, Size, seconds, whole
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

MOST_CPUS = 16


def _cpus(machine: Machine, size: Size) -> tuple[int, ...]:
    usable = machine.usable or (0,)
    return usable[: MOST_CPUS if size == "full" else 1]


def _durations(machine: Machine, size: Size) -> tuple[float, ...]:
    return (20e-6, 1e-3) if size == "full" else (20e-6,)


def _windows(machine: Machine, size: Size) -> tuple[float, ...]:
    return (20e-3, 0.2) if size == "full" else (20e-3,)


def _usable_cpu(case: Case, machine: Machine) -> str | None:
    return cpu_lacks(int(case.cpu), machine)


CPU = whole("the CPU, by the OS's number", _cpus, least=0, most=1 << 16, depends=CPUS)
_PROOF = (
    "Loops and detours must add up to the time between the first and the last reading, the "
    "counter must never run backwards, and at the end it must agree with the system's clock."
)
_MENDING = (
    "native/kernels/noise/README.md lists what can be switched off, in the order of the gain."
)
PATIENCE = 50e-3
"""Seconds that `noise.detour` waits: even an idle kernel looks at its clocks more often."""


@benchmark(
    "noise.quantum",
    question="How long does a fixed quantum of work take each time, on a core of its own?",
    parameters={
        "cpu": CPU,
        "duration": seconds(
            "approximate length of the quantum: 1000 multiplications per microsecond, the rate of "
            "a 3 GHz core for dependent ones",
            _durations,
            least=1e-6,
            most=1.0,
        ),
    },
    metric=Metric(name="time", unit="s", better="lower"),
    work=lambda case: Work(operations=_multiplications(case)),
    needs=_usable_cpu,
    about=About(
        work="a fixed number of dependent multiplications.",
        proof="The product must be the power computed by squaring.",
        bound="The latency of a multiplication and the core's frequency; everything above the "
        "shortest quantum is a detour caused by the OS, the hypervisor or a neighbour.",
        reading="Look at the distribution: the first peak is the quantum, and values right of "
        f"it are detours. {_MENDING}",
        rooms=("native/kernels/noise",),
    ),
)
def quantum(case: Case) -> "native.Kernel":
    """One repetition is one quantum, never a batch of them: its histogram shows the detours."""
    from stend import native

    return native.noise.quantum(case.duration, case.cpu)


def _multiplications(case: Case) -> float:
    from stend import native

    return float(native.noise.multiplications(case.duration))


@benchmark(
    "noise.lost",
    question="What share of a core do the OS and the hypervisor take?",
    parameters={
        "cpu": CPU,
        "window": seconds("length of each observation", _windows, least=1e-4, most=10.0),
    },
    metric=Metric(name="share lost", unit="share", better="lower"),
    needs=_usable_cpu,
    about=About(
        proof=_PROOF,
        bound="The shortest detectable detour: more than nine shortest loops, about 150 ns.",
        reading="An isolated core loses less than 0.01%, an ordinary one a few tenths of a per "
        "cent to timer ticks, one of a shared virtual machine more. Detours rarer than "
        f"the window show only in the slowest repetitions. {_MENDING}",
        rooms=("native/kernels/noise",),
    ),
)
def lost(case: Case) -> "native.Kernel":
    """One repetition watches one window."""
    from stend import native

    return native.noise.lost(case.window, case.cpu)


@benchmark(
    "noise.detour",
    question="How long does a detour last that the OS or the hypervisor makes?",
    parameters={"cpu": CPU},
    metric=Metric(name="detour", unit="s", better="lower"),
    needs=_usable_cpu,
    about=About(
        proof=_PROOF,
        bound="What interrupts the core: a few microseconds are the timer tick, tens of "
        "microseconds other kernel work, milliseconds another program or the hypervisor.",
        reading=f"The median is the usual detour, the percentiles the worst ones. {_MENDING}",
        rooms=("native/kernels/noise",),
    ),
)
def detour(case: Case) -> "native.Kernel":
    """One repetition waits for the next detour; none within 50 ms is no value."""
    from stend import native

    return native.noise.detour(PATIENCE, case.cpu)
