"""The release's script: what is made twice must be the same, whatever an earlier release left."""

import os
import subprocess
from pathlib import Path

import pytest

from patience import PATIENCE

RELEASE = Path(__file__).parents[2] / "setup/release"
PYTHON = """#!/bin/sh
case $1 in
    setup/wheels.py) rm -rf dist; mkdir -p build dist; eval "$CONTENT" >dist/a.whl ;;
    setup/version.py) echo 1.0.0 ;;
esac
"""


@pytest.fixture
def release(tmp_path):
    """Makes releases of a clone whose wheels are what a command prints."""
    files = {"setup/release": RELEASE.read_text("utf-8"), ".venv/bin/python": PYTHON}
    for name, text in (files | {".gitignore": "/build\n/dist\n"}).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "All"]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True, timeout=PATIENCE)

    def run(content):
        return subprocess.run(
            ["bash", tmp_path / "setup/release"],
            env=os.environ | {"CONTENT": content},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    return run


def test_a_release_that_is_the_same_twice_is_made(release):
    done = release("echo same")
    assert (done.returncode, done.stderr) == (0, "")
    assert "dist/ holds stend 1.0.0; both builds are identical." in done.stdout


def test_a_second_build_that_differs_is_refused_and_the_next_release_forgets_it(release):
    for _ in range(2):
        done = release("date +%N")
        assert done.returncode == 1
        assert done.stderr.startswith("setup/release: the second build differs from the first")
        assert done.stderr.count("\n") == 1
        assert "a.whl" in done.stdout
    assert release("echo same").returncode == 0


def test_a_tree_that_differs_from_its_commit_is_refused(release, tmp_path):
    (tmp_path / "new").touch()
    done = release("echo same")
    assert done.returncode == 1
    assert "commit the changes first" in done.stderr
