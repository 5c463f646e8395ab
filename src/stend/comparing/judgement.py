"""The records of a comparison, and how ratios with p values become verdicts."""

from collections.abc import Sequence
from enum import Enum, StrEnum
from math import log, log1p

from msgspec.structs import replace

from stend.comparing.differences import Difference
from stend.comparing.estimate import Estimate
from stend.record import Metric, Record, Scalar, family_of
from stend.statistics import holm


class Verdict(StrEnum):
    """What B is, beside A. Faster is better in the metric's direction, slower is worse."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    CANNOT_TELL = "cannot tell"
    ONLY_A = "only in A"
    ONLY_B = "only in B"

    def word(self, metric: Metric) -> str:
        """The verdict as it reads for this metric.

        Times and rates are faster or slower; an amount (peak memory, an error) is better
        or worse. Of storage, a latency is shorter or longer and a CPU less busy or busier.
        """
        better, worse = _words(metric)
        return {Verdict.FASTER: better, Verdict.SLOWER: worse}.get(self, self.value)


def _words(metric: Metric) -> tuple[str, str]:
    """What B is where it is better, and where it is worse."""
    if metric.name.endswith(" latency"):
        return "shorter", "longer"
    if metric.name == "CPU":
        return "less busy", "busier"
    if metric.unit in {"s", "seconds", "IOPS"} or metric.unit.endswith("/s"):
        return Verdict.FASTER.value, Verdict.SLOWER.value
    return "better", "worse"


class Noise(Record, frozen=True, kw_only=True):
    """How far runs of one machine lie apart when nothing was changed."""

    spread: float
    """Standard deviation of the logarithm of a run's figure, between runs."""
    freedom: float
    """Degrees of freedom that it is known with."""
    origin: str
    """Where it is known from, in words: "23 stored runs of this machine"."""


class Normalised(Record, frozen=True, kw_only=True):
    """Both sides' figures divided by what the hardware has, and what is left of the difference."""

    by: str
    """"per clock", "per core" or "of peak"."""
    a: float
    b: float
    """In `unit`; of peak: shares from 0 to 1."""
    unit: str
    speed: float
    """How many times as good B is as A by this measure."""
    low: float | None = None
    high: float | None = None
    """The interval of `speed` at the comparison's confidence: per clock, where the frequency was
    read in the processes of the case itself; else what it is unsure by is not known."""


class Judgement(Record, frozen=True, kw_only=True):
    """One case on both sides, and what can be said of it."""

    name: str
    """The case; with two variants side by side, both."""
    benchmark: str
    parameters: dict[str, Scalar]
    """Those of the case; of A's, where the two have others."""
    variants: tuple[str, str]
    """A's and B's; empty where a side has none."""
    metric: Metric
    verdict: Verdict
    reason: str = ""
    """Why it can't be told, or what the verdict leaves open."""
    a: Estimate | None = None
    b: Estimate | None = None
    ratio: float | None = None
    """B's value over A's."""
    low: float | None = None
    high: float | None = None
    """The interval of the ratio at the comparison's confidence."""
    p: float | None = None
    """Two-sided, of "the ratio is 1", before Holm's correction."""
    pairs: int = 0
    """Interleaved pairs; 0 for stored runs."""
    method: str = ""
    runs: tuple[int, int] = (1, 1)
    """Runs of each side that have the case."""
    noise: Noise | None = None
    """What runs of this case differ by when nothing changed; None of interleaved pairs."""
    superiority: float | None = None
    """The effect's size beside what processes, or runs, differ by: the share of all pairs of one of
    A and one of B in which B's is the better, ties as half (Vargha and Delaney 2000, "A critique
    and improvement of the CL common language effect size statistics")."""
    normalised: tuple[Normalised, ...] = ()
    hz: tuple[float, float] | None = None
    """The true frequency of a core on each side at this case, where both tell it in one way."""
    note: str = ""
    """What differs between the two cases on purpose, and what else a reader should know of them."""

    @property
    def family(self) -> str:
        """The family that it counts in."""
        return family_of(self.benchmark)

    @property
    def met(self) -> bool:
        """Whether both sides have it."""
        return self.verdict not in (Verdict.ONLY_A, Verdict.ONLY_B)

    @property
    def speed(self) -> float | None:
        """How many times as good B is: the ratio, turned so that above 1 is better."""
        if self.ratio is None or self.ratio <= 0:
            return None
        return self.ratio if self.metric.better == "higher" else 1 / self.ratio


class Family(Record, frozen=True, kw_only=True):
    """Like cases together: the geometric mean of how many times as good B is as A."""

    name: str
    """The first word of its benchmarks: "stream"."""
    cases: int
    """Those that both sides have and that can be set side by side."""
    counts: dict[str, int]
    """Verdict → how many of these cases got it."""
    verdict: Verdict
    reason: str = ""
    speed: float | None = None
    """Above 1: B is better."""
    low: float | None = None
    high: float | None = None
    """The interval of `speed` at the comparison's confidence."""
    p: float | None = None
    normalised: tuple[Normalised, ...] = ()


