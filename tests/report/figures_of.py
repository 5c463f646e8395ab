"""Cases with given figures, and what the summary makes of a run of them."""

import made
from stend.record import Metric, Numbers, Work
from stend.report import views
from stend.report.measured_case import limits
from stend.report.summary import summary
from stend.report.summary.figures import Figures

RATE = Metric(name="rate", unit="FLOP/s", better="higher")
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")
TIME = Metric(name="time", unit="s", better="lower")
SHARE = Metric(name="lost", unit="share", better="lower")
_SPREAD = (0.997, 1.0, 1.003, 1.001, 0.999)
"""Of the processes: an interval of about ±0.3%."""


def case(name, figure, metric=TIME, spread=_SPREAD, **also):
    """A case of five processes that lie about `figure`; a `spread` of fewer makes fewer."""
    samples = tuple(
        made.sample([1e-3] * 40, process=i, values=Numbers([figure * factor] * 40))
        for i, factor in enumerate(spread)
    )
    known = {"parameters": {}, "variant": None, "metric": metric, "work": Work()}
    return made.case(samples, benchmark=name, question="How?", **(known | also))


def wide(name, figure, metric=TIME, **also):
    """The same, of processes that differ so much that nothing is sure."""
    return case(name, figure, metric, spread=(0.4, 2.1, 1.0, 0.6, 1.5), **also)


def figures(*cases, **also):
    """What the rules are asked about."""
    run = made.run(tuple(cases), **also)
    measured = tuple(row.measured for table in views.tables(run, "") for row in table.rows)
    return Figures(run, measured, limits(run.machine, measured))


def told(rule, *cases, **also):
    """The sentences of one rule."""
    return [finding.said for finding in rule(figures(*cases, **also))]


def summed(run):
    """The whole summary of a run."""
    return summary(run, views.tables(run, ""))
