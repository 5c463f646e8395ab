"""Charts of threads: all operations under load and affinity on one axis, and their growth."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

from stend.record import Scalar
from stend.report.charts import bars
from stend.report.charts.chart import Chart, Panel, Plot, colour, decades, label, reaching
from stend.report.charts.group import Group, by_series, first_rows, shortened
from stend.report.measured_case import P99, Limits, Measured, tail
from stend.report.quantities import Scale, figure, parameter, percent

LOAD, AFFINITY = "load", "affinity"
NEITHER = "none"
LOADS = {
    NEITHER: "no load",
    "half": "load on half of the CPUs",
    "all": "load on all CPUs",
    "twice": "two load threads a CPU",
}
_LOOKS = {NEITHER: "circle", "bound": "diamond-open"}
_PLACES = {"same": "same CPU", "other": "another CPU"}

Conditions = tuple[str, str]
"""Load and affinity."""


def conditions(m: Measured) -> Conditions:
    """Empty words where it has none."""
    load, affinity = (str(m.case.parameters.get(n, "")) for n in (LOAD, AFFINITY))
    return load, affinity


def loads(members: Sequence[Measured]) -> list[str]:
    """The loads there are, the lightest first."""
    found = dict.fromkeys(conditions(m)[0] for m in members)
    return sorted(found, key=lambda load: [*LOADS, load].index(load))


def ordered(members: Sequence[Measured]) -> list[Conditions]:
    """All conditions there are, by load and then affinity, none first."""
    known = loads(members)
    found = dict.fromkeys(map(conditions, members))
    return sorted(found, key=lambda c: (known.index(c[0]), c[1] != NEITHER, c[1]))


def marker(where: Conditions, known: Sequence[str]) -> Plot:
    """The load is the colour, the affinity the shape."""
    load, affinity = where
    look: Plot = {"color": colour(known.index(load)), "symbol": _LOOKS.get(affinity, "square")}
    return look | ({"size": 10, "line": {"width": 2}} if "bound" in affinity else {"size": 8})


def in_words(where: Conditions) -> str:
    """`load on all CPUs, bound`."""
    load, affinity = where
    return ", ".join(filter(None, [LOADS.get(load, load), "bound" * (affinity == "bound")]))


def operation(m: Measured, *leaving: str) -> str:
    """`mutex lock unlock, 2 threads`: all but the conditions."""
    name = m.case.benchmark.partition(".")[2].replace(".", " ").replace("_", " ")
    rest = {n: v for n, v in m.case.parameters.items() if n not in {LOAD, AFFINITY, *leaving}}
    return ", ".join(filter(None, [name, *(_in_words(n, v) for n, v in rest.items()), m.variant]))


def _in_words(name: str, value: Scalar) -> str:
    words = {"apart": f"{value} B apart", "length": f"{parameter(name, value)} long"}
    if isinstance(value, str):
        return _PLACES.get(value, value)
    if name == "threads" and value == 1:
        return "1 thread"
    return words.get(name, f"{parameter(name, value)} {name}")


Under = Mapping[tuple[str, str, str], Measured]
"""Cases by operation and conditions."""


def under(members: Sequence[Measured]) -> Under:
    """To find a case's neighbours by."""
    return {(operation(m), *conditions(m)): m for m in members}


def times(m: Measured, found: Under, load: str = "", affinity: str = "") -> float | None:
    """How many times as long it takes as the same under another load or affinity.

    None where that was not measured, and of a case beside itself.
    """
    mine = conditions(m)
    other = found.get((operation(m), load or mine[0], affinity or mine[1]))
    return None if other is None or other is m else m.estimate.value / other.estimate.value


_MOST_TICKS = 8
_MOST = 2.0
"""Times a figure that its whiskers reach at most; the table has the ends of the interval."""
_LEAST_SPAN = 5.0
"""Ends of the axis of times are at least so many times apart: so there are ticks, 1, 2 and 5 times
a power of ten, and what hardly changes looks like it."""
_ONLY = "operations of one kind"
"""In a legend that tells several kinds of another operation apart."""


