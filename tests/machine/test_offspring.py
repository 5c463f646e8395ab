"""Children of a process, by what the kernel says of each."""

import os
import shutil
import subprocess
from pathlib import Path

import psutil

from stend.machine.offspring import children


def test_children_are_those_that_psutil_sees_whatever_they_are_called(tmp_path: Path) -> None:
    odd = tmp_path / "a) S 1 (b"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", odd)
    with subprocess.Popen([odd, "60"]) as child:
        found = children(os.getpid())
        assert child.pid in found
        assert set(found) >= {process.pid for process in psutil.Process().children()}
        child.kill()
    assert child.pid not in children(os.getpid())


def test_a_process_without_children_has_none() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        assert children(child.pid) == []
        child.kill()
