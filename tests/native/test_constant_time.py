"""No branch and no address depends on key or data in the variants that say so."""

import platform

import pytest

from native.scripts import output

pytestmark = pytest.mark.full


@pytest.mark.parametrize("tool", ["valgrind", "msan"])
def test_what_is_said_to_be_constant_time_is(tool: str) -> None:
    assert "cipher 0, " in output("constant_time.sh", tool)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="it single-steps x86-64")
def test_the_variants_beyond_valgrind_take_the_same_steps_with_every_secret() -> None:
    assert "cipher 3, step by step" in output("constant_time.sh", "steps")
