"""From samples to figures with intervals, from two runs to verdicts, from a fleet to outliers."""

from stend.comparing.causes import LikelyCauses, likely_causes
from stend.comparing.differences import Difference, differences
from stend.comparing.estimate import Estimate, Interval, Mode, estimate
from stend.comparing.judgement import (
    Comparison,
    Family,
    Judgement,
    Noise,
    Normalised,
    Side,
    Verdict,
)
from stend.comparing.matching import Pair, pairs
from stend.comparing.metrics import FIGURE, views
from stend.comparing.noise import Medians, stored_history
from stend.comparing.outliers import Fleet, Outlier, outliers
from stend.comparing.published_runs import is_published
from stend.comparing.verdict import CONFIDENCE, compare, compare_sides, has_sides

__all__ = [
    "CONFIDENCE",
    "FIGURE",
    "Comparison",
    "Difference",
    "Estimate",
    "Family",
    "Fleet",
    "Interval",
    "Judgement",
    "LikelyCauses",
    "Medians",
    "Mode",
    "Noise",
    "Normalised",
    "Outlier",
    "Pair",
    "Side",
    "Verdict",
    "compare",
    "compare_sides",
    "differences",
    "estimate",
    "has_sides",
    "is_published",
    "likely_causes",
    "outliers",
    "pairs",
    "stored_history",
    "views",
]
