"""Stored and published runs by their names, B compared with A, and the verdict in short."""

from collections.abc import Sequence

from stend.comparing import (
    Comparison,
    Judgement,
    Verdict,
    compare,
    compare_sides,
    has_sides,
    publications,
    stored_history,
)
from stend.comparing.selection import named, refuse_twice
from stend.errors import BadValue, UsageError
from stend.record import Record, Run
from stend.report.answer import answer
from stend.report.quantities import percent
from stend.store import Store

MOST_A_SIDE = 20
"""Runs: what more of them add to an interval is little, and each has all its samples."""
PUBLISHED = "published:"


def find_run(store: Store, name: str) -> Run:
    """The run that a name means, as for every verb but that it is no file.

    Raises:
        UnknownName: there is none.
        Damaged: it can't be read.
    """
    return publications.run(name) if name.startswith(PUBLISHED) else store.load(name)


def compared(store: Store, a: Sequence[str], b: Sequence[str]) -> Comparison:
    """B against A; without b, the two sides of a run that was measured with --versus.

    Raises:
        UnknownName: no run has one of the names.
        UsageError: a run is named twice, too many are, or one alone has no sides.
    """
    first, second = _side(store, a), _side(store, b)
    if second:
        refuse_twice({"A": first, "B": second})
        return compare(first, second, history=stored_history(store, (*first, *second)))
    if len(first) > 1:
        raise UsageError(f"a names {len(first)} runs, and b none; name what to compare them with.")
    if not has_sides(first[0]):
        raise UsageError(
            f"The run {first[0].id[:8]} was not measured with --versus, so it has no sides; name "
            "another one as b."
        )
    return compare_sides(first[0])


def _side(store: Store, names: Sequence[str]) -> tuple[Run, ...]:
    def labelled(label: str) -> tuple[Run, ...]:
        found = store.find(label=label, limit=MOST_A_SIDE + 1)
        _refuse_many(len(found))
        return tuple(store.load(summary.id) for summary in reversed(found))

    found: list[Run] = []
    for name in names:
        found += named(name, lambda one: find_run(store, one), labelled)
        _refuse_many(len(found))
    return tuple(found)


def _refuse_many(count: int) -> None:
    if count > MOST_A_SIDE:
        raise BadValue(f"A side has at most {MOST_A_SIDE} runs here; name fewer, or use the verb.")


_LARGEST = 5


class Moved(Record, frozen=True, kw_only=True):
    """A figure that surely moved."""

    name: str
    word: str
    """"faster", "slower", "longer"…"""
    better: bool
    by: str
    """Its change: `−7.2%`."""


class Judged(Record, frozen=True, kw_only=True):
    """What a comparison says, in short."""

    before: str
    """The id of the earlier run."""
    after: str
    said: str
    """The answer in a sentence or two; the later run is B."""
    counts: dict[str, int]
    """Verdict → how many figures got it."""
    largest: tuple[Moved, ...]
    """The figures that surely moved most."""


def judged(store: Store, before: str, after: str) -> Judged:
    """Compare a machine's later run with its earlier one.

    Raises:
        UnknownName: there is no such run.
    """
    a, b = store.load(before), store.load(after)
    found = compare(a, b, history=stored_history(store, [a, b]))
    moved = [row for row in found.rows if row.verdict in (Verdict.FASTER, Verdict.SLOWER)]
    moved.sort(key=lambda row: -abs((row.ratio or 1.0) - 1))
    return Judged(
        before=a.id,
        after=b.id,
        said=answer(found),
        counts={verdict.value: n for verdict in Verdict if (n := found.count(verdict))},
        largest=tuple(map(_moved, moved[:_LARGEST])),
    )


def _moved(row: Judgement) -> Moved:
    return Moved(
        name=row.name,
        word=row.verdict.word(row.metric),
        better=row.verdict is Verdict.FASTER,
        by=percent(row.ratio or 1.0),
    )
