"""Units by the names that files use → mm and radians."""

import math

LENGTHS = {
    "nm": 1e-6, "nanometer": 1e-6, "nanometre": 1e-6,
    "um": 1e-3, "µm": 1e-3, "μm": 1e-3, "micron": 1e-3, "micrometer": 1e-3, "micrometre": 1e-3,
    "mm": 1.0, "millimeter": 1.0, "millimetre": 1.0,
    "cm": 10.0, "centimeter": 10.0, "centimetre": 10.0,
    "m": 1000.0, "meter": 1000.0, "metre": 1000.0,
    "inch": 25.4, "in": 25.4,
}  # fmt: skip
ANGLES = {
    "deg": math.pi / 180, "degree": math.pi / 180, "degrees": math.pi / 180, "°": math.pi / 180,
    "rad": 1.0, "radian": 1.0, "radians": 1.0,
}  # fmt: skip


def millimetres(value: float, unit: str) -> float | None:
    """A length in mm; None when its unit isn't known or it is no length."""
    name = unit.strip()
    scale = LENGTHS.get(name) or LENGTHS.get(name.lower()) or LENGTHS.get(name.lower().rstrip("s"))
    if scale is None or not (math.isfinite(value) and value > 0):
        return None
    return value * scale


def radians_per(unit: str) -> float | None:
    """How many radians one of this unit is; None when it isn't known."""
    return ANGLES.get(unit.strip().lower())
