"""The processor's frequency: who sets it, throttling; usable instruction sets and clocks."""

from stend.errors import SetupError
from stend.machine.sysfs_topology import CPU, online
from stend.machine.tree import Tree, Unreadable, known
from stend.record import ClockFacts


def governors(tree: Tree) -> dict[str, int]:
    """Governor → how many hardware threads it governs."""
    found: dict[str, int] = {}
    for cpu in online(tree):
        if name := known(tree.line, f"{CPU}/cpu{cpu}/cpufreq/scaling_governor"):
            found[name] = found.get(name, 0) + 1
    if not found:
        raise Unreadable(f"{CPU}/cpu*/cpufreq has no governor (usual in a virtual machine)")
    return found


def governor(tree: Tree) -> str:
    """The governor; where there are several, all of them joined by ` + `."""
    return " + ".join(sorted(governors(tree)))


def turbo(tree: Tree) -> bool:
    """Whether the processor may run faster than its nominal frequency."""
    if (off := known(tree.integer, f"{CPU}/intel_pstate/no_turbo")) is not None:
        return off == 0
    if (on := known(tree.integer, f"{CPU}/cpufreq/boost")) is not None:
        return on != 0
    raise Unreadable(f"neither {CPU}/intel_pstate/no_turbo nor {CPU}/cpufreq/boost tells")


COUNTERS = ("core_throttle_count", "package_throttle_count")


def paths(cpus: tuple[int, ...]) -> list[str]:
    """The counters' files."""
    return [f"{CPU}/cpu{cpu}/thermal_throttle/{name}" for cpu in cpus for name in COUNTERS]


def throttle_count(tree: Tree) -> int:
    """The largest counter: hardware threads of a core, and cores of a package, share theirs."""
    counts = (known(tree.integer, path) for path in paths(online(tree)))
    found = [count for count in counts if count is not None]
    if not found:
        raise Unreadable(f"{CPU}/cpu*/thermal_throttle counts nothing")
    return max(found)


CALIBRATION = 0.05
"""Seconds: enough for a frequency to some parts in a million, see `hz_uncertainty`."""

ELSEWHERE = "only the machine itself tells it, and this is a recorded tree"


def isa(tree: Tree) -> tuple[str, ...]:
    """Instruction-set extensions that kernels may use here."""
    if not tree.live:
        raise Unreadable(ELSEWHERE)
    try:
        from stend.native import isa as native
    except SetupError as error:
        raise Unreadable(str(error)) from None
    try:
        return tuple(native.features())
    except ValueError as error:  # STEND_DISABLE_ISA names something unknown
        raise Unreadable(str(error)) from None


def clocks(tree: Tree, seconds: float | None = None) -> tuple[ClockFacts, ...]:
    """Every clock; `seconds` is the time that each one's calibration may take, None: none."""
    if not tree.live:
        raise Unreadable(ELSEWHERE)
    try:
        from stend.native import clock
    except SetupError as error:
        raise Unreadable(str(error)) from None
    found = []
    for source in clock.sources():
        plain = ClockFacts(name=source.name, available=source.available, reason=source.reason)
        measure = source.available and seconds is not None
        found.append(_calibrated(source.name, seconds or 0.0) if measure else plain)
    return tuple(found)


def default_clock(seconds: float = CALIBRATION) -> ClockFacts:
    """The clock that measurements use here, calibrated for `seconds`; raises SetupError."""
    from stend.native import clock

    return _calibrated(clock.default(), seconds)


def _calibrated(name: str, seconds: float) -> ClockFacts:
    from stend.native import clock

    try:
        told = clock.calibrate(name, seconds)
    except (RuntimeError, ValueError) as error:
        return ClockFacts(name=name, available=False, reason=str(error))
    return ClockFacts(
        name=name,
        available=True,
        hz=told.hz,
        hz_uncertainty=told.hz_uncertainty,
        resolution=told.resolution,
        overhead=told.overhead,
    )
