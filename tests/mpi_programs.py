"""stend's MPI program, compiled once for all of pytest's processes."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from stend.processes import mpi


def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give this process a cache folder of its own, so that its ranks are known by their path."""
    base = tmp_path_factory.getbasetemp()
    own, everyones = base / "mpi", (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)
    everyones /= "mpi-of-everyone"
    everyones.mkdir(exist_ok=True)
    if not own.exists():
        monkeypatch.setenv("XDG_CACHE_HOME", str(everyones))
        monkeypatch.setattr(mpi, "PATIENCE", 600.0)  # no worker waits for it
        with (everyones / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for library in mpi.libraries():
                if library.available:
                    mpi.program(library)
        shutil.copytree(everyones, own)
    monkeypatch.setenv("XDG_CACHE_HOME", str(own))
    return own
