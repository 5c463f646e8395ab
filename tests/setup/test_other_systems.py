"""Where stend isn't for, its command and its build say so in a sentence."""

import subprocess
import sys

import pytest

from documents import ROOT
from needed import needs
from stend import __main__ as command


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_the_command_is_for_linux_and_says_what_is_for_other_systems(system, monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 5
    assert capsys.readouterr().err == (
        f"stend runs only on Linux, and this is {system}. The C and C++ libraries of its engines "
        "(stend-gost, stend-tomo and stend-unet) also compile for Windows and macOS.\n"
    )


def configured(folder, *definitions):
    """What CMake says when it is to build for Windows, with any compiler that there is."""
    words = ["-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_CXX_COMPILER_WORKS=ON", *definitions]
    done = subprocess.run(
        [needs("cmake", "cmake"), "-S", ROOT, "-B", folder, *words], capture_output=True, text=True
    )
    assert done.returncode != 0
    return " ".join(done.stderr.split())


def test_the_laboratory_is_built_for_linux_alone(tmp_path):
    assert (
        "stend runs only on Linux, and this build is for Windows. Its engines also compile for "
        "Windows and macOS, one at a time: -DSTEND_ONLY=gost, tomo or unet."
    ) in configured(tmp_path)


def test_a_shared_library_is_built_for_linux_alone(tmp_path):
    assert (
        "BUILD_SHARED_LIBS is ON, but shared libraries are only built for Linux. For Windows, "
        "build a static one: -DBUILD_SHARED_LIBS=OFF."
    ) in configured(tmp_path, "-DSTEND_ONLY=gost", "-DBUILD_SHARED_LIBS=ON")
