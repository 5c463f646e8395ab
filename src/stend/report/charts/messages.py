"""Cases by the size of a message → medians as lines on log axes, with the tails as thinner ones."""

from collections.abc import Sequence
from dataclasses import replace

from stend.report.charts import lines
from stend.report.charts.chart import SERIES, Chart, Panel, Plot, colour, decades, label, reaching
from stend.report.charts.group import Group, by_series
from stend.report.measured import Measured
from stend.report.quantities import Scale, figure, parameter, scale
from stend.report.tails import P99, P999, tail

SIZE = "bytes"
_TAILS = ((P99, "99%", "dot"), (P999, "99.9%", "dash"))
_MOST_TICKS = 7
_SMALL_FROM = 12

Series = dict[str, list[Measured]]


def has_size(m: Measured) -> bool:
    """Whether it has a place on the axis."""
    size = m.case.parameters.get(SIZE)
    return type(size) is int and size >= 0


def draw(group: Group, title: str, says: str) -> Chart:
    """A panel a benchmark; of times of messages between two ranks the bandwidth beside it.

    Where there are too many lines for one panel each variant has its own.
    """
    benchmarks = len({m.what for m in group.members}) > 1
    variants = len({m.variant for m in group.members}) > 1
    apart = variants and _lines(group, variants=True) > SERIES
    names = {m.index: _series_of(group, m, variants=not apart) for m in group.members}
    legend = list(dict.fromkeys(names.values()))[:SERIES]
    panels, tailed = [], False
    titles = [_panel_of(m, benchmarks, apart) for m in group.members]
    for title_of, some in by_series(group.members, titles).items():
        panel = _panel(group, some, names, legend, title_of)
        tailed = tailed or any(trace["mode"] == "lines" for trace in panel.traces)
        panels.append(panel)
        if not benchmarks and some[0].estimate.unit == "s":
            beside = title_of.replace("latency", "bandwidth")
            panels.append(_bandwidth(group, some, names, legend, beside))
    tails = " Dotted lines are what 99% of the repetitions stay within, dashed ones 99.9%."
    return Chart(
        title=title,
        says=says + (tails if tailed else "") + _all_of_them(group),
        panels=tuple(panels),
        columns=("case", "median", "99% stay within", "99.9% stay within", "bandwidth"),
        rows=tuple(map(_row, group.members)),
        legend=tuple(legend) if legend != [""] else (),
        notes=_left_out(len(set(names.values()))),
        across=2,
    )


def _all_of_them(group: Group) -> str:
    """What all cases share, which no legend says."""
    variants = {m.variant for m in group.members}
    same = {
        n: v
        for n, v in group.members[0].case.parameters.items()
        if n != SIZE and v != "" and group.values(n) == [v]
    }
    words = [*(variants if len(variants) == 1 else ()), *(_place(n, v) for n, v in same.items())]
    return f" All with {', '.join(filter(None, words))}." if any(words) else ""


def _lines(group: Group, variants: bool) -> int:
    return len({_series_of(group, m, variants) for m in group.members})


def _panel_of(m: Measured, benchmarks: bool, apart: bool) -> str:
    alone = not benchmarks and m.estimate.unit == "s"
    what = "latency" if alone else m.what.replace("_", " ")
    return ", ".join(filter(None, [what, m.variant if apart else ""]))


def _series_of(group: Group, m: Measured, variants: bool) -> str:
    """Variant, place, hosts and ranks, without the words that all share."""
    words = [
        _place(n, m.case.parameters[n])
        for n in group.varied
        if n != SIZE and m.case.parameters.get(n) not in {None, ""}
    ]
    several = variants and len({x.variant for x in group.members}) > 1
    return ", ".join(filter(None, [m.variant if several else "", *words]))


def _place(name: str, value: object) -> str:
    words = {"socket": "within a socket", "sockets": "between sockets", "nodes": "between nodes"}
    if name == "place":
        return words.get(str(value), str(value))
    if name == "hosts":
        return str(value)
    return f"{value} {name}" if name == "ranks" else f"{name} {value}"


def _left_out(count: int) -> tuple[str, ...]:
    if count <= SERIES:
        return ()
    return (f"Drawn are {SERIES} of {count} lines; the table has all of them.",)


