"""Chart of LINPACK: a row an algorithm, order and library, best first; the sweep as lines."""

from collections.abc import Sequence

from stend.comparing.limits import threads_of
from stend.report.charts import dots, histogram, sweep
from stend.report.charts.chart import Chart, Listing, Panel, reaching
from stend.report.charts.group import Group, by_series, first_rows, groups, shortened, spans
from stend.report.measured_case import Limits, Measured
from stend.report.quantities import counted, figure, parameter, share_in_words

FAMILY = "linpack"
ALONG = "linpack.sweep"


def takes(m: Measured) -> bool:
    """Whether it is one of the family."""
    return m.case.family == FAMILY


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """The sweep by order where it has enough of them, and all other cases as rows."""
    charts = []
    along = [m for m in members if m.case.benchmark == ALONG]
    sweeps = [g for g in groups(along, limits) if sweep.takes(g)]
    drawn = {m.index for g in sweeps for m in g.members}
    for unit in dict.fromkeys(m.case.metric.unit for m in members):
        rest = tuple(m for m in members if m.index not in drawn and m.case.metric.unit == unit)
        if rest:
            shown, said = first_rows(rest)
            charts.append(shortened(_rows(Group(FAMILY, unit, tuple(shown), limits)), said))
    return [*charts, *map(sweep.draw, sweeps)]


def _rows(group: Group) -> Chart:
    """Panels by threads on one scale; rows of one algorithm and order together, the best on top."""
    if histogram.takes(group):
        return histogram.draw(group)
    names = {m.index: " · ".join(filter(None, [_name(m), m.variant])) for m in group.members}
    algorithms = list(dict.fromkeys(m.what for m in group.members))
    order = list(dict.fromkeys(_name(m) for m in group.members))
    ranked = sorted(group.members, key=lambda m: (order.index(_name(m)), -m.estimate.value))
    rows = list(dict.fromkeys(names[m.index] for m in ranked))
    values = [m.estimate.value for m in group.members]
    top = max(values) * group.scale.factor
    ends = (
        reaching(min(values), max(values), group.scale)
        if spans(group.members, 30)
        else [0, 1.05 * top]
    )
    panels = []
    for count, members in by_series(group.members, [_threads(m) for m in group.members]).items():
        mine = [r for r in rows if any(names[m.index] == r for m in members)]
        traces = [
            dots.trace(group, [names[m.index] for m in some], some, algorithms.index(what))
            for what, some in by_series(members, [m.what for m in members]).items()
        ]
        layout = dots.layout(group, mine)
        layout["xaxis"] |= {"range": ends}
        panels.append(Panel(traces, layout, count))
    return Chart(
        title=f"LINPACK: {group.metric} by algorithm",
        says="2n³/3 + 2n² operations over the time to factorise and solve, by algorithm and "
        f"order n; {group.better}. Whiskers are 95% intervals, cut where they are longer than "
        "the figure.",
        panels=tuple(panels),
        columns=("case", group.metric, "of peak"),
        rows=tuple(
            (*row, share(group.limits, m))
            for row, m in zip(group.rows(), group.members, strict=True)
        ),
        legend=tuple(algorithms) if len(algorithms) > 1 else (),
        listing=_listing(group.members),
        notes=tuple(_best(group)),
    )


def _listing(members: Sequence[Measured]) -> Listing | None:
    """What each library said of itself when it was loaded; None where none did."""
    about = {m.variant: m.case.detail["about"] for m in members if "about" in m.case.detail}
    if not about:
        return None
    return Listing("What ran", ("variant", "as it names itself"), tuple(about.items()))


def share(limits: Limits, m: Measured) -> str:
    """Of the peak, in words; a dash where none was measured."""
    found = limits.of_peak(m)
    return "–" if found is None else share_in_words(found)


def _name(m: Measured) -> str:
    rest = [f"{k} {parameter(k, v)}" for k, v in m.case.parameters.items() if k != "threads"]
    return " ".join([m.what, ", ".join(rest)])


def _threads(m: Measured) -> str:
    return counted(threads_of(m.case), "threads")


def _best(group: Group) -> list[str]:
    """The best library of each order that several were measured at, on each number of threads."""
    found: dict[tuple[str, str], list[Measured]] = {}
    for m in group.members:
        if m.what == "lu":
            found.setdefault((_name(m), _threads(m)), []).append(m)
    said = []
    for (name, count), members in found.items():
        best = max(members, key=lambda m: m.estimate.value)
        if len(members) > 1:
            shown = figure(best.estimate.value, best.estimate.unit, best.estimate.ends)
            said.append(
                f"The best of {len(members)} for {name} on {count} is {best.variant}: {shown}."
            )
    return said
