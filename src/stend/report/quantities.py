"""Numbers with units as people write them: 23.41 ± 0.05 GB/s, 12.3 ns, 8.59 GB.

Prefixes are decimal (SI): 1 GB is 10⁹ bytes. The digits shown follow the interval's
half-width; without an interval there are three.
"""

import math
from dataclasses import dataclass

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_SPELT = {"seconds": "s", "second": "s", "bytes": "B"}
_TIMES = {"s", "s/slice"}
_MOST_DIGITS = 6
"""No clock of ours resolves more of a value."""
_SIGN_SHOWS = 3
"""Decimal places of a percentage at which an end that is not 0 shows on which side it lies."""
_WIDE = 0.25
"""An interval that reaches farther than this is shown by its ends: it is rarely symmetric."""
_GROUPED = 4
"""Digits from which they stand in groups."""
_VAGUE = 10
"""Times that the upper end of an interval is its lower one, from which factors tell it."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Multiply by `factor` to get the number that stands before `unit`."""

    factor: float
    unit: str


def scale(value: float, unit: str) -> Scale:
    """The prefix with which `value` reads as a number from 1 to 1000."""
    unit = _SPELT.get(unit, unit)
    if unit in {"relative", "share"}:
        return Scale(100.0, "%")
    if not (_takes_prefix(unit) and math.isfinite(value) and value):
        return Scale(1.0, unit)
    rounded = float(f"{abs(value):.2e}")
    exponent = 3 * math.floor(math.log10(rounded) / 3)
    lowest, highest = (-12, 0) if unit in _TIMES else (0, 15)
    exponent = min(max(exponent, lowest), highest)
    return Scale(10.0**-exponent, _PREFIXES[exponent] + unit)


def figure(value: float, unit: str, ends: tuple[float, float] | None = None) -> str:
    """One figure in words; `ends` are those of its interval, in `unit` too."""
    return in_scale(value, scale(value, unit), ends)


def in_scale(value: float, by: Scale, ends: tuple[float, float] | None = None) -> str:
    """The figure with its unit, scaled by `by`; an interval that is no ± stands behind the unit."""
    said, ends_text = _in_words(value, by, ends)
    return f"{said} {by.unit}".rstrip() + ends_text


def number(value: float, by: Scale, ends: tuple[float, float] | None = None) -> str:
    """The figure without its unit, scaled by `by`: for columns that share one unit."""
    return "".join(_in_words(value, by, ends))


def _in_words(value: float, by: Scale, ends: tuple[float, float] | None) -> tuple[str, str]:
    """The figure with its interval as ±, or the two apart where it has too far to reach."""
    if not math.isfinite(value):
        said = "∞" if value == math.inf else "−∞" if value == -math.inf else "not a number"
        return said, ""
    shown = value * by.factor
    if ends is None or not all(map(math.isfinite, ends)):
        return _fixed(shown, _decimals(abs(shown), 3)), ""
    width = max(ends[1] - value, value - ends[0]) * by.factor
    if width <= _WIDE * abs(shown):
        return _within(shown, width), ""
    middle = _fixed(shown, _decimals(abs(shown), 2))
    if value > 0 and is_vague(*ends):
        return middle, f" (÷{_factor(value / ends[0])}…×{_factor(ends[1] / value)})"
    low, high = (_fixed(x, _decimals(abs(x), 2)) for x in (e * by.factor for e in ends))
    return middle, f" ({low} to {high})"


def _within(shown: float, width: float) -> str:
    """The value with the wider side of its interval."""
    if width <= 0:
        return f"{_fixed(shown, _decimals(abs(shown), 3))} ± 0"
    places = min(_places(width, 1 if width >= 3 * _unit_of(width) else 2),
                 _decimals(abs(shown), _MOST_DIGITS))  # fmt: skip
    if round(width, places) == 0:  # narrower than what is worth showing
        return _fixed(shown, places)
    return f"{_fixed(shown, places)} ± {_fixed(width, places)}"


def between(low: float, high: float, unit: str) -> str:
    """Two ends, their unit said once where both have the same: `11.5 – 12.0 GB/s`."""
    by = scale(high, unit)
    if scale(low, unit) != by:
        return f"{figure(low, unit)} – {figure(high, unit)}"
    return f"{number(low, by)} – {number(high, by)} {by.unit}".rstrip()


def three_digits(count: float) -> str:
    """A count to three digits, or to all before the point: `1.72`, `14.7`, `1383`."""
    return f"{count:.3g}" if count < 999.5 else f"{count:.0f}"


