"""No branch and no address depends on key or data in the variants that say so."""

import pytest

from native.scripts import output

pytestmark = pytest.mark.full


@pytest.mark.parametrize("tool", ["valgrind", "msan"])
def test_what_is_said_to_be_constant_time_is(tool: str) -> None:
    assert "cipher 0, " in output("constant_time.sh", tool)
