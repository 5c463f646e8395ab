"""Which node of a fleet stands apart, in which figure, by how much, and how surely.

On a scale where differences count. Of what is measured between two nodes, each node's own part is
found first.

Each figure of a node stands beside the same figure of all others (`statistics.beside_others`).
Of what is measured between two nodes, each node's own part is found first: a node is suspect when
its links are slow with several partners.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from stend.comparing.differences import VARIES
from stend.comparing.facts import fact_in_words
from stend.comparing.history import MEDIANS, PastCase
from stend.errors import UsageError
from stend.processes.mpi import parted
from stend.record import LOST, CaseRecord, Machine, Metric, Record, Run, Scalar, Status
from stend.record.text import natural
from stend.statistics import USUAL, Floats, Standing, beside_others, ends_of_links, holm
from stend.store import Past


class Node(Record, frozen=True, kw_only=True):
    """One node of the fleet and what it measured."""

    host: str
    run: str
    """The id of its run."""
    done: int
    """Cases that were measured, or checked."""
    cases: int
    lost: str = ""
    """Why the rest is missing, as a sentence; empty where nothing is."""


class Outlier(Record, frozen=True, kw_only=True):
    """A node, or a link between two, that differs from the others."""

    of: Literal["node", "whole", "ends", "link"]
    """A node in one figure, a node in all of its figures together, a node by its links with several
    partners, or one link."""
    who: str
    """The host; of a link both, n1–n2."""
    name: str
    """The case."""
    benchmark: str
    parameters: dict[str, Scalar]
    variant: str | None
    metric: Metric
    better: bool
    """Whether it is on the good side of the metric."""
    value: float | None
    """The node's figure; None of links, where only the ratio says something."""
    others: float | None
    """The median of the others' figures."""
    among: int
    """How many others it stands beside."""
    ratio: float | None
    """Its figure over the others'; None where one of them is 0."""
    p: float
    """Of "it is like the others", after Holm's correction over all nodes and figures."""

    @property
    def said(self) -> str:
        """`n3: stream.triad is 12% below the other 7 nodes' median (99.9% sure)`."""
        with_whom = " with most of its partners" if self.of == "ends" else ""
        return f"{self.who}: {self.name}{with_whom} {self._by_how_much} ({self.sure} sure)"

    @property
    def sure(self) -> str:
        """`99.9%`, never rounded up."""
        percent = 100 * (1 - self.p)
        return "over 99.99%" if percent >= 99.99 else f"{int(100 * percent) / 100:.4g}%"

    @property
    def _by_how_much(self) -> str:
        beside = {
            "node": f"the other {self.among} nodes' median",
            "whole": f"the other {self.among} nodes' median",
            "ends": "that between the other nodes",
            "link": "what its two ends reach with others",
        }[self.of]
        if self.metric.unit == "share":
            return f"is {self.value or 0:.2%}, and {beside} {self.others or 0:.2%}"
        change = (self.ratio or 1.0) - 1
        if self.of == "whole":
            return f"are {abs(change):.1%} {'better' if self.better else 'worse'} than {beside}"
        by = f"{abs(change):.1%}" if abs(change) < 0.1 else f"{abs(change):.0%}"
        if change >= 1:
            return f"is {1 + change:.3g} times {beside}"
        return f"is {by} {'above' if change > 0 else 'below'} {beside}"


class Missing(Record, frozen=True, kw_only=True):
    """A case that a node could not measure, and another could."""

    host: str
    name: str
    status: str
    reason: str


class FactOutlier(Record, frozen=True, kw_only=True):
    """A fact in which one node's machine differs from all others, which agree."""

    host: str
    what: str
    value: str
    others: str


class Undecided(Record, frozen=True, kw_only=True):
    """A figure of which nothing can be told, and why."""

    name: str
    reason: str


class Fleet(Record, frozen=True, kw_only=True):
    """All that can be said of a fleet."""

    group: str
    confidence: float
    smallest: float
    nodes: tuple[Node, ...]
    figures: int
    """How many were set side by side."""
    apart: tuple[Outlier, ...]
    """The largest differences first."""
    missing: tuple[Missing, ...] = ()
    facts: tuple[FactOutlier, ...] = ()
    undecided: tuple[Undecided, ...] = ()