def _panel(
    group: Group,
    members: Sequence[Measured],
    names: dict[int, str],
    legend: Sequence[str],
    title: str,
) -> Panel:
    """Medians with their tails; each benchmark has its own prefix and axis."""
    own = replace(group.part(members), unit=members[0].estimate.unit)
    by = own.scale
    traces: list[Plot] = []
    reached = []
    for name, some in _drawn(members, names, legend):
        ordered = sorted(some, key=_at)
        tails = {m.index: [(words, tail(m, share)) for share, words, _ in _TAILS] for m in ordered}
        reached += [m.estimate.value for m in ordered]
        for i, (_, _, dash) in enumerate(_TAILS):
            far = [(m, value) for m in ordered if (value := tails[m.index][i][1])]
            reached += [value for _, value in far]
            traces += [_thin(far, by, legend.index(name), dash)] if far else []
        traces.append(
            _line(
                name,
                legend.index(name),
                ordered,
                [m.estimate.value * by.factor for m in ordered],
                [_said(m, tails[m.index]) for m in ordered],
            )
        )
    y = decades(reached, by, own.unit) | {"title": {"text": label(_axis_title(own))}}
    y["range"] = reaching(min(reached), max(reached), by)
    return Panel(traces, {"xaxis": _axis(group), "yaxis": y, "height": 340}, title)


def _drawn(
    members: Sequence[Measured], names: dict[int, str], legend: Sequence[str]
) -> list[tuple[str, list[Measured]]]:
    series = by_series(members, [names[m.index] for m in members])
    return [(name, some) for name, some in series.items() if name in legend]


def _axis_title(own: Group) -> str:
    return {"s": "latency", "B/s": "bandwidth", "op/s": "messages a second"}[own.unit]


def _line(
    name: str, series: int, ordered: Sequence[Measured], y: Sequence[float], said: Sequence[str]
) -> Plot:
    """Through the members; of many sizes the marks are small."""
    text = [lines.hover(name, _where(m), words) for m, words in zip(ordered, said, strict=True)]
    line = lines.line(name, series, list(map(_at, ordered)), y, text)
    if len(ordered) > _SMALL_FROM:
        line["marker"]["size"] = 5
    return line


def _thin(far: Sequence[tuple[Measured, float]], by: Scale, series: int, dash: str) -> Plot:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [_at(m) for m, _ in far],
        "y": [value * by.factor for _, value in far],
        "line": {"color": colour(series), "width": 1.1, "dash": dash},
        "hoverinfo": "skip",
    }


def _bandwidth(
    group: Group,
    members: Sequence[Measured],
    names: dict[int, str],
    legend: Sequence[str],
    title: str,
) -> Panel:
    rates = {m.index: rate for m in members if (rate := _rate(m))}
    by = scale(max(rates.values(), default=1.0), "B/s")
    traces = []
    for name, some in _drawn([m for m in members if m.index in rates], names, legend):
        ordered = sorted(some, key=_at)
        traces.append(
            _line(
                name,
                legend.index(name),
                ordered,
                [rates[m.index] * by.factor for m in ordered],
                [figure(rates[m.index], "B/s") for m in ordered],
            )
        )
    y: Plot = {"title": {"text": "bandwidth"}}
    if rates:
        y |= decades(list(rates.values()), by, "B/s")
        y["range"] = reaching(min(rates.values()), max(rates.values()), by)
    return Panel(traces, {"xaxis": _axis(group), "yaxis": y, "height": 340}, title)


def _rate(m: Measured) -> float | None:
    """Bytes of one message over the time it takes; None of an empty one."""
    size = int(m.case.parameters[SIZE])
    if m.estimate.unit != "s" or not size:
        return None
    return size / m.estimate.value


def _at(m: Measured) -> float:
    """Where on the log axis: an empty message half as far as one of a byte."""
    return max(float(m.case.parameters[SIZE]), 0.5)


def _axis(group: Group) -> Plot:
    """Ticks at sizes that were measured, evenly over the axis."""
    sizes = sorted({_at(m): m.case.parameters[SIZE] for m in group.members}.items())
    step = (sizes[-1][0] / sizes[0][0]) ** (1 / _MOST_TICKS) * 0.99
    shown: list[tuple[float, object]] = []
    for at, size in sizes:
        if not shown or at >= shown[-1][0] * step:
            shown.append((at, size))
    return {
        "type": "log",
        "title": {"text": "bytes of a message"},
        "tickvals": [at for at, _ in shown],
        "ticktext": [label(parameter(SIZE, int(str(size)))) for _, size in shown],
        "range": reaching(sizes[0][0], sizes[-1][0], Scale(1.0, "")),
    }


def _where(m: Measured) -> str:
    return parameter(SIZE, m.case.parameters[SIZE])


def _said(m: Measured, tails: Sequence[tuple[str, float | None]]) -> str:
    e = m.estimate
    words = [figure(e.value, e.unit, e.ends)]
    words += [f"{name} within {figure(value, e.unit)}" for name, value in tails if value]
    return ", ".join(words)


def _row(m: Measured) -> tuple[str, ...]:
    e = m.estimate
    tails = [tail(m, share) for share, _, _ in _TAILS]
    rate = _rate(m)
    return (
        m.case.name,
        figure(e.value, e.unit, e.ends),
        *("–" if value is None else figure(value, e.unit) for value in tails),
        "–" if rate is None else figure(rate, "B/s"),
    )
