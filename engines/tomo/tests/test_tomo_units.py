"""Lengths and angles are the same in whichever unit a file tells them."""

import math

import pytest

from stend_tomo.reading.angles import millimetres, radians_per


@pytest.mark.parametrize(
    ("unit", "mm"),
    [
        ("nm", 1e-6), ("nanometers", 1e-6), ("um", 1e-3), ("\u00b5m", 1e-3), ("\u03bcm", 1e-3),
        (" Microns ", 1e-3), ("micrometres", 1e-3), ("mm", 1), ("Millimeters", 1), ("cm", 10),
        ("centimetre", 10), ("m", 1000), ("metres", 1000), ("inch", 25.4), ("in", 25.4),
    ],
)  # fmt: skip
def test_a_length_is_the_same_in_any_unit(unit, mm):
    assert millimetres(2.5, unit) == pytest.approx(2.5 * mm)


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_is_no_length_is_none(value):
    assert millimetres(value, "mm") is None
    assert millimetres(1.0, "furlong") is None


@pytest.mark.parametrize("unit", ["deg", "Degree", " degrees", "°", "rad", "radian", "Radians"])
def test_a_turn_is_the_same_in_any_unit(unit):
    whole = 2 * math.pi if "rad" in unit.lower() else 360
    assert whole * radians_per(unit) == pytest.approx(2 * math.pi)
    assert radians_per("turns") is None
