"""How a slice is asked for: words of a request → an algorithm and its settings, checked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from stend.errors import BadValue
from stend.printable import printable
from stend.tomo import algorithms, filters


@dataclass(frozen=True)
class Method:
    """What tells one reconstruction of a scan from another."""

    algorithm: str
    filter: str
    cutoff: float
    center: float
    """The detector column of the axis of rotation."""


def method_of(asked: Mapping[str, str], columns: int, center: float) -> Method:
    """Give what was asked for; what was not is the default, `center` the axis.

    Raises:
        BadValue: a name or number that can't be.
    """
    unknown = asked.keys() - {"algorithm", "filter", "cutoff", "center"}
    if unknown:
        raise BadValue(f"A slice has no setting {printable(min(unknown))}.")
    return Method(
        _one_of(asked.get("algorithm", "dfr"), algorithms(), "algorithm"),
        _one_of(asked.get("filter", "ram-lak"), filters(), "filter"),
        _number(asked.get("cutoff", "1"), 0.05, 1, "cutoff"),
        _number(asked.get("center", str(center)), 0, columns - 1, "center"),
    )


def _one_of(name: str, names: list[str], what: str) -> str:
    if name not in names:
        raise BadValue(f"There is no {what} {printable(name)}; there are {', '.join(names)}.")
    return name


def _number(said: str, low: float, high: float, what: str) -> float:
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise BadValue(f"The {what} {printable(said)} is not from {low:g} to {high:g}.")
    return value
