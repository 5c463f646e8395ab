"""Addresses of pages, whatever a machine or a metric is called."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from stend.comparing import FIGURE
from stend.record import Scalar
from stend.trends.machine import UNKNOWN

_PLAIN = re.compile(r"\w[\w.-]*", re.ASCII)
"""Names that no browser and no proxy reads as anything but one part of a path."""


def of_machine(host: str | None) -> str:
    """A machine's page; a machine that told no name has one, too."""
    if host is None:
        return "/machine"
    if _PLAIN.fullmatch(host):
        return f"/machines/{host}"
    return f"/machine?{urlencode({'host': host})}"


def name_of(host: str | None) -> str:
    """What a machine is called on pages."""
    return host or "unknown machine"


def of_run(run: str) -> str:
    """A run's page."""
    return f"/runs/{quote(run, safe='')}"


def of_live(run: str) -> str:
    """A run as it grows."""
    return f"/live/{quote(run, safe='')}"


def of_runs_of(host: str | None) -> str:
    """The list of a machine's runs."""
    return with_words("/runs", host=host or UNKNOWN)


def of_comparison(a: Sequence[str], b: Sequence[str], ending: str = "") -> str:
    """B beside A; with an ending as a file."""
    return f"/compare{ending}?{urlencode({'a': a, 'b': b}, doseq=True)}"


def of_benchmark(name: str) -> str:
    """What a benchmark is, and how it is measured."""
    return f"/benchmarks/{quote(name, safe='')}"


def of_scan(name: str, key: str = "") -> str:
    """The viewer of a scan; with its key once it is open."""
    path = f"/tomography/{quote(name, safe='')}"
    return f"{path}/{key}/" if key else path


def with_words(path: str, **words: object) -> str:
    """A page with words after its question mark; those that are None or empty are left out."""
    given = {name: word for name, word in words.items() if word not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path


def of_history(
    benchmark: str, parameters: Mapping[str, Scalar], variant: str | None, host: str | None
) -> str:
    """How a figure went on a machine."""
    figure = parameters.get(FIGURE)
    words = [f"{name}={value}" for name, value in parameters.items() if name != FIGURE]
    # A word ends at a space, and * ? [ mean others: a ? means any one of them.
    said = [re.sub(r"[\s*?\[\]]", "?", word) for word in (benchmark, *words)]
    said += [str(word) for word in (variant, figure) if word and not re.search(r"\s", str(word))]
    return with_words("/history", metric=" ".join(said), host=UNKNOWN if host is None else host)
