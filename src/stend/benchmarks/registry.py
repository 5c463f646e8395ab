"""Finds every benchmark: our own in `stend.benchmarks.families`, others' through entry points.

A third party registers a module that defines benchmarks under the entry-point group
`stend.benchmarks`; one that can't be imported is told of and passed over. A project describes its
programs in a `stend.toml` (`projects.py`).
"""

import difflib
import fnmatch
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points

from stend.benchmarks import families as shipped
from stend.benchmarks.definition import Benchmark, registered
from stend.errors import UnknownName
from stend.record import family_of

GROUP = "stend.benchmarks"

SUITES = {
    "processor": ("peak", "linpack", "fft", "noise"),
    "memory": ("memory", "stream"),
}
"""Families that make one picture; a suite is asked for by its name, like a family."""


@cache
def load() -> tuple[Mapping[str, Benchmark], Mapping[str, str]]:
    """All benchmarks by name, and why each broken entry point could not be loaded."""
    for module in pkgutil.iter_modules(shipped.__path__):
        importlib.import_module(f"{shipped.__name__}.{module.name}")
    broken = {}
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:
            broken[point.name] = f"{type(error).__name__}: {error}"
    from stend.benchmarks import projects  # after all others, whose names it must not take

    return dict(sorted(registered().items())), broken | dict(projects.BROKEN)


def families() -> dict[str, int]:
    """How many benchmarks each family has: each is asked for by the first word of their names."""
    return dict(Counter(family_of(name) for name in load()[0]))


def find(patterns: Sequence[str], quick: bool = False) -> tuple[Benchmark, ...]:
    """Benchmarks that any pattern names: a name, a family, a suite or a glob ("stream.*").

    With `quick`, those that aren't for quick runs are left out unless asked for by their name,
    their own family or a glob; without patterns, so are they of all.

    Raises:
        UnknownName: a pattern that names none.
    """
    known, _ = load()
    if not patterns:
        return tuple(b for b in known.values() if b.quick or not quick)
    chosen: list[str] = []
    for pattern in patterns:
        names = _named(pattern, known)
        if not names:
            raise UnknownName(_unknown(pattern, known))
        chosen += [n for n in names if known[n].quick or not quick or _asked(n, pattern)]
    return tuple(known[name] for name in dict.fromkeys(chosen))


def named(name: str) -> Benchmark:
    """The benchmark of this whole name.

    Raises:
        UnknownName: there is none; a family or a glob is no benchmark.
    """
    known, _ = load()
    if name not in known:
        raise UnknownName(_unknown(name, known))
    return known[name]


def _named(pattern: str, known: Iterable[str]) -> list[str]:
    meant = SUITES.get(pattern, (pattern,))
    return [
        name
        for name in known
        if fnmatch.fnmatchcase(name, pattern) or any(name.startswith(f"{f}.") for f in meant)
    ]


def _asked(name: str, pattern: str) -> bool:
    """Whether the pattern means this benchmark, not just a family or suite that it is part of."""
    family = name.rpartition(".")[0]
    own = pattern == family and pattern not in SUITES
    return own or fnmatch.fnmatchcase(name, pattern)


def _unknown(pattern: str, known: Mapping[str, Benchmark]) -> str:
    broken = load()[1]
    if pattern in broken:
        return f"{pattern} can't be used: {broken[pattern]}"
    near = difflib.get_close_matches(pattern, [*known, *families(), *SUITES], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    first = next(iter(broken), "")
    more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
    ill = f" {first}{more} could not be loaded: {broken[first]}" if broken else ""
    return f"no benchmark is called {pattern!r}; {hint}`stend list` shows all.{ill}"
