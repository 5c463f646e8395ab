"""No branch and no address depends on key or data in the variants that say so."""

import platform

import pytest

from native.scripts import output
from stend.native import isa

pytestmark = pytest.mark.full
BEYOND_VALGRIND = {"gfni", "avx512"}


def test_what_is_said_to_be_constant_time_is() -> None:
    assert "cipher 0, " in output("constant_time.sh", "valgrind")


@pytest.mark.skipif(
    BEYOND_VALGRIND.isdisjoint(isa.features()),
    reason="valgrind runs every variant that this processor has",
)
def test_the_variants_beyond_valgrind_that_say_so_are_constant_time() -> None:
    assert "cipher 0, " in output("constant_time.sh", "msan")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="it single-steps x86-64")
def test_the_variants_beyond_valgrind_take_the_same_steps_with_every_secret() -> None:
    assert "cipher 3, step by step" in output("constant_time.sh", "steps")
