"""Differences between the runs of two sides apart from the figures, possible causes first.

Facts of the machine, versions of programs and of the libraries that cases used, mitigations,
frequencies, and disturbances that only one side saw.
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, get_args

from stend.comparing.facts import (
    CONDITION,
    LIBRARY,
    MITIGATION,
    PROGRAM_OF,
    UNKNOWN,
    VERSION,
    Kind,
    fact_in_words,
    known_of,
    words,
)
from stend.comparing.host_load import core_frequency
from stend.record import CaseRecord, Machine, Record, Run
from stend.record.text import printable

VARIES = {
    "clocks", "memory_available", "threads_free", "threads_limit", "unknown", "versions",
    "mitigations",
}  # fmt: skip
"""Facts that are taken anew in each run, or are tables with rows of their own."""


class Difference(Record, frozen=True, kw_only=True):
    """One fact that is not the same on both sides, as words; "unknown" where unreadable."""

    what: str
    a: str
    b: str
    kind: Kind = "other"
    """What it belongs to."""
    concerns: tuple[str, ...] = ()
    """The families whose figures it is known to move; empty: it may move any."""
    why: str = ""
    """How it can move them, or why it can't be told to be a cause; a sentence."""
    cause: bool = True
    """Whether it can be one: not what runs of both sides share, nor what one side doesn't know."""


Runs = Sequence[Run]


def differences(a: Run | Runs, b: Run | Runs) -> tuple[Difference, ...]:
    """What a reader should know before believing that the code alone made the difference.

    With several runs a side, a fact is told where the sides' runs have not the same values of it.
    Where some run of A has one of B's, it varies within a side, too, and is no cause.
    """
    of_a, of_b = ((side,) if isinstance(side, Run) else tuple(side) for side in (a, b))
    found = [
        *_of("size", [r.size for r in of_a], [r.size for r in of_b]),
        *_of("stend", [r.stend for r in of_a], [r.stend for r in of_b]),
        *_facts(of_a, of_b),
        *_tables(VERSION, _versions, of_a, of_b),
        *(d for d in _tables(LIBRARY, _libraries, of_a, of_b) if UNKNOWN not in (d.a, d.b)),
        *(d for d in _tables(PROGRAM_OF, _programs, of_a, of_b) if UNKNOWN not in (d.a, d.b)),
        *_tables(MITIGATION, lambda run: run.machine.mitigations, of_a, of_b),
        *_frequency(of_a, of_b),
        *_conditions(of_a, of_b),
    ]
    return tuple(sorted(found, key=lambda d: (not d.cause, _ORDER.index(d.kind))))


_ORDER = get_args(Kind)


def _facts(a: Runs, b: Runs) -> Iterator[Difference]:
    for field in Machine.__struct_fields__:
        if field not in VARIES:
            sides = ([fact_in_words(run.machine, field) for run in runs] for runs in (a, b))
            yield from _of(field.replace("_", " "), *sides)


def _tables(
    what: str, table: Callable[[Run], dict[str, str]], a: Runs, b: Runs
) -> Iterator[Difference]:
    of_a, of_b = [table(run) for run in a], [table(run) for run in b]
    for name in sorted({name for rows in (*of_a, *of_b) for name in rows}):
        yield from _of(what + name, [t.get(name) for t in of_a], [t.get(name) for t in of_b])


def _versions(run: Run) -> dict[str, str]:
    """That of stend is the run's own."""
    return {name: said for name, said in run.machine.versions.items() if name != "stend"}


def _libraries(run: Run) -> dict[str, str]:
    """Family and variant → what its cases tell of the library that did their work."""
    return {
        f"{case.family} {case.variant or ''}".rstrip(): said
        for case in run.cases
        if (said := _library(case))
    }


_SUM = "SHA-256 "


def _programs(run: Run) -> dict[str, str]:
    """A project's benchmark → the file that it executed, and how its sum begins."""
    return {
        case.benchmark: program[: program.find(_SUM) + len(_SUM) + 12]
        for case in run.cases
        if _SUM in (program := case.detail.get("program", ""))
    }


def _library(case: CaseRecord) -> str:
    """Of MPI its version stands before how the ranks sit."""
    if case.family == "storage":
        return next((s.load.fio for s in case.samples if s.load), "")
    named = case.family in ("linpack", "fft", "mpi") or case.variant == "onnxruntime"
    return case.detail.get("about", "").partition(";")[0] if named else ""


CORE_FREQUENCY = "core frequency"
VISIBLE = 0.02
"""Frequencies that differ by more are told, as a caution does within a sample."""


def _frequency(a: Runs, b: Runs) -> Iterator[Difference]:
    """The cores' true one, where no run of a side had one of the other's."""
    of_a, of_b = ([hz for run in runs if (hz := core_frequency(run))] for runs in (a, b))
    if not (of_a and of_b):
        return
    disjoint = max(of_a) < min(of_b) or max(of_b) < min(of_a)
    if disjoint and abs(median(of_b) / median(of_a) - 1) > VISIBLE:
        yield _difference(CORE_FREQUENCY, [_ghz(median(of_a))], [_ghz(median(of_b))])


def _ghz(hz: float) -> str:
    return f"{hz / 1e9:.2f} GHz"


def _conditions(a: Runs, b: Runs) -> Iterator[Difference]:
    """Disturbances that not all runs saw; what runs of both sides saw is no cause."""
    of_a, of_b = ([_disturbances(run) for run in runs] for runs in (a, b))
    for kind in sorted({kind for seen in (*of_a, *of_b) for kind in seen}):
        sides = [[seen.get(kind) for seen in side] for side in (of_a, of_b)]
        if not all(said for side in sides for said in side):
            in_a, in_b = (_seen_in(side) for side in sides)
            yield _difference(CONDITION + kind, in_a, in_b, shared=all(any(side) for side in sides))


def _disturbances(run: Run) -> dict[str, str]:
    """The first of each kind."""
    all_of_them = (*run.conditions.before, *run.conditions.during)
    return {d.kind: d.said for d in reversed(all_of_them)}


def _seen_in(side: Sequence[str | None]) -> list[str]:
    seen = [said for said in side if said]
    if not seen:
        return ["–"]
    return [seen[0] if len(seen) == len(side) else f"In {len(seen)} of {len(side)} runs: {seen[0]}"]


def _of(what: str, a: Sequence[Any], b: Sequence[Any]) -> list[Difference]:
    of_a, of_b = (list(dict.fromkeys(map(words, side))) for side in (a, b))
    if set(of_a) == set(of_b):
        return []
    return [_difference(what, of_a, of_b, shared=not set(of_a).isdisjoint(of_b))]


def _difference(what: str, a: list[str], b: list[str], shared: bool = False) -> Difference:
    known = known_of(what)
    unknown = UNKNOWN in (*a, *b)
    return Difference(
        what=printable(what),
        a=printable(" or ".join(a)),
        b=printable(" or ".join(b)),
        kind=known.kind,
        concerns=known.concerns,
        why=_WITHIN if shared else _NOT_KNOWN if unknown else known.why,
        cause=known.cause and not shared and not unknown,
    )


_WITHIN = "It varies within a side, too."
_NOT_KNOWN = "It is not known for both sides."
