"""Chart of memory latency: the curve by size, its levels, and the caches that the OS reports."""

from collections.abc import Sequence

from stend.report.charts import bars, sweep
from stend.report.charts.chart import Chart, Listing, Panel, Plot, decades, label
from stend.report.charts.group import Group, by_series
from stend.report.measured_case import LATENCY
from stend.report.memory_levels import Level, between, sentences
from stend.report.quantities import binary, figure, parameter


def takes(group: Group) -> bool:
    """Whether it is the latency of several sizes."""
    sizes = [m.case.parameters.get("size") for m in group.members]
    if "size" not in group.varied or not all(type(s) is int and s > 0 for s in sizes):
        return False
    return all(m.case.benchmark == LATENCY for m in group.members)


def draw(group: Group) -> Chart:
    """A line for each kind of pages; bands are the caches as the OS reports them."""
    series = by_series(group.members, [group.series_of(m, "size") for m in group.members])
    figures = bars.of_figures(
        group,
        series,
        lambda m: float(m.case.parameters["size"]),
        lambda m: parameter("size", m.case.parameters["size"]),
    )
    values = [m.estimate.value for m in group.members]
    y = decades(values, group.scale, group.unit) if min(values) > 0 else {"rangemode": "tozero"}
    found = group.limits.levels
    layout: Plot = {
        "xaxis": sweep.axis(group, "size"),
        "yaxis": y | {"title": {"text": label(group.axis)}},
        "height": 360,
    }
    return Chart(
        title=f"{group.title} by size",
        says="Time of one load that depends on the load before, in random order through "
        "this much memory; lower is better. Dashed lines are the ends of the caches "
        "that the OS reports, bands where the curve leaves a level.",
        panels=(Panel([*_marks(found, group, values), *figures], layout),),
        columns=("case", group.metric),
        rows=group.rows(),
        legend=tuple(series) if len(series) > 1 else (),
        listing=listing(found),
        notes=sentences(found),
    )


def listing(found: Sequence[Level]) -> Listing | None:
    """The levels as a table; None without any."""
    if not found:
        return None
    return Listing(
        "The levels of the memory, as the OS reports them and as the latency shows them; "
        "± is over the sizes of a level and the interval of each",
        ("level", "size the OS reports", "size the curve shows", "latency"),
        tuple((x.name, size_reported(x), _seen(x), latency(x)) for x in found),
    )


def size_reported(level: Level) -> str:
    """What the OS says, in words."""
    return binary(level.reported) if level.reported else "–"


def latency(level: Level) -> str:
    """In words, with the one size that it is of, where it is of one."""
    if level.latency is None:
        return "not measured"
    where = f" at {binary(level.at)}" if level.at else ""
    return figure(level.latency, "s", level.span) + where


def _seen(level: Level) -> str:
    if level.seen is None:
        return "–" if level.name == "memory" else "not seen"
    return between(level.seen)


def _marks(found: Sequence[Level], group: Group, values: Sequence[float]) -> list[Plot]:
    """Bands and lines, drawn as traces: on log axes these mean the same in every browser."""
    low, high = (v * group.scale.factor for v in (0.7 * min(values), 1.6 * max(values)))
    largest = max(float(v) for v in group.values("size"))
    return [
        *(_band(x.seen, low, high) for x in found if x.seen),
        *(_upright(x, low, high) for x in found if x.reported and x.reported <= 1.5 * largest),
    ]


def _band(ends: tuple[float, float], low: float, high: float) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [ends[0], ends[0], ends[1], ends[1]],
        "y": [low, high, high, low],
        "fill": "toself",
        "fillcolor": "--band",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _upright(level: Level, low: float, high: float) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines+text",
        "x": [level.reported, level.reported],
        "y": [low, high],
        "text": ["", level.name],
        "textposition": "top left",
        "line": {"color": "--soft", "width": 1.2, "dash": "dash"},
        "textfont": {"color": "--soft", "size": 11.5},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