def draw_growth(group: Group, along: str, title: str, says: str, least: int) -> Chart | None:
    """A panel an operation, both axes logarithmic; None of fewer than `least` counts."""
    counts = {m.index: m.case.parameters.get(along) for m in group.members}
    members = [m for m in group.members if type(n := counts[m.index]) is int and n > 0]
    whole = by_series(members, [m.case.benchmark for m in members])
    shown = [some for some in whole.values() if len(_counts(some, along)) >= least]
    if not shown:
        return None
    members = [m for some in shown for m in some]
    several = len(set(map(conditions, members))) > 1
    names = {m.index: _line_of(m, along, several) for m in members}
    legend = list(dict.fromkeys(names.values()))
    heads = sorted({count for some in shown for count in _counts(some, along)})
    rows = by_series(members, [_row_of(m, along) for m in members])
    return Chart(
        title=title,
        says=says,
        panels=tuple(_panel(group.part(some), along, names, legend) for some in shown),
        columns=("operation", *(parameter(along, count) for count in heads)),
        rows=tuple((name, *_cells(some, along, heads)) for name, some in rows.items()),
        legend=tuple(legend) if len(legend) > 1 else (),
        across=min(3, max(2, len(shown))),
    )


def _counts(members: Sequence[Measured], along: str) -> list[int]:
    return sorted({int(m.case.parameters[along]) for m in members})


def _line_of(m: Measured, along: str, several: bool) -> str:
    """What it is beside the operation's name: its variant, other parameters, conditions."""
    own = operation(m, along).partition(", ")[2]
    where = in_words(conditions(m)) if several else ""
    return ", ".join(filter(None, [own, where])) or _ONLY


def _row_of(m: Measured, along: str) -> str:
    where = in_words(conditions(m))
    return ", ".join(filter(None, [operation(m, along), where]))


def _cells(members: Sequence[Measured], along: str, counts: Sequence[int]) -> list[str]:
    found = {int(m.case.parameters[along]): m.estimate for m in members}
    return [figure(e.value, e.unit, e.ends) if (e := found.get(n)) else "–" for n in counts]


def _panel(group: Group, along: str, names: dict[int, str], legend: Sequence[str]) -> Panel:
    traces = bars.of_figures(
        group,
        by_series(group.members, [names[m.index] for m in group.members]),
        lambda m: float(m.case.parameters[along]),
        lambda m: f"{parameter(along, m.case.parameters[along])} {along}",
        legend,
    )
    counts = _counts(group.members, along)
    ends = _shorten(traces)
    reached = [10**end / group.scale.factor for end in ends]
    y = decades(reached, group.scale, "s") | {"title": {"text": "time"}, "range": ends}
    layout: Plot = {"xaxis": _axis(counts, along), "yaxis": y}
    return Panel(traces, layout, label(operation(group.members[0]).partition(",")[0]))


def _shorten(traces: Sequence[Plot]) -> list[float]:
    """Cut whiskers to a few times the figure, as a log axis would draw them without end.

    Gives the ends of the axis.
    """
    ends = []
    for trace in traces:
        error = trace["error_y"]
        for i, y in enumerate(trace["y"]):
            low = y - min(error["arrayminus"][i] or 0.0, y - y / _MOST)
            high = y + min(error["array"][i] or 0.0, y * _MOST - y)
            error["arrayminus"][i], error["array"][i] = y - low, high - y
            ends += [low, high]
    low, high = min(ends), max(ends)
    wider = max(1.0, _LEAST_SPAN * low / high) ** 0.5
    return reaching(low / wider, high * wider, Scale(1.0, ""))


