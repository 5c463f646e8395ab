"""Operations of threads from ns to ms → a row each on one log axis, by subject."""

from collections.abc import Sequence
from math import ceil, floor, log10

from stend.report.charts import conditions
from stend.report.charts.chart import Panel, Plot, label, reaching
from stend.report.charts.conditions import Conditions, operation
from stend.report.measured import Measured
from stend.report.quantities import Scale, figure
from stend.report.tails import P99, tail

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
    known = conditions.loads(members)
    traces = []
    for where in conditions.ordered(members):
        mine = [m for m in shown if conditions.conditions(m) == where]
        shift = _shift(known.index(where[0]), len(known), bound=where[1] == "bound")
        y = [at[operation(m)] + shift for m in mine]
        look = conditions.marker(where, known)
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
        f"{label(operation(m))}<br>{label(conditions.in_words(where))}<br>"
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
