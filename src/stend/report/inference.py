"""U-Net inference: precision, layers, and shares of the peak.

The columns of a case tell of each layer, or of several that are computed as one, "down0.conv2 +
pool1 s" and "down0.conv2 + pool1 FLOP": its time in a repetition, and its operations by direct
convolution; and "multiplied FLOP", what was really multiplied and added in all of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.report.measured_case import Limits, Measured

FAMILY = "unet"
PRECISIONS = ("float32", "bf16x3", "bf16")
"""In which products are taken, the most precise first: the last words of the benchmarks' names."""
MULTIPLIED = "multiplied FLOP"
_AND = " + "
_WAY = re.compile(r"(down|pool|up)([0-9]{1,2})")
_SECONDS, _FLOP = " s", " FLOP"


@dataclass(frozen=True, slots=True)
class Part:
    """Layers that a case computes as one."""

    layers: tuple[str, ...]
    seconds: float
    """The median over all repetitions."""
    flops: float
    """By direct convolution."""

    @property
    def name(self) -> str:
        """`down0.conv2 + pool1`."""
        return _AND.join(self.layers)

    @property
    def rate(self) -> float:
        """FLOP/s by direct convolution; 0 of what takes no time."""
        return self.flops / self.seconds if self.seconds > 0 else 0.0


def is_inference(m: Measured) -> bool:
    """Whether it is the time of an image in a precision that is known here."""
    family, _, precision = m.case.benchmark.partition(".")
    timed = m.case.metric.unit == "s" and 0 < m.estimate.value < float("inf")
    return family == FAMILY and precision in PRECISIONS and timed


def parts(m: Measured) -> tuple[Part, ...]:
    """What it tells of its layers, in the order they run; none where it tells nothing."""
    also = m.estimate.also if is_inference(m) else {}
    return tuple(
        Part(tuple(name.split(_AND)), seconds, also[name + _FLOP])
        for column, seconds in also.items()
        if column.endswith(_SECONDS) and (name := column.removesuffix(_SECONDS)) + _FLOP in also
    )


def of_layers(m: Measured) -> set[str]:
    """The names of the columns that `parts` reads."""
    return {part.name + unit for part in parts(m) for unit in (_SECONDS, _FLOP)}


def aligned(rows: Sequence[Sequence[Part]]) -> list[list[Part | None]]:
    """The parts of several cases, row by row the same layers.

    Where one computes as one what another computes apart, the other's parts are added up. A row
    holds None for a case that has none of its layers.
    """
    blocks: list[set[str]] = []
    for part in (part for case in sorted(rows, key=_layers, reverse=True) for part in case):
        met = [block for block in blocks if block & set(part.layers)]
        if met:
            met[0].update(part.layers, *met[1:])
        blocks = [b for b in blocks if not any(b is other for other in met[1:])]
        blocks += [] if met else [set(part.layers)]
    return [
        [_sum([part for part in case if block & set(part.layers)]) for case in rows]
        for block in blocks
    ]


def _layers(case: Sequence[Part]) -> int:
    return sum(len(part.layers) for part in case)


def _sum(members: Sequence[Part]) -> Part | None:
    if not members:
        return None
    layers = tuple(layer for part in members for layer in part.layers)
    return Part(layers, sum(p.seconds for p in members), sum(p.flops for p in members))


def path(layer: str, deepest: int) -> str:
    """Which way of the classic network it is on: "down", "bottom", "up"; "" of none."""
    way, level = _way(layer)
    if way == "down" and level == deepest:
        return "bottom"
    return {"pool": "down"}.get(way, way)


def depth(layers: Sequence[str]) -> int:
    """The level of the bottom: the deepest that goes down."""
    return max((level for way, level in map(_way, layers) if way == "down"), default=0)


def _way(layer: str) -> tuple[str, int]:
    """("down", 3) of "down3.conv1"."""
    known = _WAY.fullmatch(layer.partition(".")[0])
    return (known[1], int(known[2])) if known else ("", 0)


def shares(m: Measured, limits: Limits) -> Iterator[tuple[str, float]]:
    """Which part of the float32 peak it reaches by the operations that it really makes.

    By those of direct convolution, an algorithm that multiplies less would pass the peak, which is
    no limit of it; bfloat16 has a peak of its own, which is not measured.
    """
    direct, done, counted = limits.of_peak(m), multiplied(m), m.case.work.flops
    if direct is not None and m.what == PRECISIONS[0] and done and counted:
        yield "peak", direct * done / counted


def multiplied(m: Measured) -> float | None:
    """FLOP that an image really took, where that is known."""
    return m.estimate.also.get(MULTIPLIED)
