"""Finds every benchmark: our own in `stend.benchmarks`, others' through entry points.

A third party registers a module that defines benchmarks under the entry-point group
`stend.benchmarks`; one that can't be imported is told of and passed over.
"""

import difflib
import fnmatch
import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points

import stend.benchmarks
from stend.definition import Benchmark, registered
from stend.errors import UnknownName

GROUP = "stend.benchmarks"


@cache
def load() -> tuple[Mapping[str, Benchmark], Mapping[str, str]]:
    """All benchmarks by name, and why each broken entry point could not be loaded."""
    for module in pkgutil.iter_modules(stend.benchmarks.__path__):
        if module.name != "skeleton":
            importlib.import_module(f"stend.benchmarks.{module.name}")
    broken = {}
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:
            broken[point.name] = f"{type(error).__name__}: {error}"
    return dict(sorted(registered().items())), broken


def find(patterns: Sequence[str]) -> tuple[Benchmark, ...]:
    """Benchmarks that any pattern names: a name, a family ("stream") or a glob ("stream.*").

    Raises:
        UnknownName: a pattern that names none.
    """
    known, _ = load()
    chosen = []
    for pattern in patterns or ["*"]:
        names = [n for n in known if fnmatch.fnmatchcase(n, pattern) or n.startswith(pattern + ".")]
        if not names:
            raise UnknownName(_unknown(pattern, known))
        chosen += names
    return tuple(known[name] for name in dict.fromkeys(chosen))


def _unknown(pattern: str, known: Mapping[str, Benchmark]) -> str:
    families = {name.split(".")[0] for name in known}
    near = difflib.get_close_matches(pattern, [*known, *families], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"no benchmark is called {pattern!r}; {hint}`stend list` shows all."