def percent(ratio: float) -> str:
    """A ratio as a signed change: 1.052 → "+5.2%"; beyond ten times as a factor, ×12 or ÷12."""
    if not math.isfinite(ratio) or ratio <= 0:
        return "–"
    if _is_factor(ratio):
        return f"×{ratio:.3g}" if ratio > 1 else f"÷{1 / ratio:.3g}"
    change = 100 * (ratio - 1)
    if abs(change) < 0.005:
        return "0.00%"
    sign = "+" if change >= 0 else "−"
    places = 0 if abs(change) >= 99.95 else 1 if abs(change) >= 0.95 else 2
    return f"{sign}{abs(change):.{places}f}%"


def _is_factor(ratio: float) -> bool:
    """Whether people would say it as a factor, and not in per cent."""
    return 0 < ratio <= 0.1 or 10 <= ratio < math.inf


def _times(ratio: float) -> str:
    return f"×{_factor(ratio)}" if ratio >= 1 else f"÷{_factor(1 / ratio)}"


def _factor(times: float) -> str:
    """To two digits: factors are told where more would mean nothing."""
    return f"{float(f'{times:.2g}'):g}"


def share_in_words(share: float) -> str:
    """A part of a whole: 0.384 → "38.4%"."""
    return f"{100 * share:.3g}%"


def is_vague(low: float, high: float) -> bool:
    """Whether an interval is so wide that factors tell it best: no digit of its ends means much."""
    return low > 0 and high >= _VAGUE * low


def span(low: float, high: float) -> str:
    """The ends of a ratio's interval as signed changes, coarser when it is wide: "−19…+14%".

    Of one that reaches over a factor of ten both are factors: "÷30…×40".
    """
    if is_vague(low, high):
        return f"{_times(low)}…{_times(high)}"
    if low <= 0.1 or high >= 10:
        return f"{percent(low)}…{percent(high)}"
    changes = [100 * (low - 1), 100 * (high - 1)]
    widest = max(map(abs, changes))
    places = 0 if widest >= 10 else 1 if widest >= 1 else 2
    while places < _SIGN_SHOWS and any(0 < abs(c) < 0.5 * 10**-places for c in changes):
        places += 1
    return "…".join(_signed(change, places) for change in changes) + "%"


def _signed(change: float, places: int) -> str:
    shown = f"{abs(change):.{places}f}"
    return shown if not float(shown) else ("+" if change > 0 else "−") + shown


def parameter(name: str, value: bool | int | float | str) -> str:
    """A parameter's value as people say it: 32 MiB for a block, 1 ms for a duration."""
    if isinstance(value, str | bool):
        return str(value)
    if name in {"block", "region", "size", "bytes", "apart", "file"} or name.endswith("_bytes"):
        return binary(value)
    if name in {"duration", "seconds"}:
        by = scale(value, "s")
        return f"{value * by.factor:g} {by.unit}"
    return _grouped(f"{value}") if isinstance(value, int) else f"{value:g}"


def counted(count: int, things: str) -> str:
    """1 thread, 2 threads."""
    one = {"threads": "thread", "copies": "copy"}.get(things, things)
    return f"{count} {one if count == 1 else things}"


def binary(size: float) -> str:
    """Bytes in binary prefixes when they come out even, as caches do; else in decimal."""
    for exponent, prefix in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if size >= 1 << exponent:
            scaled = size / (1 << exponent)
            return f"{scaled:g} {prefix}" if scaled * 2 % 1 == 0 else figure(size, "B")
    return f"{size:g} B"


def _takes_prefix(unit: str) -> bool:
    return unit in {*_TIMES, "B", "Hz", "FLOP", "IOPS"} or unit.endswith("/s")


def _unit_of(value: float) -> float:
    """The power of ten that leads `value`."""
    return 10.0 ** math.floor(math.log10(value)) if value > 0 else 0.0


def _decimals(value: float, digits: int) -> int:
    """Decimal places that show `digits` significant digits of `value`."""
    return max(0, _places(value, digits))


def _places(value: float, digits: int) -> int:
    """The same; −1 for whole tens, −2 for whole hundreds."""
    if not value or not math.isfinite(value):
        return digits - 1
    return digits - 1 - math.floor(math.log10(value))


def _fixed(value: float, places: int) -> str:
    return _grouped(f"{round(value, places):.{max(0, places)}f}").replace("-", "−")


def _grouped(number: str) -> str:
    """Digits before the point in threes, apart by a narrow space, where there are five or more."""
    whole, point, rest = number.partition(".")
    if len(whole.lstrip("-")) < _GROUPED:
        return number
    return f"{int(whole):,}".replace(",", "\u202f") + point + rest