def _axis(counts: Sequence[int], along: str) -> Plot:
    shown = counts[:: -(-len(counts) // _MOST_TICKS)]
    return {
        "type": "log",
        "title": {"text": f"{along} threads" if along != "threads" else along},
        "tickvals": shown,
        "ticktext": [label(parameter(along, n)) for n in shown],
        "range": reaching(counts[0], counts[-1], Scale(1.0, "")),
    }


_SUBJECTS = (
    ("Life of a thread", ("create", "create_join", "chain")),
    ("Waking blocked threads", ("wake.one", "wake.all")),
    (
        "Mutex",
        ("mutex.create", "mutex.destroy", "mutex.lock", "mutex.unlock", "mutex.lock_unlock"),
    ),
    ("Shared by threads", ("spinlock", "semaphore", "atomic_add", "false_sharing", "barrier")),
    ("From one thread to another", ("switch", "ping_pong")),
)
_REST = "Other operations"
_COUNTS = ("threads", "blocked", "length")
"""Of these parameters the least and the most value have rows, the table has all."""
_ROW, _LANE = 21, 8
"""Pixels of a row, and of each load's lane in it."""
_FILL = 0.72
"""Share of a row's height that its lanes take."""
_APART = 0.3
"""Of a lane: so far apart are threads that are bound and such that are not."""
_IN_SECONDS = Scale(1.0, "s")


def panel(members: Sequence[Measured]) -> Panel:
    """Medians with the spread of 90% of the repetitions, and a bar where 99% end."""
    shown = ends_only(members)
    rows = _rows(shown)
    at = {name: i for i, (name, _) in enumerate(rows)}
    known = loads(members)
    traces = []
    for where in ordered(members):
        mine = [m for m in shown if conditions(m) == where]
        shift = _shift(known.index(where[0]), len(known), bound=where[1] == "bound")
        y = [at[operation(m)] + shift for m in mine]
        look = marker(where, known)
        traces += [_tails(mine, y, look), _medians(mine, y, look, where)]
    low = min(s if (s := m.estimate.spread[0]) > 0 else m.estimate.value for m in shown)
    high = max(max(m.estimate.spread[1], tail(m, P99) or 0.0) for m in shown)
    return Panel([t for t in traces if t["x"]], _layout(rows, len(known), low, high))


def _shift(lane: int, lanes: int, bound: bool) -> float:
    """From the middle of a row, downwards, in rows."""
    aside = _APART / 2 if bound else -_APART / 2
    return _FILL * ((lane + 0.5 + aside) / lanes - 0.5)


def ends_only(members: Sequence[Measured]) -> list[Measured]:
    """Without what lies between the least and the most of a count."""
    for name in _COUNTS:
        counts: dict[str, set[int]] = {}
        for m in members:
            if type(value := m.case.parameters.get(name)) is int:
                counts.setdefault(operation(m, name), set()).add(value)
        members = [
            m
            for m in members
            if (found := counts.get(operation(m, name), set())) == set()
            or m.case.parameters[name] in {min(found), max(found)}
        ]
    return list(members)


def _rows(members: Sequence[Measured]) -> list[tuple[str, bool]]:
    """Names downwards; a subject is a row of its own, with True."""
    rows: list[tuple[str, bool]] = []
    for subject, words in (*_SUBJECTS, (_REST, ())):
        mine = [(_place(m, words), operation(m)) for m in members if _subject(m) == subject]
        names = dict.fromkeys(name for _, name in sorted(mine, key=lambda found: found[0]))
        rows += [(subject, True), *((name, False) for name in names)] if mine else []
    return rows


def _place(m: Measured, words: Sequence[str]) -> tuple[int, list[int]]:
    """Where it stands within its subject: as the list above has it, then by its counts."""
    counts = [n if type(n := m.case.parameters.get(name)) is int else 0 for name in _COUNTS]
    return (words.index(_word(m)) if _word(m) in words else len(words)), counts


def _word(m: Measured) -> str:
    return m.case.benchmark.partition(".")[2]


def _subject(m: Measured) -> str:
    return next((name for name, words in _SUBJECTS if _word(m) in words), _REST)


def _medians(
    members: Sequence[Measured], y: Sequence[float], look: Plot, where: Conditions
) -> Plot:
    """A zero has no place on a log axis: a spread that begins there is drawn from the median."""
    values = [m.estimate.value for m in members]
    low = [m.estimate.value - (m.estimate.spread[0] or m.estimate.value) for m in members]
    high = [m.estimate.spread[1] - m.estimate.value for m in members]
    error = {"type": "data", "symmetric": False, "array": high, "arrayminus": low}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": list(y),
        "marker": look,
        "error_x": error | {"color": look["color"], "thickness": 1.5, "width": 0},
        "text": [_hover(m, where) for m in members],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _tails(members: Sequence[Measured], y: Sequence[float], look: Plot) -> Plot:
    far = [(value, at) for m, at in zip(members, y, strict=True) if (value := tail(m, P99))]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [value for value, _ in far],
        "y": [at for _, at in far],
        "marker": {
            "color": look["color"], "symbol": "line-ns-open", "size": 7, "line": {"width": 1.5},
        },
        "hovertemplate": "99% end here<extra></extra>",
    }  # fmt: skip


def _hover(m: Measured, where: Conditions) -> str:
    e = m.estimate
    far = tail(m, P99)
    low, high = (figure(x, "s") for x in e.spread)
    end = "" if far is None else f", 99% within {label(figure(far, 's'))}"
    return (
        f"{label(operation(m))}<br>{label(in_words(where))}<br>"
        f"<b>{label(figure(e.value, 's', e.ends))}</b><br>90% in {label(low)} – {label(high)}{end}"
    )


def _layout(rows: Sequence[tuple[str, bool]], lanes: int, low: float, high: float) -> Plot:
    powers = range(ceil(log10(low)), floor(log10(high)) + 1)
    return {
        "xaxis": {
            "type": "log",
            "tickvals": [10.0**p for p in powers],
            "ticktext": [_tick(p, whole=p == powers[0]) for p in powers],
            "range": reaching(low, high, _IN_SECONDS),
            "side": "top",
        },
        "yaxis": {
            "tickvals": list(range(len(rows))),
            "ticktext": [f"<b>{label(n)}</b>" if head else label(n) for n, head in rows],
            "range": [len(rows) - 0.4, -0.7],
            "automargin": True,
            "ticks": "",
        },
        "margin": {"l": 56, "r": 16, "t": 36, "b": 8},
        "height": 60 + max(_ROW, _LANE * lanes) * len(rows),
    }


def _tick(power: int, whole: bool) -> str:
    """10 ns, 100, 1 µs, 10: short enough for a phone."""
    if whole or power % 3 == 0:
        return figure(10.0**power, "s").replace(".00", "").replace(".0", "")
    return f"{10 ** (power % 3)}"


FAMILY = "threads"


def takes(m: Measured) -> bool:
    """Whether it is the time of one of their operations."""
    timed = m.case.metric.unit == "s" and 0 < m.estimate.value < float("inf")
    return m.case.benchmark.startswith(f"{FAMILY}.") and timed


def draw(members: Sequence[Measured], limits: Limits) -> list[Chart]:
    """Every operation at a glance, then those that grow with a number of threads."""
    members, said = first_rows(members)
    group = Group(FAMILY, "s", tuple(members), limits)
    steady = [m for m in members if conditions(m)[0] in {"", NEITHER}]
    bound = [m for m in steady if conditions(m)[1] == "bound"]
    found = (
        draw_growth(
            group,
            "blocked",
            "threads: waking by the number that is blocked",
            "Both axes are logarithmic; lower is better. The time ends when the last of them "
            "runs. Whiskers are 95% intervals, cut at twice and half of the figure.",
            least=2,
        ),
        draw_growth(
            group.part(bound or steady),
            "threads",
            "threads: what they share, by their number",
            "Time that one thread waits for one of its operations while this many do the same, "
            f"without load{', each bound to a CPU' if bound else ''}; both axes are "
            "logarithmic; lower is better. Whiskers are 95% intervals, cut at twice and half "
            "of the figure.",
            least=3,
        ),
    )
    return [shortened(_at_a_glance(members), said), *filter(None, found)]


def _at_a_glance(members: Sequence[Measured]) -> Chart:
    found = under(members)
    known = loads(members)
    bound = any(conditions(m)[1] == "bound" for m in members)
    shapes = "Discs: threads that the system places. Hollow diamonds: threads bound to CPUs. "
    few = len(ends_only(members)) < len(members)
    return Chart(
        title="threads: what their operations cost",
        says="On one logarithmic axis, further left is better. "
        + (shapes if bound else "")
        + "A line holds 90% of the repetitions, a small bar is where 99% of them end."
        + (" For each count only the least and the most are drawn." if few else ""),
        panels=(panel(members),),
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
    mine = [m for m in members if conditions(m) == (load, NEITHER)]
    ratios = {operation(m): r for m in mine if (r := times(m, found, load=NEITHER)) is not None}
    return _extremes(f"With {LOADS.get(load, load)}", ratios)


def _bound(members: Sequence[Measured], found: Under) -> str:
    """What binding does without load."""
    mine = [m for m in members if conditions(m)[0] in {"", NEITHER}]
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
