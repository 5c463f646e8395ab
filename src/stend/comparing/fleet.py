"""The runs of a fleet's nodes → which node stands apart in which figure, by how much, how surely.

Each figure of a node stands beside the same figure of all others (`statistics.beside_others`).
Of what is measured between two nodes, each node's own part is found first: a node is suspect when
its links are slow with several partners.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from stend.comparing.apart import Apart, FactApart, Fleet, Missing, Node, Undecided
from stend.comparing.differences import VARIES
from stend.comparing.fact_words import fact_in_words
from stend.comparing.history import MEDIANS, PastCase
from stend.comparing.side_by_side import Figure, Looked, as_a_whole, of_nodes, of_pairs, pair_of
from stend.errors import UsageError
from stend.printable import natural
from stend.record import LOST, Machine, Run, Status
from stend.statistics import USUAL, Standing, beside_others, holm
from stend.store import Past

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
    alone = _by_host(runs)
    undecided: list[Undecided] = []
    figures = of_nodes(alone, undecided)
    groups = [as_a_whole(figures), [*figures, *of_pairs(runs, undecided)]]
    groups = [group for group in groups if group]
    judged = [apart for group in groups for apart in _judge(group, len(groups), undecided)]
    return Fleet(
        group=runs[0].run.group if runs else "",
        confidence=CONFIDENCE,
        smallest=SMALLEST,
        nodes=tuple(_node(host, run) for host, run in alone.items()),
        figures=len(groups[-1]) if groups else 0,
        apart=tuple(judged),
        missing=tuple(_missing(alone)),
        facts=tuple(facts_apart({h: of.run.machine for h, of in alone.items() if of.cases})),
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
                f"Two of the runs measured {host}, {found[host].run.id[:8]} and {one.run.id[:8]}; "
                "give one run a node."
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


def _judge(figures: Sequence[Figure], groups: int, undecided: list[Undecided]) -> list[Apart]:
    """Who stands apart in one of so many groups of figures, which share the level."""
    stood = [_standings(figure) for figure in figures]
    flat = [standing.p for standings in stood for standing in standings.values()]
    adjusted = iter(None if p is None else min(1.0, groups * p) for p in holm(flat))
    found: list[Apart] = []
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
        found += [_apart(figure, m, standings[m], float(ps[m] or 0.0)) for m in sure]
    return sorted(found, key=lambda one: -abs(np.log(one.ratio)) if one.ratio else 0.0)


_BETWEEN = ("ends", "link")
_HALVES = "The nodes fall into groups, and none of them is most of the nodes."


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


def _apart(figure: Figure, member: str, standing: Standing, p: float) -> Apart:
    own = float(np.median(figure.members[member]))
    others = own - float(standing.shift or 0.0)
    value, beside = figure.back(own), figure.back(others)
    better = (own > others) == (figure.case.metric.better == "higher")
    alone = figure.of == "node"
    return Apart(
        of=figure.of,
        who=member,
        name=figure.name,
        benchmark=figure.case.benchmark,
        parameters=figure.case.parameters,
        variant=figure.case.variant,
        metric=figure.case.metric,
        better=better,
        value=value if alone else None,
        others=beside if alone else None,
        among=len(figure.members) - 1,
        ratio=value / beside if beside and value else None,
        p=p,
    )


def _missing(alone: Mapping[str, Looked]) -> list[Missing]:
    """What a node could not measure, and another could."""
    of_all = {host: [figures[0] for figures in of.cases] for host, of in alone.items()}
    there = {one.case.key for cases in of_all.values() for one in cases if one.medians}
    return [
        Missing(host=host, name=one.case.name, status=one.case.status, reason=_why(one))
        for host, cases in of_all.items()
        for one in cases
        if one.case.key in there and not one.medians and one.case.status is not Status.CHECKED
    ]


def _why(one: PastCase) -> str:
    return one.case.reason or one.why


_OWN = VARIES | {"host", "usable", "disks", "memory_bytes"}
"""Facts in which every machine differs from every other."""


def facts_apart(machines: Mapping[str, Machine]) -> list[FactApart]:
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
        found.append(FactApart(host=host, what=what, value=own, others=others))
    return found
