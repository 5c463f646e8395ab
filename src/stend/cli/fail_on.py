"""`slower:2%` → which cases and families of a comparison are what CI is to fail on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stend.errors import BadValue
from stend.printable import printable

if TYPE_CHECKING:
    from stend.comparing import Comparison

FAIL_ON_HELP = (
    "Leave with code 1 when a case or a family is this: slower, faster, or slower:2%, only where "
    "the change is surely larger than 2%: its whole interval lies beyond. And with 5 when B "
    "failed, or lacks a case of A. Beside a published figure nothing is judged, so nothing fails. "
    "May be given several times."
)
_FORM = re.compile(r"(slower|faster)(?::(\d+(?:\.\d+)?)%)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class FailOn:
    """A verdict, and how large the change must surely be."""

    verdict: str
    beyond: float
    typed: str


def read_fail_on(typed: Sequence[str]) -> tuple[FailOn, ...]:
    """What `--fail-on` was given.

    Raises:
        BadValue: it is nothing that a verdict could be.
    """
    found = []
    for words in typed:
        form = _FORM.fullmatch(words)
        if form is None:
            raise BadValue(
                f"--fail-on takes slower or faster, alone or with a threshold such as slower:2%, "
                f"not {printable(words)!r}."
            )
        found.append(FailOn(form[1], float(form[2] or 0) / 100, words))
    return tuple(found)


def failing(comparison: "Comparison", on: FailOn) -> list[str]:
    """The cases and families that are so, by name; the changes are those that are shown.

    A verdict holds for the estimate; the threshold is for the end of the interval that lies nearer
    to no change, so that a noisy case does not fail by chance of being noisy.
    """
    found = [(row.name, row.verdict, row.low, row.high) for row in comparison.rows]
    found += [
        (f"the family {f.name}", f.verdict, f.low, f.high)
        for f in comparison.families
        if f.cases > 1
    ]
    return [
        name
        for name, verdict, low, high in found
        if verdict.value == on.verdict and (not on.beyond or _least(low, high) > on.beyond)
    ]


def _least(low: float | None, high: float | None) -> float:
    """How far from 1 the nearer end of an interval is that does not hold 1."""
    if low is None or high is None or low <= 1 <= high:
        return 0.0
    return low - 1 if low > 1 else 1 - high
