"""Tails: how bad the worst hundredth and thousandth of a case's repetitions are."""

import numpy as np

from stend.comparing.estimate import Values, values_of
from stend.report.measured_case import Measured

P99, P999 = 0.01, 0.001
"""The share of the repetitions that is worse."""
_BEYOND = 1.0
"""So many repetitions have to lie beyond a quantile, or it is only the worst of them."""


def repetitions(m: Measured) -> Values:
    """All finite values of all processes."""
    values = np.concatenate([values_of(m.case, s) for s in m.case.samples])
    finite: Values = values[np.isfinite(values)]
    return finite


def tail(m: Measured, share: float) -> float | None:
    """What that share of the repetitions is worse than; None of too few repetitions."""
    values = repetitions(m)
    if len(values) * share < _BEYOND:
        return None
    worse = share if m.case.metric.better == "higher" else 1 - share
    return float(np.quantile(values, worse))
