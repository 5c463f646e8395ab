"""Runs of nodes → figures side by side: what each process of each node has of one figure.

On a scale where differences count. Of what is measured between two nodes, each node's own part is
found first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from stend.comparing.apart import Undecided
from stend.comparing.history import PastCase
from stend.mpi import parted
from stend.record import CaseRecord, Metric, Status
from stend.statistics import Floats, ends_of_links
from stend.store import Past

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


def of_nodes(alone: Mapping[str, Looked], undecided: list[Undecided]) -> list[Figure]:
    """What each node measured alone, by host."""
    found: dict[tuple[str, str], dict[str, PastCase]] = {}
    for host, run in alone.items():
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
    "These links don't tell their ends apart: it takes three nodes, each measured with the others."
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
