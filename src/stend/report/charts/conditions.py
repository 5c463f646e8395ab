"""What threads are measured under, load and affinity → their order, looks and words; ratios."""

from collections.abc import Mapping, Sequence

from stend.record import Scalar
from stend.report.charts.chart import Plot, colour
from stend.report.measured import Measured
from stend.report.quantities import parameter

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
    return ", ".join(filter(None, [name, *(_said(n, v) for n, v in rest.items()), m.variant]))


def _said(name: str, value: Scalar) -> str:
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
