"""Published runs by name, as in `published:elbrus-16c`."""

import difflib
import hashlib
from collections.abc import Mapping
from functools import cache

from stend.comparing.publications.cases import named_cases
from stend.comparing.publications.machines import machine
from stend.errors import UnknownName
from stend.record import CaseRecord, Run
from stend.record.text import printable

PREFIX = "published:"
"""What the label of each begins with, and its name where a stored run could be meant as well."""
_NEAR = 4
"""Names that are told where one is not known."""


def names() -> tuple[str, ...]:
    """Every published run, without the prefix, in the order of the data files."""
    return tuple(_cases())


def runs() -> tuple[Run, ...]:
    """All published runs."""
    return tuple(map(run, names()))


def run(name: str) -> Run:
    """The published run of that name, with the prefix or without.

    Its id is derived from the name and stays; `started` is the date of its newest source.

    Raises:
        UnknownName: there is none; the sentence tells names that are like it.
    """
    plain = name.removeprefix(PREFIX).lower()
    if plain not in _cases():
        raise UnknownName(_unknown(plain))
    return _run(plain)


@cache
def _run(name: str) -> Run:
    cases = _cases()[name]
    newest = max(c.published.date for c in cases if c.published)
    at = f"{newest if len(newest) > 4 else f'{newest}-01-01'}T00:00:00Z"
    return Run(
        id=hashlib.blake2s(f"{PREFIX}{name}".encode(), digest_size=16).hexdigest(),
        label=PREFIX + name,
        started=at,
        finished=at,
        stend="",
        machine=machine(name),
        cases=cases,
    )


@cache
def _cases() -> Mapping[str, tuple[CaseRecord, ...]]:
    found: dict[str, list[CaseRecord]] = {}
    for name, case in named_cases():
        found.setdefault(name, []).append(case)
    return {name: tuple(cases) for name, cases in found.items()}


def _unknown(name: str) -> str:
    within = [known for known in names() if name and name in known]
    near = (within or difflib.get_close_matches(name, names(), _NEAR, 0.5) or names())[:_NEAR]
    told = ", ".join(near)
    return (
        f"No published run is called {printable(name)!r}; there are {told} and others: "
        "`stend published` lists them."
    )
