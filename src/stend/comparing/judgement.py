"""What a comparison says: a verdict and its grounds for each case, as records."""

from enum import StrEnum

from stend.comparing.differences import Difference
from stend.comparing.estimate import Estimate
from stend.record import Metric, Record, Scalar


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
    """Interleaved pairs; 0 for two stored runs."""
    method: str = ""


class Side(Record, frozen=True, kw_only=True):
    """What was compared."""

    id: str
    label: str
    started: str
    host: str | None
    variant: str = ""
    """With --versus: the variants that this side measured, or its command."""


class Comparison(Record, frozen=True, kw_only=True):
    """All verdicts of B beside A, and what else differs between them."""

    a: Side
    b: Side
    confidence: float
    smallest: float
    rows: tuple[Judgement, ...]
    differences: tuple[Difference, ...] = ()

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
