"""Two stored runs → the verdict on what changed between them, as short as a line of a table."""

from stend.comparing import Judgement, Verdict, compare, stored_history
from stend.record import Record
from stend.report.answer import answer
from stend.report.quantities import percent
from stend.store import Store

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
