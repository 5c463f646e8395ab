"""What the compiled part tells of this processor: usable instruction sets, and its clocks."""

from stend.errors import SetupError
from stend.machine.tree import Tree, Unreadable
from stend.record import ClockFacts

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
