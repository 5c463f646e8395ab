"""The names of instruction-set extensions and the variable that switches them off."""

import os
import subprocess
import sys

import pytest

from stend.native import isa


def listed(function: str, disable: str) -> subprocess.CompletedProcess[str]:
    """Run a fresh interpreter, for the variable is read once."""
    program = f"from stend.native import isa; print(*isa.{function}())"
    return subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"STEND_DISABLE_ISA": disable},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_usable_is_known():
    assert set(isa.features()) <= set(isa.known())


def test_the_known_names_are_of_every_architecture():
    assert {"avx512", "amx-tile", "sse4.1", "sve2", "rvv"} <= set(isa.known())


def test_an_extension_can_be_switched_off_with_what_builds_on_it():
    left = listed("features", "avx, sve").stdout.split()
    assert "avx" not in left
    assert not [name for name in left if name.startswith(("avx", "fma", "sve"))]
    kept = [name for name in isa.features() if not name.startswith(("avx", "fma", "sve", "v"))]
    assert left == kept


def test_what_is_switched_off_is_told():
    assert listed("disabled", "gfni,avx512").stdout.split() == ["avx512", "gfni"]


@pytest.mark.parametrize("function", ["features", "disabled"])
def test_an_unknown_name_is_an_error_that_names_the_known_ones(function):
    refused = listed(function, "avx512,avx1024")
    assert refused.returncode != 0
    said = refused.stderr.splitlines()[-1]
    assert said.startswith('ValueError: STEND_DISABLE_ISA names "avx1024"')
    assert all(name in said for name in isa.known())