class Side(Record, frozen=True, kw_only=True):
    """What was compared."""

    id: str
    label: str
    started: str
    host: str | None
    variant: str = ""
    """With --versus: the variants that this side measured, or its command."""
    more: tuple[str, ...] = ()
    """The ids of its further runs; the fields above are of the first."""
    notes: tuple[str, ...] = ()
    """What sets its runs apart from each other, and what its host did meanwhile, as sentences."""
    published: bool = False
    """It is what the literature gives."""


class Comparison(Record, frozen=True, kw_only=True):
    """All verdicts of B beside A, and what else differs between them."""

    a: Side
    b: Side
    confidence: float
    smallest: float
    rows: tuple[Judgement, ...]
    differences: tuple[Difference, ...] = ()
    families: tuple[Family, ...] = ()
    unmet: dict[str, str] = {}
    """Benchmarks that both sides have and of which no cases meet: why."""

    def count(self, verdict: Verdict) -> int:
        """How many cases got this verdict."""
        return sum(row.verdict is verdict for row in self.rows)

    def word(self, verdict: Verdict) -> str:
        """What those that got this verdict are together.

        Better or worse where some are neither faster nor slower: a latency is shorter.
        """
        words = {row.verdict.word(row.metric) for row in self.rows if row.verdict is verdict}
        if words <= {verdict.value, "better", "worse"}:
            return verdict.value
        return {Verdict.FASTER: "better", Verdict.SLOWER: "worse"}[verdict]


class Standing(Enum):
    """Where a ratio lies beside 1."""

    SAME = 1
    """Its whole interval is within the smallest effect that matters."""
    OPEN = 2
    """Its interval holds 1, and more than that."""
    SMALL = 3
    """It is not 1, but may be less than what matters."""
    BY_CHANCE = 4
    """Among so many, one like it comes by chance."""
    DIFFERS = 5


def standing(ratio: float, low: float, high: float, *, certain: bool, smallest: float) -> Standing:
    """Equivalence first, then a difference that is both certain and large enough.

    *Same* needs the whole interval within the smallest effect that matters (two one-sided
    tests, Schuirmann 1987): that nothing was found is no evidence of sameness. Holm guards
    against differences found by chance, so *same* is judged by its own interval.
    """
    matters = log1p(smallest)
    if max(abs(log(low)), abs(log(high))) <= matters:
        return Standing.SAME
    if low <= 1 <= high:
        return Standing.OPEN
    if abs(log(ratio)) <= matters:
        return Standing.SMALL
    return Standing.DIFFERS if certain else Standing.BY_CHANCE


def certain(p_values: Sequence[float | None], confidence: float) -> list[bool]:
    """Which of them survive Holm's correction."""
    level = 1 - confidence + 1e-12  # as good as equal: 1 - 0.99 is not exactly 0.01
    return [p is not None and p <= level for p in holm(p_values)]


def decided(
    rows: Sequence[Judgement], confidence: float, smallest: float, busy: Sequence[bool] = ()
) -> tuple[Judgement, ...]:
    """The rows with their verdicts; one without a p keeps what it has.

    Where others kept a side's machine `busy` in a row, what helps is a quiet one, before more runs.
    """
    ps = [row.p for row in rows]
    asked = sum(p is not None for p in ps)
    return tuple(
        _decide(row, sure, smallest, asked, others)
        for row, sure, others in zip(
            rows, certain(ps, confidence), busy or [False] * len(rows), strict=True
        )
    )


def _decide(row: Judgement, sure: bool, smallest: float, asked: int, busy: bool) -> Judgement:
    if row.ratio is None or row.low is None or row.high is None or row.p is None:
        return row
    found = standing(row.ratio, row.low, row.high, certain=sure, smallest=smallest)
    if found is Standing.SAME:
        return replace(row, verdict=Verdict.SAME)
    if found is Standing.DIFFERS:
        return replace(row, verdict=better_or_worse((row.speed or 1.0) > 1))
    why = {
        Standing.OPEN: _undecided(smallest, row, busy),
        Standing.SMALL: f"They differ, but the change may be less than the {smallest:.0%} that "
        "matters.",
        Standing.BY_CHANCE: _by_chance(row, asked),
    }[found]
    return replace(row, reason=" ".join(filter(None, (row.reason, why))))


def better_or_worse(better: bool) -> Verdict:
    """The verdict of a difference."""
    return Verdict.FASTER if better else Verdict.SLOWER


def _by_chance(row: Judgement, asked: int) -> str:
    return (
        f"With {asked} {'figures' if _is_storage(row) else 'cases'}, a difference like this (p = "
        f"{row.p or 0:.2g}) can arise by chance (Holm's correction): compare this case by "
        f"itself, or measure {_more(row)}."
    )


def _undecided(smallest: float, row: Judgement, busy: bool) -> str:
    open_ = f"The interval includes both no change and one of more than {smallest:.0%}"
    if busy:
        return (
            f"{open_}, because other programs or the hypervisor kept the machine busy: measure "
            "again when it is quiet."
        )
    return f"{open_}: measure {_more(row)}."


def _more(row: Judgement) -> str:
    if row.pairs:
        return "more pairs (`--pairs`)"
    several = "more runs per side (`stend compare a1,a2,a3 b1,b2,b3`)"
    return several if _is_storage(row) else f"{several}, or both interleaved (`--versus`)"


def _is_storage(row: Judgement) -> bool:
    return row.family == "storage"
