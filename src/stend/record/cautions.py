"""Every warning that a measurement can carry, with what to do about it."""

from enum import StrEnum


class Caution(StrEnum):
    """What may be wrong with a sample; the value is what records and reports show."""

    TIME_LIMIT = "time limit"
    FEW_REPETITIONS = "few repetitions"
    NOT_REPRODUCIBLE = "not reproducible"
    TWO_MODES = "two modes"
    DRIFTING = "drifting"
    STEP = "step"
    QUANTISED = "quantised"
    NOISY = "noisy"
    PREEMPTED = "preempted"
    MIGRATED = "migrated"
    THROTTLED = "throttled"
    COARSE_CLOCK = "coarse clock"
    AUTOCORRELATED = "autocorrelated"
    UNSTEADY = "unsteady"
    UNWRITTEN = "unwritten"

    @property
    def advice(self) -> str:
        """One line: what it means and what to do."""
        return _ADVICE[self]


_ADVICE = {
    Caution.TIME_LIMIT: "The time ran out before the interval was as narrow as asked; "
    "give it longer with `--seconds`, or read the interval as it is.",
    Caution.FEW_REPETITIONS: "Too few repetitions for an interval at this confidence; "
    "give it longer with `--seconds`, or make the work smaller.",
    Caution.NOT_REPRODUCIBLE: "No round passed any of the three criteria; quieten the machine "
    "(see `stend machine`) or use --stop precision, which reports an interval instead.",
    Caution.TWO_MODES: "The time jumps between two values; look at both in the distribution, and "
    "pin the frequency, the core or the page size, whichever the jumps follow.",
    Caution.DRIFTING: "The time moved steadily while it was measured; let the machine warm up or "
    "cool down, and compare only interleaved (`--versus`).",
    Caution.STEP: "The time changed once and stayed; something began or ended on this machine, "
    "so measure again.",
    Caution.QUANTISED: "The times take only a few values; the work is too short for this clock, "
    "so enlarge it.",
    Caution.NOISY: "Many repetitions are far above the median; stop what else runs here "
    "(see `stend machine`).",
    Caution.PREEMPTED: "The scheduler took the core away during repetitions, which slowed them; "
    "stop other work or leave cores free.",
    Caution.MIGRATED: "The measuring thread changed cores; pin it with `taskset -c`.",
    Caution.THROTTLED: "The core's true frequency differed before and after; fix the frequency "
    "governor or the cooling.",
    Caution.COARSE_CLOCK: "The clock's step is a large part of one repetition; enlarge the work.",
    Caution.AUTOCORRELATED: "Neighbouring repetitions are alike, so the effective sample is small; "
    "the interval is widened for it.",
    Caution.UNSTEADY: "The storage had not settled when it was measured; precondition it longer or "
    "allow more rounds in the profile.",
    Caution.UNWRITTEN: "Most of what was read had never been written, and many devices answer that "
    "without reading anything; write the target first.",
}
