"""The sampler: calibration, warm-up, stopping rule and proof of whatever a collector runs.

Nothing here reads a clock: the time is what the collector's own timings say, so tests run
on collectors whose answers are known.
"""

from stend.running.sampling.cautions import examine
from stend.running.sampling.collector import Collected, Collector, Repetitions
from stend.running.sampling.sampler import measure
from stend.running.sampling.stopping_rule import (
    Once,
    Precision,
    Rounds,
    StoppingRule,
    stopping_rule,
)

__all__ = [
    "Collected",
    "Collector",
    "Once",
    "Precision",
    "Repetitions",
    "Rounds",
    "StoppingRule",
    "examine",
    "measure",
    "stopping_rule",
]
