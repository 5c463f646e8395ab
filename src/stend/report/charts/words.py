"""Chart of cases that differ by a word (a timer, an algorithm): a row a word, best first."""

from stend.report.charts import dots
from stend.report.charts.chart import Chart, Panel
from stend.report.charts.group import Group, by_series


def takes(group: Group) -> bool:
    """Whether some parameter takes several words."""
    return named(group) is not None


def named(group: Group) -> str | None:
    """The parameter with most words, which every case has."""
    names = [
        n
        for n in group.varied
        if all(isinstance(m.case.parameters.get(n), str) for m in group.members)
    ]
    return max(names, key=lambda n: len(group.values(n)), default=None)


def draw(group: Group) -> Chart:
    """The rows share one axis, so that overhead and resolution of a timer stand together."""
    name = named(group)
    assert name is not None
    series = by_series(group.members, [group.series_of(m, name) for m in group.members])
    ordered = sorted(group.members, key=lambda m: m.estimate.value)
    rows = list(dict.fromkeys(str(m.case.parameters[name]) for m in ordered))
    if group.members[0].case.metric.better == "higher":
        rows.reverse()
    return Chart(
        title=f"{group.title} by {name}",
        says=f"The {group.metric} of each {name}; {group.better}. "
        "Whiskers are 95% intervals, cut where they are longer than the figure.",
        panels=(
            Panel(
                [
                    dots.trace(group, [str(m.case.parameters[name]) for m in members], members, i)
                    for i, members in enumerate(series.values())
                ],
                dots.layout(group, rows),
            ),
        ),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if len(series) > 1 else (),
    )
