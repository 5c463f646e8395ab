"""Figures as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.report.quantities import (
    Scale,
    between,
    binary,
    figure,
    in_scale,
    number,
    parameter,
    percent,
    scale,
    span,
)


@pytest.mark.parametrize(
    ("value", "unit", "ends", "expected"),
    [
        (23.41e9, "B/s", (23.41e9 - 0.05e9, 23.41e9 + 0.05e9), "23.41 ± 0.05 GB/s"),
        (123.4e9, "FLOP/s", (123.4e9 - 13e9, 123.4e9 + 13e9), "123 ± 13 GFLOP/s"),
        (15.3e-6, "s", (15.3e-6 - 0.2e-6, 15.3e-6 + 0.2e-6), "15.30 ± 0.20 µs"),
        (23e-9, "s", (12e-9, 88e-9), "23 ns (12 to 88)"),
        (23e-9, "s", (6.2e-9, 88e-9), "23 ns (÷3.7…×3.8)"),
        (1.9, "×", (0.001, 900.0), "1.9 × (÷1900…×470)"),
        (2e-3, "s", (-1e-3, 5e-3), "2.0 ms (−1.0 to 5.0)"),
        (1.234e-9, "s", None, "1.23 ns"),
        (4e-3, "seconds", None, "4.00 ms"),
        (999.96e6, "B/s", None, "1.000 GB/s"),
        (1e9, "Hz", (1e9 - 100.0, 1e9 + 100.0), "1.00000 GHz"),
        (1e-3, "s", (1e-3 - 0.0, 1e-3 + 0.0), "1.00 ± 0 ms"),
        (-0.034, "relative", (-0.034 - 0.001, -0.034 + 0.001), "−3.40 ± 0.10 %"),
        (104983, "cycles", (104983 - 11364, 104983 + 11364), "105\u202f000 ± 11\u202f000 cycles"),
        (12345.67, "cycles", None, "12\u202f346 cycles"),
        (3.3, "cycles/B", None, "3.30 cycles/B"),
        (float("inf"), "B/s", None, "∞ B/s"),
        (0.0, "s", None, "0.00 s"),
    ],
)
def test_the_digits_follow_the_interval_and_the_prefix_the_value(value, unit, ends, expected):
    assert figure(value, unit, ends) == expected


@given(st.floats(1e-11, 1e3), st.sampled_from(["s"]))
def test_a_time_is_scaled_to_a_number_from_1_to_1000(value, unit):
    assert 0.999 <= value * scale(value, unit).factor <= 1000


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (1.052, "+5.2%"),
        (0.93, "−7.0%"),
        (1.0004, "+0.04%"),
        (4.671, "+367%"),
        (12.0, "×12"),
        (0.05, "÷20"),
        (0.0, "–"),
    ],
)
def test_a_ratio_reads_as_a_change(ratio, expected):
    assert percent(ratio) == expected


def test_sizes_that_are_powers_of_two_read_so():
    assert [binary(512 << 10), binary(8 << 30), binary(3_700_000_000)] == [
        "512 KiB",
        "8 GiB",
        "3.70 GB",
    ]


def test_parameters_read_by_what_they_are():
    assert parameter("block", 1 << 19) == "512 KiB"
    assert parameter("duration", 1e-3) == "1 ms"
    assert parameter("elements", 52_000_000) == "52\u202f000\u202f000"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.81, 1.142, "−19…+14%"),
        (0.994, 1.0052, "−0.60…+0.52%"),
        (0.98, 1.014, "−2.0…+1.4%"),
        (1.0, 1.0, "0.00…0.00%"),
        (1.2, 30.0, "×1.2…×30"),
        (0.0341, 112.4, "÷29…×110"),
        (11.96, 13.24, "×12…×13.2"),
        (0.07, 0.2, "÷14.3…−80.0%"),
        (1.003, 1.14, "+0.3…+14.0%"),
        (0.86, 0.998, "−14.0…−0.2%"),
        (1e-5, 2e-5, "÷1e+05…÷5e+04"),
    ],
)
def test_the_ends_of_an_interval_are_as_coarse_as_it_is_wide(low, high, said):
    assert span(low, high) == said


def test_a_column_of_one_unit_has_the_interval_as_well():
    assert number(23e-9, Scale(1e9, "ns"), (6.2e-9, 88e-9)) == "23 (÷3.7…×3.8)"
    assert (
        in_scale(0.5e-3, Scale(1e9, "ns"), (0.4e-3, 0.7e-3))
        == "500\u202f000 ns (400\u202f000 to 700\u202f000)"
    )


def test_two_ends_say_their_unit_once_where_both_have_it():
    assert between(11.5e9, 12e9, "B/s") == "11.5 – 12.0 GB/s"
    assert between(995e-12, 1.08e-9, "s") == "995 ps – 1.08 ns"
    assert between(0.1, 0.2, "relative") == "10.0 – 20.0 %"
