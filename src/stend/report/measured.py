"""A case with its figure: what all of the report is made of."""

from dataclasses import dataclass

from stend.comparing import Estimate
from stend.record import CaseRecord


@dataclass(frozen=True)
class Measured:
    """A case with its figure; `index` is its place in the run."""

    index: int
    case: CaseRecord
    estimate: Estimate

    @property
    def what(self) -> str:
        """The last word of the benchmark's name: "triad"."""
        return self.case.benchmark.rpartition(".")[2]

    @property
    def variant(self) -> str:
        """The variant with the side, where there are any."""
        return " ".join(filter(None, [self.case.variant, self.case.side]))
