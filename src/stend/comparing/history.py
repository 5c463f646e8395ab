"""Each case's medians in the runs of one machine, in the order of time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TypeVar

from msgspec.structs import replace

from stend.comparing.estimate import Interval, estimate
from stend.comparing.host_load import Span, spans_of
from stend.comparing.metrics import views
from stend.record import CaseRecord, Record, Run, Status
from stend.record.cautions import Caution
from stend.record.text import SET, minute
from stend.store import Derivation, Filter, Past, Series, Store


class PastCase(Record, frozen=True, kw_only=True):
    """One figure of a case in one run, without its repetitions."""

    case: CaseRecord
    """Without samples, question and detail; a further figure is a case as in `views`."""
    value: float | None
    """The median over the processes' medians; None where there is no figure that counts."""
    medians: dict[int, float] = {}
    """The median of each process, by process."""
    unrest: float = 0.0
    """As in `Estimate`."""
    spans: tuple[Span, ...] = ()
    """When each process was measured."""
    interval: Interval | None = None
    cautions: tuple[Caution, ...] = ()
    why: str = ""
    """Why there is no figure that counts: how the case ended, or that its proof failed."""


def history(store: Store, wanted: Filter) -> Series[tuple[PastCase, ...]]:
    """What stored runs say of each case that is wanted: a tuple of its figures.

    Medians are kept in the store, so that only runs which are new since are computed.
    """
    return store.series(MEDIANS, wanted)


def _figures(case: CaseRecord) -> tuple[PastCase, ...]:
    return tuple(map(_figure, views(case)))


def _figure(case: CaseRecord) -> PastCase:
    found = estimate(case)
    why = _uncounted(case)
    bare = replace(case, samples=(), detail={}, question="")
    if found is None or why:
        return PastCase(case=bare, value=None, why=why or "No repetition gave a value.")
    return PastCase(
        case=bare,
        value=found.value,
        medians=found.medians,
        unrest=found.unrest,
        spans=spans_of(case),
        interval=found.interval,
        cautions=case.cautions,
    )


def _uncounted(case: CaseRecord) -> str:
    wrong = next((s.proof.said for s in case.samples if not s.proof.right), None)
    if wrong is not None:
        return f"The proof failed: {wrong}"
    if case.status is Status.MEASURED or case.has_figure:
        return ""
    return f"It is {case.status}: {case.reason}" if case.reason else f"It is {case.status}."


MEDIANS = Derivation("medians 3", tuple[PastCase, ...], _figures)
"""The number grows whenever the same samples would give something else."""


T = TypeVar("T")

_AHEAD = timedelta(days=1)


def in_order(runs: Sequence[Past[T]], now: datetime) -> tuple[list[Past[T]], list[str]]:
    """Order the runs by when they began, those whose clock was wrong by when they were stored.

    The second result is a sentence for each that is doubtful.
    """
    wrong = {past.number: why for past in runs if (why := _wrong(past.run, now))}
    found = [past for past in runs if past.number not in wrong]
    notes = [_jumped(a.run, b.run) for a, b in _out_of_order(found)]
    for past in sorted((p for p in runs if p.number in wrong), key=lambda p: p.number):
        earlier = [i for i, other in enumerate(found) if other.number < past.number]
        found.insert(earlier[-1] + 1 if earlier else 0, past)
        notes.append(
            f"The run {past.run.id[:8]} {wrong[past.number]}: the machine's clock was wrong, so "
            "it is placed by when it was stored."
        )
    return found, notes


def _wrong(run: Run, now: datetime) -> str:
    began = datetime.fromisoformat(run.started)
    if began < SET:
        return f"says that it began on {run.started[:10]}"
    if began > now + _AHEAD:
        return f"says that it will begin on {run.started[:10]}"
    if run.finished is not None and datetime.fromisoformat(run.finished) < began:
        return "says that it ended before it began"
    return ""


def _out_of_order(runs: Sequence[Past[T]]) -> list[tuple[Past[T], Past[T]]]:
    """Neighbours in the order of storing of which the first says that it began later."""
    stored = sorted(runs, key=lambda past: past.number)
    return [
        (a, b)
        for a, b in pairwise(stored)
        if datetime.fromisoformat(a.run.started) > datetime.fromisoformat(b.run.started)
    ]


def _jumped(a: Run, b: Run) -> str:
    return (
        f"The run {a.id[:8]} says that it began on {minute(a.started)}, later than {b.id[:8]}, "
        "which was stored after it: a clock jumped, or one was imported later. They are ordered "
        "by their own times."
    )
