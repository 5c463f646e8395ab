"""How a slice is asked for: words of a request → an algorithm and its settings, checked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from stend_tomo import algorithms, filters
from stend_tomo.errors import BadOption
from stend_tomo.iterating import ITERATIONS
from stend_tomo.text import printable


@dataclass(frozen=True)
class Method:
    """What tells one reconstruction of a scan from another."""

    center: float
    """The detector column of the axis of rotation."""
    algorithm: str = "dfr"
    filter: str = "ram-lak"
    cutoff: float = 1.0
    stripes: int | None = None
    """Columns of the median against stripes; None: they stay."""


def shown_algorithms() -> list[str]:
    """Names of those that a page can wait for."""
    return [name for name in algorithms() if name not in ITERATIONS]


def method_of(asked: Mapping[str, str], columns: int, default: Method) -> Method:
    """Give what was asked for; what was not is the default's.

    Raises:
        BadOption: a name or number that can't be.
    """
    unknown = asked.keys() - {"algorithm", "filter", "cutoff", "center", "stripes"}
    if unknown:
        raise BadOption(f"A slice has no setting {printable(min(unknown))}.")
    if asked.get("algorithm", default.algorithm) in ITERATIONS:
        raise BadOption(
            f"A page can't wait for {' and '.join(ITERATIONS)}, which iterate; "
            "`stend-tomo preview` and `reconstruct` have them."
        )
    said = {name: str(getattr(default, name)) for name in ("algorithm", "filter", "cutoff")}
    said |= {"center": str(default.center), "stripes": str(default.stripes or "")} | dict(asked)
    return Method(
        center=_center(said["center"], columns),
        algorithm=_one_of(said["algorithm"], shown_algorithms(), "algorithm"),
        filter=_one_of(said["filter"], filters(), "filter"),
        cutoff=_number(said["cutoff"], 0.05, 1, "cutoff"),
        stripes=_stripes(said["stripes"]),
    )


def _center(said: str, columns: int) -> float:
    """The axis may be beside the detector, as long as that sees some of a slice."""
    beside = int(columns / math.sqrt(2))
    return _number(said, -beside, columns - 1 + beside, "center")


def _one_of(name: str, names: list[str], what: str) -> str:
    if name not in names:
        raise BadOption(f"There is no {what} {printable(name)}; there are {', '.join(names)}.")
    return name


def _number(said: str, low: float, high: float, what: str) -> float:
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise BadOption(f"The {what} {printable(said)} is not from {low:g} to {high:g}.")
    return value


def _stripes(said: str) -> int | None:
    """None for an empty word; that a number can be is checked where stripes are removed."""
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise BadOption(f"The width of stripes {printable(said)} is no number of columns.")
    return int(said)
