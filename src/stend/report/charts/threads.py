"""Operations of threads → all of them on one axis under load and affinity; what grows with what."""

from collections.abc import Sequence

from stend.report.charts import conditions, extent, growth, operations
from stend.report.charts.chart import Chart
from stend.report.charts.conditions import LOADS, NEITHER, Under, operation, times, under
from stend.report.charts.group import Group
from stend.report.measured import Limits, Measured
from stend.report.quantities import figure, percent
from stend.report.tails import P99, tail

FAMILY = "threads"


def takes(m: Measured) -> bool:
    """Whether it is the time of one of their operations."""
    timed = m.case.metric.unit == "s" and 0 < m.estimate.value < float("inf")
    return m.case.benchmark.startswith(f"{FAMILY}.") and timed


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Every operation at a glance, then those that grow with a number of threads."""
    members, said = extent.rows(members)
    group = Group(FAMILY, "s", tuple(members), limits)
    steady = [m for m in members if conditions.conditions(m)[0] in {"", NEITHER}]
    bound = [m for m in steady if conditions.conditions(m)[1] == "bound"]
    found = (
        growth.draw(
            group,
            "blocked",
            "threads: waking by the number that is blocked",
            "Both axes are logarithmic; lower is better. All are awake when the last of them "
            "runs. Whiskers are 95% intervals, cut at twice and half of the figure.",
            least=2,
        ),
        growth.draw(
            group.part(bound or steady),
            "threads",
            "threads: what they share, by their number",
            "How long one thread waits for one of its operations while so many do the same, "
            f"without load{', each bound to a CPU' if bound else ''}; both axes are logarithmic; "
            "lower is better. Whiskers are 95% intervals, cut at twice and half of the figure.",
            least=3,
        ),
    )
    return [extent.shortened(_at_a_glance(members), said), *filter(None, found)]


def _at_a_glance(members: Sequence[Measured]) -> Chart:
    found = under(members)
    known = conditions.loads(members)
    bound = any(conditions.conditions(m)[1] == "bound" for m in members)
    shapes = "Discs are threads that the system places, hollow diamonds bound ones. "
    few = len(operations.ends_only(members)) < len(members)
    return Chart(
        title="threads: what their operations cost",
        says="On one logarithmic axis, further left is better. "
        + (shapes if bound else "")
        + "A line holds 90% of the repetitions, a small bar is where 99% of them end."
        + (" Of each count only the least and the most are drawn." if few else ""),
        panels=(operations.panel(members),),
        columns=("case", "median", "5% to 95%", "99% within", "against no load", "against unbound"),
        rows=tuple(_row(m, found) for m in members),
        legend=tuple(LOADS.get(load, load) for load in known) if len(known) > 1 else (),
        notes=tuple(
            filter(None, [*(_load(members, found, x) for x in known), _bound(members, found)])
        ),
    )


def _row(m: Measured, found: Under) -> tuple[str, ...]:
    e = m.estimate
    low, high = (figure(x, "s") for x in e.spread)
    far = tail(m, P99)
    ratios = (times(m, found, load=NEITHER), times(m, found, affinity=NEITHER))
    return (
        m.case.name,
        figure(e.value, "s", e.ends),
        f"{low} – {high}",
        "–" if far is None else figure(far, "s"),
        *("–" if ratio is None else percent(ratio) for ratio in ratios),
    )


def _load(members: Sequence[Measured], found: Under, load: str) -> str:
    """What one load does to threads that are not bound."""
    mine = [m for m in members if conditions.conditions(m) == (load, NEITHER)]
    ratios = {operation(m): r for m in mine if (r := times(m, found, load=NEITHER)) is not None}
    return _extremes(f"With {LOADS.get(load, load)}", ratios)


def _bound(members: Sequence[Measured], found: Under) -> str:
    """What binding does without load."""
    mine = [m for m in members if conditions.conditions(m)[0] in {"", NEITHER}]
    ratios = {operation(m): r for m in mine if (r := times(m, found, affinity=NEITHER)) is not None}
    return _extremes("Bound to CPUs and without load", ratios)


def _extremes(what: str, ratios: dict[str, float]) -> str:
    if not ratios:
        return ""
    least, most = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
    if len(ratios) == 1:
        return f"{what} the time of {least} changes by {percent(ratios[least])}."
    return (
        f"{what} times change by {percent(ratios[least])} ({least}) to {percent(ratios[most])} "
        f"({most})."
    )
