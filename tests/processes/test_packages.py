"""One command for all that is missing."""

import pytest

from stend.processes import packages

REASONS = (
    "No mpicxx is in PATH; install it with `sudo apt-get install openmpi-bin libopenmpi-dev`.",
    "blis is not installed: `sudo apt-get install libblis4-pthread liblapack3`.",
    "The reference is not installed; install it with `apt-get install libblas3 liblapack3`.",
    "The library mkl is not installed; install it with `pip install mkl`.",
    "MKL is not on this machine; install it with `pip install mkl`.",
    "It did not fit into 3 min; measure it with `stend run memory`.",
    "this machine lacks amx-tile.",
)


def test_commands_of_several_reasons_become_one_line_each_package_once():
    assert packages.together(REASONS) == (
        "sudo apt-get install openmpi-bin libopenmpi-dev libblis4-pthread liblapack3 libblas3 "
        "&& pip install mkl"
    )
    assert packages.together(REASONS[5:]) == ""


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("apt-get", "sudo apt-get install libfftw3-double3"),
        ("dnf", "sudo dnf install fftw-libs-double"),
        ("zypper", "sudo zypper install libfftw3-3"),
        ("apk", "sudo apk add fftw-double-libs"),
        (None, "sudo apt-get install libfftw3-double3"),
    ],
)
def test_the_command_is_that_of_the_systems_package_manager(monkeypatch, program, told):
    monkeypatch.setattr(packages, "which", lambda name: name if name == program else None)
    packages._manager.cache_clear()
    try:
        assert packages.install("fftw") == told
        assert packages.command_in(f"install it with `{told}`.") is not None
    finally:
        packages._manager.cache_clear()


def test_what_another_system_has_no_name_for_is_told_by_debians():
    assert packages.install("blis", "apk") == packages.install("blis", "apt-get")