_LINKS_FROM = 5
"""Nodes from which a single link can be told from its two ends."""
_FEWEST_FIGURES = 5
"""That make a whole."""

Of = Literal["node", "whole", "ends", "link"]

Looked = Past[tuple[PastCase, ...]]
"""A run without its samples: of each case its figures with their processes' medians."""


class Figure(NamedTuple):
    """One figure that several members have, on a scale where differences count."""

    case: CaseRecord
    name: str
    of: Of
    members: dict[str, Floats]
    """By host or link: the figure of each process."""
    back: Callable[[float], float]
    """From the scale to the unit."""


def pair_of(case: CaseRecord) -> tuple[str, str] | None:
    """The two hosts of a case between nodes; None of any other."""
    names = parted(case.parameters.get("hosts", ""))
    return (names[0], names[1]) if len(names) == 2 else None


def of_nodes(by_host: Mapping[str, Looked], undecided: list[Undecided]) -> list[Figure]:
    """What each node measured alone, by host."""
    found: dict[tuple[str, str], dict[str, PastCase]] = {}
    for host, run in by_host.items():
        for one in (one for figures in run.cases for one in figures):
            if one.medians and one.case.status is Status.MEASURED and pair_of(one.case) is None:
                found.setdefault((one.case.key, one.case.side), {})[host] = one
    figures = []
    for (key, side), members in found.items():
        name = f"{side} {key}".lstrip()
        first = next(iter(members.values())).case
        if any((m.case.metric, m.case.work) != (first.metric, first.work)
               for m in members.values()):  # fmt: skip
            undecided.append(
                Undecided(name=name, reason="One execution does different work there.")
            )
            continue
        medians = {host: one.medians for host, one in members.items()}
        figure = _figure(first, name, "node", medians, undecided)
        figures += [figure] if figure else []
    return figures


def _figure(
    case: CaseRecord,
    name: str,
    of: Of,
    medians: Mapping[str, Mapping[int, float]],
    undecided: list[Undecided],
) -> Figure | None:
    every = [x for of_one in medians.values() for x in of_one.values()]
    scale = _scale(case.metric, every)
    if scale is None:
        undecided.append(
            Undecided(name=name, reason="A figure that is 0 or less has no ratio to others.")
        )
        return None
    there, back = scale
    values = {h: there(np.array(list(of_one.values()))) for h, of_one in medians.items()}
    return Figure(case, name, of, values, back)


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


def of_pairs(runs: Sequence[Looked], undecided: list[Undecided]) -> list[Figure]:
    """What was measured between nodes: what each end adds, and what a link has beside its ends."""
    found: dict[str, dict[tuple[str, str], PastCase]] = {}
    for one in (one for run in runs for figures in run.cases for one in figures[:1]):
        pair = pair_of(one.case)
        if pair is not None and one.medians:
            found.setdefault(_without_hosts(one.case).name, {})[pair] = one
    return [f for name, links in found.items() for f in _of_links(name, links, undecided)]


def _without_hosts(case: CaseRecord) -> CaseRecord:
    parameters = {k: v for k, v in case.parameters.items() if k not in ("hosts", "place")}
    return replace(case, parameters=parameters)


def _of_links(
    name: str, cases: Mapping[tuple[str, str], PastCase], undecided: list[Undecided]
) -> list[Figure]:
    case = _without_hosts(next(iter(cases.values())).case)
    medians = {pair: one.medians for pair, one in cases.items()}
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
    figures = [Figure(case, name, "ends", dict(zip(hosts, parts, strict=True)), _exp)]
    if len(hosts) >= _LINKS_FROM:
        rest = [look - parts[list(pair)].sum(axis=0) for look, pair in _looks_by_link(looks, links)]
        names = ["–".join(pair) for pair in cases]
        figures.append(Figure(case, name, "link", dict(zip(names, rest, strict=True)), _exp))
    return figures


_NO_TRIANGLE = (
    "These links can't show which end is at fault: that takes three nodes, each measured with "
    "the others."
)


def _looks_by_link(
    looks: Sequence[Floats], links: Sequence[tuple[int, int]]
) -> list[tuple[Floats, tuple[int, int]]]:
    return list(zip(np.array(looks).T, links, strict=True))


def _exp(y: float) -> float:
    return float(np.exp(y))


