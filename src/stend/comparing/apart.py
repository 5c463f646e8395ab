"""What can be said of a fleet, as records: who stands apart, and what could not be told."""

from typing import Literal

from stend.record import Metric, Record, Scalar


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


class Apart(Record, frozen=True, kw_only=True):
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
            "link": "what its two ends have with others",
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


class FactApart(Record, frozen=True, kw_only=True):
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
    apart: tuple[Apart, ...]
    """The largest differences first."""
    missing: tuple[Missing, ...] = ()
    facts: tuple[FactApart, ...] = ()
    undecided: tuple[Undecided, ...] = ()
