"""Definitions of benchmarks for programs: `stend list --json`, and the server's API."""

from collections.abc import Iterable, Mapping

import msgspec

from stend.benchmarks.definition import About, Benchmark
from stend.record import Metric


class Setting(msgspec.Struct, frozen=True):
    """A parameter."""

    help: str
    accepts: str
    """What can be written on the command line; empty: the words that the help names."""
    unit: str
    depends: str
    """What of the machine the default values follow; empty: nothing."""


class Way(msgspec.Struct, frozen=True):
    """A variant, slowest first."""

    name: str
    available: bool
    """Whether it can run on the machine that answers."""
    reason: str
    """Why it can't."""


class Described(msgspec.Struct, frozen=True):
    """A benchmark."""

    name: str
    question: str
    """That it answers."""
    metric: Metric
    further: Mapping[str, Metric]
    quick: bool
    """Whether quick runs have it."""
    parameters: dict[str, Setting]
    variants: list[Way]
    about: About


class Catalogue(msgspec.Struct, frozen=True):
    """Benchmarks by name."""

    benchmarks: list[Described]
    broken: dict[str, str]
    """Others' that could not be loaded, and why."""


def catalogue(chosen: Iterable[Benchmark], broken: Mapping[str, str]) -> Catalogue:
    """List these."""
    return Catalogue([described(one) for one in chosen], dict(broken))


def described(of: Benchmark) -> Described:
    """All that is known of one but its page."""
    return Described(
        name=of.name,
        question=of.question,
        metric=of.metric,
        further=of.further,
        quick=of.quick,
        parameters={
            name: Setting(one.help, one.accepts, one.unit, one.depends)
            for name, one in of.parameters.items()
        },
        variants=[Way(one.name, one.available, one.reason) for one in of.available()],
        about=of.about,
    )
