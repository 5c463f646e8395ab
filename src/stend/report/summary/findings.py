"""At most seven findings of a run, most important first."""

from collections.abc import Sequence

from stend.report.summary.figures import Figures, Finding, Rule
from stend.report.summary.rules import RULES

MOST = 7
"""Findings that are told: what a person keeps in mind."""


def findings(figures: Figures, rules: Sequence[Rule] = RULES) -> tuple[Finding, ...]:
    """The largest of each rule in the order of the rules, then the second ones, and so on.

    A rule that fires for twenty cases would else leave no room for any other.
    """
    found = [sorted(rule(figures), key=lambda f: -f.size) for rule in rules]
    depth = max(map(len, found), default=0)
    ordered = [of[i] for i in range(depth) for of in found if i < len(of)]
    return tuple(ordered[:MOST])
