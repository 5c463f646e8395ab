"""Pure functions from arrays of numbers to estimates, intervals and findings.

Each names its source. They take anything numpy can read as numbers, leave out what is not
finite, and answer None, or a result with its reason, where the data can't say: they never
raise for what was measured.
"""

from stend.statistics.change import Drift, Steadiness, Step, drift, steadiness, step
from stend.statistics.change_points import (
    FEWEST_RUNS,
    ChangePoint,
    change_points,
    levels,
    likeness,
    steadily,
    steps,
)
from stend.statistics.location import (
    Floats,
    Location,
    autocorrelation_time,
    finite,
    median_interval,
    middle,
    over_processes,
    quantile,
    within,
)
from stend.statistics.outliers import USUAL, Standing, beside_others, ends_of_links, spread
from stend.statistics.ranks import superiority
from stend.statistics.ratios import Ratio, fewest_pairs, holm, paired, unpaired
from stend.statistics.run_variation import (
    FEWEST_PROCESSES,
    Answer,
    RunFigure,
    Shift,
    between_runs,
    bounded,
    run_figure,
    student,
)
from stend.statistics.shape import (
    Mode,
    interval_normal,
    noisy,
    pearson_normal,
    quantised,
    tight,
    two_modes,
)

__all__ = [
    "FEWEST_PROCESSES",
    "FEWEST_RUNS",
    "USUAL",
    "Answer",
    "ChangePoint",
    "Drift",
    "Floats",
    "Location",
    "Mode",
    "Ratio",
    "RunFigure",
    "Shift",
    "Standing",
    "Steadiness",
    "Step",
    "autocorrelation_time",
    "beside_others",
    "between_runs",
    "bounded",
    "change_points",
    "drift",
    "ends_of_links",
    "fewest_pairs",
    "finite",
    "holm",
    "interval_normal",
    "levels",
    "likeness",
    "median_interval",
    "middle",
    "noisy",
    "over_processes",
    "paired",
    "pearson_normal",
    "quantile",
    "quantised",
    "run_figure",
    "spread",
    "steadily",
    "steadiness",
    "step",
    "steps",
    "student",
    "superiority",
    "tight",
    "two_modes",
    "unpaired",
    "within",
]
