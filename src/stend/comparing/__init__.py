"""From raw samples to figures with intervals, and from two runs to verdicts."""

from stend.comparing.estimate import Estimate, Interval, Mode, estimate
from stend.comparing.judgement import Comparison, Judgement, Verdict
from stend.comparing.verdict import CONFIDENCE, compare, compare_sides, has_sides

__all__ = [
    "CONFIDENCE",
    "Comparison",
    "Estimate",
    "Interval",
    "Judgement",
    "Mode",
    "Verdict",
    "compare",
    "compare_sides",
    "estimate",
    "has_sides",
]
