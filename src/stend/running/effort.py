"""How much is spent on a case: how many processes, how long each."""

from dataclasses import dataclass

from stend.parameters import Size
from stend.running.task import Rule


@dataclass(frozen=True, slots=True)
class Effort:
    """Between `least` and `most` processes; none is begun once they took `seconds` together."""

    rule: Rule
    least: int
    most: int
    seconds: float
    pairs: int
    """With --versus: how many times both sides are measured, one next to the other."""


def effort(
    size: Size, stop: str = "precision", seconds: float | None = None, pairs: int | None = None
) -> Effort:
    """What a run of that size spends; `seconds` is the user's time for one process."""
    if size == "check":
        once = Rule(name="once", seconds=1.0)
        return Effort(once, least=1, most=1, seconds=0.0, pairs=1)
    quick = size == "quick"
    rule = Rule(
        name="rounds" if stop == "rounds" else "precision",
        seconds=seconds or (0.4 if quick else 5.0),
    )
    if quick:
        return Effort(rule, least=3, most=5, seconds=1.5, pairs=pairs or 20)
    return Effort(rule, least=5, most=10, seconds=60.0, pairs=pairs or 30)
