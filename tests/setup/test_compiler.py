"""A compiler that is too old is one sentence, and not a page of its errors."""

import shutil
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[2] / "engines/compiler.cmake"

pytestmark = pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")


def checked(name: str, version: str) -> tuple[int, str]:
    said = {"": "/usr/bin/c++", "_ID": name, "_VERSION": version}
    words = [f"-DCMAKE_CXX_COMPILER{key}={value}" for key, value in said.items()]
    done = subprocess.run(["cmake", *words, "-P", CHECK], capture_output=True, text=True)
    return done.returncode, " ".join(done.stderr.split())


@pytest.mark.parametrize(("name", "version"), [("GNU", "10.5.0"), ("Clang", "15.0.7")])
def test_an_old_compiler_is_refused_with_what_is_needed(name: str, version: str) -> None:
    code, said = checked(name, version)
    assert code != 0
    assert "stend needs GCC 11, clang 16 or newer; " in said
    assert f"/usr/bin/c++ is {name} {version}. Install a newer compiler, and name it " in said
    assert "with CXX=g++-11." in said


@pytest.mark.parametrize(
    ("name", "version"), [("GNU", "11.0.0"), ("GNU", "14.2.0"), ("Clang", "16.0.6"), ("Other", "1")]
)
def test_others_are_left_to_their_own_errors(name: str, version: str) -> None:
    assert checked(name, version) == (0, "")
