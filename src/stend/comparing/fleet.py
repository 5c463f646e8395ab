"""The runs of a fleet's nodes → which node stands apart in which figure, by how much, how surely.

Each figure of a node stands beside the same figure of all others (`statistics.beside_others`).
Of what is measured between two nodes, each node's own part is found first: a node is suspect when
its links are slow with several partners.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from stend.comparing.apart import Apart, FactApart, Fleet, Missing, Node, Undecided
from stend.comparing.differences import VARIES, words
from stend.comparing.estimate import estimate
from stend.errors import UsageError
from stend.record import CaseRecord, Machine, Metric, Run, Status
from stend.statistics import Floats, Standing, beside_others, ends_of_links, holm

CONFIDENCE = 0.99
"""For all nodes and figures of a fleet together."""
SMALLEST = 0.02
"""A node that is off by less is not named."""
OF_LINKS = 0.05
"""What links between nodes that are all well usually differ by, and the least that is named of
them: a switch more on the way is no fault."""
_LINKS_FROM = 5
"""Nodes from which a single link can be told from its two ends."""

Of = Literal["node", "ends", "link"]


class _Figure(NamedTuple):
    """One figure that several members have, on a scale where differences count."""

    case: CaseRecord
    name: str
    of: Of
    members: dict[str, Floats]
    """By host or link: the figure of each process."""
    back: Callable[[float], float]
    """From the scale to the unit."""


def outliers(
    runs: Sequence[Run], *, confidence: float = CONFIDENCE, smallest: float = SMALLEST
) -> Fleet:
    """Name what stands apart in the runs of one fleet, a run a node and those of pairs.

    Holm's correction is over all nodes and figures. A node is named when it differs surely and by
    more than `smallest`, unless half of the nodes would be: then nobody can say which half is
    right.

    Raises:
        UsageError: two runs measured the same node.
    """
    alone = _by_host(runs)
    undecided: list[Undecided] = []
    figures = [*_of_nodes(alone, undecided), *_of_pairs(runs, undecided)]
    judged = _judge(figures, confidence, smallest, undecided)
    return Fleet(
        group=runs[0].group if runs else "",
        confidence=confidence,
        smallest=smallest,
        nodes=tuple(_node(host, run) for host, run in alone.items()),
        figures=len(figures),
        apart=tuple(judged),
        missing=tuple(_missing(alone)),
        facts=tuple(_facts(alone)),
        undecided=tuple(undecided),
    )


def pair_of(case: CaseRecord) -> tuple[str, str] | None:
    """The two hosts of a case between nodes; None of any other."""
    names = str(case.parameters.get("hosts", "")).split("+")
    return (names[0], names[1]) if len(names) == 2 and all(names) else None


def _by_host(runs: Sequence[Run]) -> dict[str, Run]:
    """The nodes' own runs; that of the pairs has nothing but cases between nodes."""
    found: dict[str, Run] = {}
    for run in runs:
        if run.cases and all(pair_of(case) for case in run.cases):
            continue
        host = run.machine.host or run.id[:8]
        if host in found:
            raise UsageError(
                f"Two of the runs measured {host}, {found[host].id[:8]} and {run.id[:8]}; give one "
                "run a node."
            )
        found[host] = run
    return {host: found[host] for host in sorted(found, key=_counting)}


def _counting(host: str) -> list[tuple[int, str]]:
    """Sorts n2 before n10."""
    parts = re.split(r"([0-9]+)", host)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _node(host: str, run: Run) -> Node:
    done = sum(case.has_figure or case.status is Status.CHECKED for case in run.cases)
    said = [*run.conditions.before, *run.conditions.during]
    lost = next((d.said for d in said if d.kind == "node lost"), "")
    return Node(host=host, run=run.id, done=done, cases=len(run.cases), lost=lost)