def as_a_whole(figures: Sequence[Figure]) -> list[Figure]:
    """One figure more, when nodes have several: the median of what is better or worse in all.

    A slow node is often slow in everything, and each figure alone is held against a level that
    the number of all figures divides. Shares are left out: they have no ratio.
    """
    usable = [f for f in figures if f.case.metric.unit != "share"]
    have: dict[str, list[Floats]] = {}
    for figure in usable:
        for host, better_by in _better_by(figure):
            have.setdefault(host, []).append(better_by)
    have = {h: found for h, found in have.items() if len(found) >= _FEWEST_FIGURES}
    looks = min((len(of_one) for found in have.values() for of_one in found), default=0)
    if not looks:
        return []
    values = {h: np.median([x[:looks] for x in found], axis=0) for h, found in have.items()}
    metric = Metric(name="all figures", unit="relative", better="higher")
    case = replace(usable[0].case, benchmark="", parameters={}, variant=None, metric=metric)
    name = f"all {len(usable)} figures together"
    return [Figure(case, name, "whole", {h: values[h] for h in sorted(values)}, _exp)]


def _better_by(figure: Figure) -> Iterator[tuple[str, Floats]]:
    whole = median(median(of_one) for of_one in figure.members.values())
    sign = 1 if figure.case.metric.better == "higher" else -1
    for host, of_one in figure.members.items():
        yield host, np.asarray(sign * (of_one - whole))


CONFIDENCE = 0.99
"""For all nodes and figures of a fleet together."""
SMALLEST = 0.02
"""A node that is off by less is not named."""
OF_LINKS = 0.05
"""What links between nodes that are all well usually differ by, and the least that is named of
them: a switch more on the way is no fault."""


def outliers(runs: Sequence[Run]) -> Fleet:
    """Name what stands apart in whole runs: see `outliers_among`."""
    return outliers_among([Past(run, tuple(map(MEDIANS.make, run.cases)), 0) for run in runs])


def outliers_among(runs: Sequence[Looked]) -> Fleet:
    """Name what stands apart in the runs of one fleet, a run a node and those of pairs.

    They are as `history` has them, so that a hundred stored runs need not be read whole.

    Holm's correction is over all nodes and figures, and half of the chance of a false name is kept
    for nodes as a whole (`as_a_whole`). A node is named when it differs surely and by
    more than `SMALLEST`, unless half of the nodes would be: then nobody can say which half is
    right.

    Raises:
        UsageError: two runs measured the same node.
    """
    by_host = _by_host(runs)
    undecided: list[Undecided] = []
    figures = of_nodes(by_host, undecided)
    groups = [as_a_whole(figures), [*figures, *of_pairs(runs, undecided)]]
    groups = [group for group in groups if group]
    judged = [outlier for group in groups for outlier in _judge(group, len(groups), undecided)]
    return Fleet(
        group=runs[0].run.group if runs else "",
        confidence=CONFIDENCE,
        smallest=SMALLEST,
        nodes=tuple(_node(host, run) for host, run in by_host.items()),
        figures=len(groups[-1]) if groups else 0,
        apart=tuple(judged),
        missing=tuple(_missing(by_host)),
        facts=tuple(facts_apart({h: of.run.machine for h, of in by_host.items() if of.cases})),
        undecided=tuple(undecided),
    )


def _by_host(runs: Sequence[Looked]) -> dict[str, Looked]:
    """The nodes' own runs; that of the pairs has nothing but cases between nodes."""
    found: dict[str, Looked] = {}
    for one in runs:
        if is_of_pairs(one):
            continue
        host = host_of(one.run)
        if host in found:
            raise UsageError(
                f"Two of the runs measured {host}, {found[host].run.id[:8]} and "
                f"{one.run.id[:8]}; give one run per node."
            )
        found[host] = one
    return {host: found[host] for host in sorted(found, key=natural)}


def is_of_pairs(run: Looked) -> bool:
    """Whether it is no node's own run: it has nothing but cases between two."""
    return bool(run.cases) and all(pair_of(figures[0].case) for figures in run.cases)


def host_of(run: Run) -> str:
    """What a run's machine is called here: by the run, where it told no name."""
    return run.machine.host or run.id[:8]


def _node(host: str, of: Looked) -> Node:
    run, cases = of.run, [figures[0] for figures in of.cases]
    done = sum(bool(one.medians) or one.case.status is Status.CHECKED for one in cases)
    said = [*run.conditions.before, *run.conditions.during]
    lost = next((d.said for d in said if d.kind == LOST), "")
    return Node(host=host, run=run.id, done=done, cases=len(cases), lost=lost)


