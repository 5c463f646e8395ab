"""The shell scripts of this folder, each of which builds something and tries it."""

import os
import subprocess
import sys
from pathlib import Path

from needed import missing

HERE = Path(__file__).parent
MISSING = 77
"""The exit code of a script that lacks a program, whose last words say which."""


def finished(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run it with .venv's CMake; skip the test where a program is missing."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(HERE / name), *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
        check=False,
    )
    if done.returncode == MISSING:
        missing(done.stdout.strip().removeprefix("skipped: "))
    return done


def output(name: str, *words: str) -> str:
    """Run it to its good end, and give what it printed."""
    done = finished(name, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
