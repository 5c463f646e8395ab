"""From samples to figures with intervals, from two runs to verdicts, from a fleet to outliers."""

from stend.comparing.apart import Apart, Fleet
from stend.comparing.estimate import Estimate, Interval, Mode, estimate
from stend.comparing.fleet import outliers
from stend.comparing.judgement import Comparison, Judgement, Verdict
from stend.comparing.several import FIGURE, views
from stend.comparing.verdict import CONFIDENCE, compare, compare_sides, has_sides

__all__ = [
    "CONFIDENCE",
    "FIGURE",
    "Apart",
    "Comparison",
    "Estimate",
    "Fleet",
    "Interval",
    "Judgement",
    "Mode",
    "Verdict",
    "compare",
    "compare_sides",
    "estimate",
    "has_sides",
    "outliers",
    "views",
]
