"""Stored runs → the same in the order in which they were made, and what their clocks got wrong."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TypeVar

from stend.record import Run
from stend.store import Past
from stend.times import SET, minute

T = TypeVar("T")

_AHEAD = timedelta(days=1)


def in_order(runs: Sequence[Past[T]], now: datetime) -> tuple[list[Past[T]], list[str]]:
    """Order the runs by when they began, those whose clock was wrong by when they were stored.

    The second result is a sentence for each that is doubtful.
    """
    wrong = {past.number: why for past in runs if (why := _wrong(past.run, now))}
    found = [past for past in runs if past.number not in wrong]
    told = [_jumped(a.run, b.run) for a, b in _out_of_order(found)]
    for past in sorted((p for p in runs if p.number in wrong), key=lambda p: p.number):
        earlier = [i for i, other in enumerate(found) if other.number < past.number]
        found.insert(earlier[-1] + 1 if earlier else 0, past)
        told.append(
            f"The run {past.run.id[:8]} {wrong[past.number]}: the machine's clock was wrong, so "
            "it stands where it was stored."
        )
    return found, told


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
        f"The run {a.id[:8]} says that it began on {minute(a.started)}, later than "
        f"{b.id[:8]}, which was stored after it: a clock jumped, or one was imported later. They "
        "stand in the order of their own times."
    )
