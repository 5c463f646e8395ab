"""Setting up where something is missing: a sentence with the command, and no traceback."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

PREPARE = Path(__file__).parents[2] / "setup/prepare"


@pytest.fixture
def prepare(tmp_path):
    """Runs it where only a few programs exist, apt and sudo not among them."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "dirname", "cat"):
        (programs / name).symlink_to(shutil.which(name))
    (programs / "python3").symlink_to(sys.executable)

    def run(**also):
        environment = {"PATH": str(programs), "CXX": "no-compiler", **also}
        return subprocess.run(
            ["bash", PREPARE, "run"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    return run


def test_a_missing_compiler_is_one_sentence_with_the_command(prepare):
    done = prepare()
    assert done.returncode == 6
    (line,) = [line for line in done.stderr.splitlines() if "can't be built" in line]
    assert "a C++20 compiler" in line
    assert "`sudo apt-get install g++" in line


def test_what_stend_does_without_is_named_too(prepare):
    told = r"missing: .*storage \(`sudo apt-get install .*fio`\)"
    assert re.search(told, prepare().stderr)


def test_an_old_python_is_one_sentence(prepare, tmp_path):
    old = tmp_path / "old python"
    old.write_text("#!/bin/sh\n[ $1 = --version ] && echo Python 3.9.2\n", encoding="utf-8")
    old.chmod(0o755)
    done = prepare(PYTHON=str(old))
    assert done.returncode == 6
    assert "needs Python 3.11 or newer (found: Python 3.9.2)" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("asked", "kept"), [("3.12.1", False), ("3.11.7", True), ("", True)])
def test_an_environment_is_made_anew_for_another_python_that_is_named(asked, kept, tmp_path):
    there = tmp_path / ".venv/bin/python"
    for python, version in (there, "3.11.7"), (tmp_path / "asked", asked):
        python.parent.mkdir(parents=True, exist_ok=True)
        python.write_text(f"#!/bin/sh\n[ $1 = --version ] && echo Python {version} || :\n")
        python.chmod(0o755)
    (tmp_path / ".venv/ready").mkdir()
    (tmp_path / ".venv/location").write_text(str(tmp_path))
    script = f"""
        source "{PREPARE.parent}/environment.sh"
        say() {{ :; }}
        pip_install() {{ :; }}
        python="{tmp_path}/asked"
        make_environment
    """
    environment = {**os.environ, "PYTHON": asked and str(tmp_path / "asked")}
    subprocess.run(
        ["bash", "-ec", script], cwd=tmp_path, env=environment, check=True, timeout=PATIENCE
    )
    assert there.exists() == kept


def test_an_environment_that_stend_did_not_make_is_left_alone(tmp_path):
    theirs = tmp_path / ".venv/pyvenv.cfg"
    theirs.parent.mkdir()
    theirs.touch()
    script = f"""
        stop() {{ echo "$@"; exit 6; }}
        source "{PREPARE.parent}/environment.sh"
        make_environment
    """
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 6
    assert "that stend did not make. Move it away" in done.stdout
    assert theirs.exists()


def test_an_interruption_says_that_the_same_command_goes_on(tmp_path):
    shutil.copytree(PREPARE.parent, tmp_path / "setup")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "sh", "dirname", "cat", "mkdir", "rm", "find", "true"):
        (programs / name).symlink_to(shutil.which(name))
    python = programs / "python3"
    python.write_text(
        '#!/bin/sh\n[ "$2" != venv ] || { kill -INT $PPID; exit 1; }\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", tmp_path / "setup/prepare", "run"],
        env={"PATH": str(programs), "CXX": "true"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 130
    assert done.stderr.endswith("setup: interrupted; run the same command again to continue.\n")


BUILT_FROM = (
    "CMakeLists.txt",
    "native/a.cpp",
    "engines/shared_library.cmake",
    "engines/gost/CMakeLists.txt",
    "engines/gost/include/a.h",
    "engines/gost/native/a.cpp",
    "engines/gost/tests/native/a.cpp",
    "engines/gost/pyproject.toml",
)


def test_a_change_of_each_file_that_a_build_reads_is_noticed(tmp_path):
    for name in (*BUILT_FROM, "pyproject.toml", "setup/environment.sh", "src/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "engines/gost/python").mkdir()
    script = f"""
        source "{PREPARE.parent}/environment.sh"
        CXX=true CMAKE_CXX_COMPILER_LAUNCHER=
        checksum run
        for file in {" ".join(BUILT_FROM)}; do echo changed >"$file"; checksum run; done
    """
    done = subprocess.run(
        ["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stderr == ""
    sums = done.stdout.splitlines()
    assert len(set(sums)) == len(sums) == len(BUILT_FROM) + 1
