"""Versions: compilers that hang, fail or are missing cost neither time nor an error."""

import os
import time
from pathlib import Path

import pytest

from patience import PATIENCE
from stend.machine import inspection


@pytest.fixture
def install(tmp_path, monkeypatch):
    def one(name, script):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return one


def test_the_first_line_is_the_version_and_its_language_is_english(install):
    install("stend-cc", 'test "$LC_ALL" = C && echo "cc 12.2" && echo more')
    assert inspection.ask(("stend-cc",)) == ({"stend-cc": "cc 12.2"}, {})


def test_a_compiler_that_is_not_installed_is_left_out():
    assert inspection.ask(("stend-no-such-compiler",)) == ({}, {})


def test_a_compiler_that_hangs_is_ended_with_what_it_started(install, tmp_path):
    install("stend-cc", f"sleep 1000 & echo $! > {tmp_path}/child; wait")
    began = time.monotonic()
    found, silent = inspection.ask(("stend-cc",), patience=0.3)
    assert time.monotonic() - began < PATIENCE  # the child sleeps for longer
    assert (found, silent) == ({}, {"stend-cc": "`stend-cc --version` did not answer in time"})
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + PATIENCE
    while running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running(child)


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_compiler_that_fails_has_no_version(install):
    install("stend-cc", "echo nonsense; exit 3")
    _, silent = inspection.ask(("stend-cc",))
    assert silent == {"stend-cc": "`stend-cc --version` left with status 3 and no version"}


def test_a_compiler_that_can_not_be_started_has_no_version(install, tmp_path):
    install("stend-cc", "")
    (tmp_path / "stend-cc").write_text("#!/no/such/shell\n")
    found, silent = inspection.ask(("stend-cc",))
    assert found == {}
    assert "can't be started" in silent["stend-cc"]


def test_versions_are_asked_once_a_process():
    assert inspection.versions() is inspection.versions()
    assert {"python", "numpy", "libc"} <= inspection.versions()[0].keys()