def _of_nodes(alone: Mapping[str, Run], undecided: list[Undecided]) -> list[_Figure]:
    found: dict[tuple[str, str], dict[str, CaseRecord]] = {}
    for host, run in alone.items():
        for case in run.cases:
            if case.has_figure and case.status is Status.MEASURED and pair_of(case) is None:
                found.setdefault((case.key, case.side), {})[host] = case
    figures = []
    for (key, side), cases in found.items():
        name = f"{side} {key}".lstrip()
        first = next(iter(cases.values()))
        if any((c.metric, c.work) != (first.metric, first.work) for c in cases.values()):
            undecided.append(
                Undecided(name=name, reason="One execution does different work there.")
            )
            continue
        figure = _figure(first, name, "node", {h: _medians(c) for h, c in cases.items()}, undecided)
        figures += [figure] if figure else []
    return figures


def _medians(case: CaseRecord) -> dict[int, float]:
    found = estimate(case)
    return found.medians if found else {}


def _figure(
    case: CaseRecord,
    name: str,
    of: Of,
    medians: Mapping[str, Mapping[int, float]],
    undecided: list[Undecided],
) -> _Figure | None:
    every = [x for of_one in medians.values() for x in of_one.values()]
    scale = _scale(case.metric, every)
    if scale is None:
        undecided.append(
            Undecided(name=name, reason="A figure that is 0 or less has no ratio to others.")
        )
        return None
    there, back = scale
    values = {h: there(np.array(list(of_one.values()))) for h, of_one in medians.items()}
    return _Figure(case, name, of, values, back)


def _scale(
    metric: Metric, values: Sequence[float]
) -> tuple[Callable[[Floats], Floats], Callable[[float], float]] | None:
    """Logarithms; of shares, which may be 0, the arcsine of the root (`over_processes`)."""
    if not values:
        return None
    if metric.unit == "share" and min(values) >= 0 and max(values) <= 1:
        return (
            lambda x: np.asarray(np.arcsin(np.sqrt(x))),
            lambda y: float(np.sin(min(max(y, 0.0), np.pi / 2)) ** 2),
        )
    if min(values) <= 0:
        return None
    return np.log, lambda y: float(np.exp(y))


def _of_pairs(runs: Sequence[Run], undecided: list[Undecided]) -> list[_Figure]:
    found: dict[str, dict[tuple[str, str], CaseRecord]] = {}
    for case in (case for run in runs for case in run.cases if case.has_figure):
        pair = pair_of(case)
        if pair is not None:
            found.setdefault(_without_hosts(case).name, {})[pair] = case
    return [f for name, links in found.items() for f in _of_links(name, links, undecided)]


def _without_hosts(case: CaseRecord) -> CaseRecord:
    parameters = {k: v for k, v in case.parameters.items() if k not in ("hosts", "place")}
    return replace(case, parameters=parameters)


def _of_links(
    name: str, cases: Mapping[tuple[str, str], CaseRecord], undecided: list[Undecided]
) -> list[_Figure]:
    case = _without_hosts(next(iter(cases.values())))
    medians = {pair: _medians(case) for pair, case in cases.items()}
    common = sorted(set.intersection(*(set(of_one) for of_one in medians.values())))
    every = [of_one[p] for of_one in medians.values() for p in common]
    if not every or min(every) <= 0:
        undecided.append(Undecided(name=name, reason="Not every link has a figure above 0."))
        return []
    hosts = list(dict.fromkeys(host for pair in cases for host in pair))
    links = [(hosts.index(a), hosts.index(b)) for a, b in cases]
    looks = [np.log([of_one[p] for of_one in medians.values()]) for p in common]
    ends = [ends_of_links(links, look) for look in looks]
    if any(end is None for end in ends):
        undecided.append(Undecided(name=name, reason=_NO_TRIANGLE))
        return []
    parts = np.array(ends).T
    figures = [_Figure(case, name, "ends", dict(zip(hosts, parts, strict=True)), _exp)]
    if len(hosts) >= _LINKS_FROM:
        rest = [look - parts[list(pair)].sum(axis=0) for look, pair in _looks_by_link(looks, links)]
        names = ["–".join(pair) for pair in cases]
        figures.append(_Figure(case, name, "link", dict(zip(names, rest, strict=True)), _exp))
    return figures


_NO_TRIANGLE = (
    "These links don't tell their ends apart: it takes three nodes, each measured with the others."
)


