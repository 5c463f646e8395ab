"""The gates' script: which stages run, and what it says when one fails."""

import fcntl
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from patience import PATIENCE, comes_true

ROOT = Path(__file__).parents[2]

PYTHON = """
    echo "$*" >>ran
    case "$*" in
        *keep*) mkdir -p build/tests; touch build/tests/prepare.json ;;
        *"$FAIL"*) exit 1 ;;
    esac
"""
SLOW = """
    trap "exit 2" INT
    echo "$*" >>ran
    while [[ $* == *"--stage first"* ]]; do sleep 0.05; done
"""


class Clone:
    """A folder in which the stages do nothing but say that they run, and fail if they are told."""

    def __init__(self, folder: Path) -> None:
        """Make it."""
        self.folder = folder
        for name in ("tests/gates.sh", "setup/compiler_cache.sh"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        for name in (
            "src/a.py",
            "native/a.cpp",
            "CMakeLists.txt",
            "tests/store/test_a.py",
            "engines/gost/tests/test_b.py",
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()
        (folder / "pyproject.toml").touch()
        self.program("setup/prepare", "")
        self.program(".venv/bin/ctest", "echo Total Tests: 1")
        self.program(".venv/bin/python", PYTHON)

    def program(self, name: str, script: str) -> None:
        """Put a shell script there."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{script}")
        path.chmod(0o755)

    def start(self, *words: str, fail: str = "nothing") -> subprocess.Popen[str]:
        """Start a gate."""
        return subprocess.Popen(
            ["bash", self.folder / "tests/gates.sh", *words],
            env={**os.environ, "FAIL": fail, "CI": ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def gate(self, *words: str, fail: str = "nothing") -> tuple[int, str]:
        """Run a gate; give its exit code and what it printed."""
        process = self.start(*words, fail=fail)
        printed, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, printed

    def ran(self, stage: str) -> bool:
        """Whether a stage ran."""
        return stage in (self.folder / "ran").read_text()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_a_gate_that_passes_says_nothing_of_failures(clone: Clone) -> None:
    assert clone.gate("first") == (0, "")
    assert all(map(clone.ran, ("run build", "run native", "--stage first", "report")))


def test_a_failed_stage_is_named_and_the_next_one_runs(clone: Clone) -> None:
    code, printed = clone.gate("first", fail="run native")
    assert (code, printed) == (1, "Failed: native. The output is above.\n")
    assert clone.ran("--stage first")


def test_native_tests_that_were_not_built_are_not_run(clone: Clone) -> None:
    code, printed = clone.gate("first", fail="run build")
    assert (code, printed) == (1, "Failed: build. The output is above.\n")
    assert not clone.ran("run native")
    assert clone.ran("--stage first")


def test_native_tests_are_left_out_only_for_a_room_without_any(clone: Clone) -> None:
    clone.program(".venv/bin/ctest", "echo Total Tests: 0")
    assert clone.gate("first", "store")[0] == 0
    assert not clone.ran("run native")
    assert clone.gate("first")[0] == 0
    assert clone.ran("run native")


def test_a_broken_limit_fails_the_gate(clone: Clone) -> None:
    assert clone.gate("first", fail="report") == (1, "Failed: limits. The output is above.\n")


def test_a_room_that_is_none_is_refused_with_those_that_are(clone: Clone) -> None:
    assert clone.gate("first", "stor") == (2, "There is no room stor; the rooms are gost store.\n")


def test_a_second_run_in_one_clone_is_refused(clone: Clone) -> None:
    held = os.open(clone.folder / "tests", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    told = f"Tests are already running in {clone.folder}. Wait until they end.\n"
    assert clone.gate("first") == (2, told)
    os.close(held)
    assert clone.gate("first")[0] == 0


def test_the_second_gate_forgets_what_passed_before_a_source_changed(clone: Clone) -> None:
    passed = clone.folder / "build/tests/first.json"
    clone.gate("first")
    passed.touch()
    clone.gate("rest")
    assert passed.exists()
    later = time.time() + 10
    os.utime(clone.folder / "src/a.py", (later, later))
    code, printed = clone.gate("rest")
    told = "src/a.py changed since `make test` began, so what it passed is run again.\n"
    assert (code, printed) == (0, told)
    assert not passed.exists()


def test_ctrl_c_ends_both_gates_though_pytest_ends_in_order(clone: Clone) -> None:
    """Started as `make test-all` starts them: by a shell that would go on to the second gate."""
    clone.program(".venv/bin/python", SLOW)
    shutil.copy(ROOT / "Makefile", clone.folder)
    process = subprocess.Popen(
        ["make", "-s", "test-all"],
        cwd=clone.folder,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    ran = clone.folder / "ran"
    assert comes_true(lambda: ran.exists() and clone.ran("--stage first"))
    os.killpg(os.getpgid(process.pid), signal.SIGINT)
    process.wait(PATIENCE)
    assert process.returncode
    assert not clone.ran("--stage services")
