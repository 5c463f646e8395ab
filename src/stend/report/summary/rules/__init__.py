"""The rules by which something in a run stands out, and at most seven findings by them.

The rules that matter most to an engineer come first. Each is a function from a
run's figures to findings. It speaks only where intervals over processes leave no doubt, and says
nothing of a run that lacks what it asks for.
"""

from collections.abc import Sequence

from stend.report.summary.figures import Figures, Finding, Rule
from stend.report.summary.rules.figures import (
    core_apart,
    default_loses,
    link_apart,
    long_tail,
    slow_library,
    two_modes,
)
from stend.report.summary.rules.literature import cpu_full, published_comparison, storage_tail
from stend.report.summary.rules.processor import (
    cache_unlike_reported,
    core_lost,
    far_from_bandwidth,
    far_from_peak,
    latency_under_load,
    poor_scaling,
    slower_clock,
)

RULES: tuple[Rule, ...] = (
    core_apart, link_apart, core_lost, far_from_peak, far_from_bandwidth, poor_scaling,
    cache_unlike_reported, latency_under_load, slower_clock, cpu_full, default_loses,
    published_comparison, slow_library, storage_tail, long_tail, two_modes,
)  # fmt: skip

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