def _looks_by_link(
    looks: Sequence[Floats], links: Sequence[tuple[int, int]]
) -> list[tuple[Floats, tuple[int, int]]]:
    return list(zip(np.array(looks).T, links, strict=True))


def _exp(y: float) -> float:
    return float(np.exp(y))


def _judge(
    figures: Sequence[_Figure], confidence: float, smallest: float, undecided: list[Undecided]
) -> list[Apart]:
    stood = [_standings(figure) for figure in figures]
    flat = [standing.p for standings in stood for standing in standings.values()]
    adjusted = iter(holm(flat))
    found: list[Apart] = []
    for figure, standings in zip(figures, stood, strict=True):
        ps = {member: next(adjusted) for member in standings}
        reason = next((s.reason for s in standings.values() if s.reason), "")
        if all(p is None for p in ps.values()):
            undecided.append(Undecided(name=figure.name, reason=_sentence(reason)))
            continue
        least = max(smallest, OF_LINKS) if figure.of != "node" else smallest
        sure = [
            m
            for m, p in ps.items()
            if p is not None and p <= 1 - confidence and _matters(standings[m], figure, least)
        ]
        if 2 * len(sure) >= len(standings):
            undecided.append(Undecided(name=figure.name, reason=_HALVES))
            continue
        found += [_apart(figure, m, standings[m], float(ps[m] or 0.0)) for m in sure]
    return sorted(found, key=lambda one: -abs(np.log(one.ratio)) if one.ratio else 0.0)


_HALVES = "The nodes fall into groups, and none of them is most of the nodes."


def _standings(figure: _Figure) -> dict[str, Standing]:
    values = list(figure.members.values())
    found = beside_others(values) if figure.of == "node" else beside_others(values, usual=OF_LINKS)
    return dict(zip(figure.members, found, strict=True))


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:]


def _matters(standing: Standing, figure: _Figure, smallest: float) -> bool:
    """Whether it is off by enough; of links, to the bad side: one good end makes no link fast."""
    if standing.shift is None or abs(standing.shift) <= np.log1p(smallest):
        return False
    return figure.of == "node" or (standing.shift > 0) == (figure.case.metric.better == "lower")


def _apart(figure: _Figure, member: str, standing: Standing, p: float) -> Apart:
    own = float(np.median(figure.members[member]))
    others = own - float(standing.shift or 0.0)
    value, beside = figure.back(own), figure.back(others)
    better = (own > others) == (figure.case.metric.better == "higher")
    whole = figure.of == "node"
    return Apart(
        of=figure.of,
        who=member,
        name=figure.name,
        benchmark=figure.case.benchmark,
        parameters=figure.case.parameters,
        variant=figure.case.variant,
        metric=figure.case.metric,
        better=better,
        value=value if whole else None,
        others=beside if whole else None,
        among=len(figure.members) - 1,
        ratio=value / beside if beside and value else None,
        p=p,
    )


def _missing(alone: Mapping[str, Run]) -> list[Missing]:
    """What a node could not measure, and another could."""
    there = {case.key for run in alone.values() for case in run.cases if case.has_figure}
    return [
        Missing(host=host, name=case.name, status=case.status, reason=case.reason)
        for host, run in alone.items()
        for case in run.cases
        if case.key in there and not case.has_figure and case.status is not Status.CHECKED
    ]


_OWN = VARIES | {"host", "usable", "disks", "memory_bytes"}
"""Facts in which every machine differs from every other."""


def _facts(alone: Mapping[str, Run]) -> list[FactApart]:
    """Facts in which all nodes are alike but one."""
    machines = {host: run.machine for host, run in alone.items() if run.cases}
    found = []
    for field in Machine.__struct_fields__ if len(machines) > 2 else ():
        said = {host: words(getattr(machine, field)) for host, machine in machines.items()}
        for host, own in said.items():
            others = {other for name, other in said.items() if name != host}
            if field not in _OWN and len(others) == 1 and own not in others:
                what = field.replace("_", " ")
                found.append(FactApart(host=host, what=what, value=own, others=others.pop()))
    return found
