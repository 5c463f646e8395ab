"""What a rule finds in a run: a sentence with its figure, and the case it is about."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stend.report.summary.figures import Figures


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that stands out."""

    said: str
    """A sentence."""
    case: int
    """The place in the run of the case it is told by."""
    size: float
    """How far it is beyond what is usual, as a ratio: of several findings of one rule the
    largest is told first."""


Rule = Callable[[Figures], Iterator[Finding]]