def _judge(figures: Sequence[Figure], groups: int, undecided: list[Undecided]) -> list[Outlier]:
    """Who stands apart in one of so many groups of figures, which share the level."""
    stood = [_standings(figure) for figure in figures]
    flat = [standing.p for standings in stood for standing in standings.values()]
    adjusted = iter(None if p is None else min(1.0, groups * p) for p in holm(flat))
    found: list[Outlier] = []
    for figure, standings in zip(figures, stood, strict=True):
        ps = {member: next(adjusted) for member in standings}
        reason = next((s.reason for s in standings.values() if s.reason), "")
        if all(p is None for p in ps.values()):
            undecided.append(Undecided(name=figure.name, reason=_sentence(reason)))
            continue
        least = OF_LINKS if figure.of in _BETWEEN else SMALLEST
        sure = [
            m
            for m, p in ps.items()
            if p is not None and p <= 1 - CONFIDENCE and _matters(standings[m], figure, least)
        ]
        if 2 * len(sure) >= len(standings):
            undecided.append(Undecided(name=figure.name, reason=_HALVES))
            continue
        found += [_outlier(figure, m, standings[m], float(ps[m] or 0.0)) for m in sure]
    return sorted(found, key=lambda one: -abs(np.log(one.ratio)) if one.ratio else 0.0)


_BETWEEN = ("ends", "link")
_HALVES = "The nodes fall into groups, none of which is a majority."


def _standings(figure: Figure) -> dict[str, Standing]:
    values = list(figure.members.values())
    usual = OF_LINKS if figure.of in _BETWEEN else USUAL
    found = beside_others(values, usual=usual)
    return dict(zip(figure.members, found, strict=True))


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:]


def _matters(standing: Standing, figure: Figure, smallest: float) -> bool:
    """Whether it is off by enough; of links, to the bad side: one good end makes no link fast."""
    if standing.shift is None or abs(standing.shift) <= np.log1p(smallest):
        return False
    slow_side = (standing.shift > 0) == (figure.case.metric.better == "lower")
    return figure.of not in _BETWEEN or slow_side


def _outlier(figure: Figure, member: str, standing: Standing, p: float) -> Outlier:
    own = float(np.median(figure.members[member]))
    others = own - float(standing.shift or 0.0)
    value, typical = figure.back(own), figure.back(others)
    better = (own > others) == (figure.case.metric.better == "higher")
    single = figure.of == "node"
    return Outlier(
        of=figure.of,
        who=member,
        name=figure.name,
        benchmark=figure.case.benchmark,
        parameters=figure.case.parameters,
        variant=figure.case.variant,
        metric=figure.case.metric,
        better=better,
        value=value if single else None,
        others=typical if single else None,
        among=len(figure.members) - 1,
        ratio=value / typical if typical and value else None,
        p=p,
    )


def _missing(by_host: Mapping[str, Looked]) -> list[Missing]:
    """What a node could not measure, and another could."""
    of_all = {host: [figures[0] for figures in of.cases] for host, of in by_host.items()}
    there = {one.case.key for cases in of_all.values() for one in cases if one.medians}
    return [
        Missing(
            host=host, name=one.case.name, status=one.case.status, reason=one.case.reason or one.why
        )
        for host, cases in of_all.items()
        for one in cases
        if one.case.key in there and not one.medians and one.case.status is not Status.CHECKED
    ]


_OWN = VARIES | {"host", "usable", "disks", "memory_bytes"}
"""Facts in which every machine differs from every other."""


def facts_apart(machines: Mapping[str, Machine]) -> list[FactOutlier]:
    """Facts in which all machines are alike but one."""
    found = []
    for field in Machine.__struct_fields__ if len(machines) > 2 else ():
        said = {host: fact_in_words(machine, field) for host, machine in machines.items()}
        counts = Counter(said.values())
        if field in _OWN or len(counts) != 2 or min(counts.values()) != 1:
            continue
        (others, _), (own, _) = counts.most_common()
        host = next(host for host, one in said.items() if one == own)
        what = field.replace("_", " ")
        found.append(FactOutlier(host=host, what=what, value=own, others=others))
    return found
