"""Stored runs of one machine → each case's medians in each of them, in the order of time."""

from msgspec.structs import replace

from stend.cautions import Caution
from stend.comparing.estimate import Interval, estimate
from stend.comparing.load import Span, spans_of
from stend.comparing.several import views
from stend.record import CaseRecord, Record, Status
from stend.store import Derivation, Filter, Series, Store


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
