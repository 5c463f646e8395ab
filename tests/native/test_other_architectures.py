"""The native part does the same on other architectures."""

import pytest

from native.scripts import output

pytestmark = pytest.mark.full


@pytest.mark.parametrize("architecture", ["aarch64", "riscv64"])
def test_the_native_tests_pass_on_another_architecture(architecture: str) -> None:
    assert "100% tests passed" in output("cross.sh", architecture)
