"""Jobs short enough for tests, runs of them, and the processes that fio is made of."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from needed import needs
from patience import PATIENCE
from stend.storage.fio_run import Asked, Moment, PhaseRun, drive

LONG = PATIENCE
"""Seconds for which a slow machine is waited for."""


def job(seconds: float = 30, size: str = "1m", **options: str) -> str:
    """Two workers that read and write a small file of the run's folder."""
    said = {
        "ioengine": "psync",
        "filename": "data",
        "size": size,
        "rw": "randrw",
        "numjobs": "2",
        "thinktime": "500",  # µs: beside other tests it may not take the machine
        "group_reporting": "1",
        "time_based": "1",
        "runtime": f"{seconds:g}",
        **options,
    }
    return "[load]\n" + "".join(f"{name}={value}\n" for name, value in said.items())


def asked(seconds: float | None = 30, read_only: bool = False, fio: str | None = None) -> Asked:
    path = fio or needs("fio", "fio")
    return Asked("measure", seconds, ("load",), read_only=read_only, fio=path)


def driven_until(folder: Path, happens: Callable[[], None], text: str | None = None) -> PhaseRun:
    """Drive a run in which something happens once, as soon as fio has told its first figures."""
    happened: list[Moment] = []

    def told(moment: Moment) -> None:
        if moment.ways and not happened:
            happened.append(moment)
            happens()

    driven = drive(text or job(), folder, asked(), told)
    assert happened
    return driven


def watchdog(of: int | None = None) -> psutil.Process:
    """The watchdog of the process that drives fio."""
    found = [c for c in psutil.Process(of).children() if "watchdog.py" in " ".join(c.cmdline())]
    assert len(found) == 1
    return found[0]


def fio(of: int | None = None) -> psutil.Process:
    """The parent of fio's workers."""
    (found,) = watchdog(of).children()
    return found


def family(of: int | None = None) -> list[psutil.Process]:
    """The watchdog, fio and its workers."""
    parent = watchdog(of)
    return [parent, *parent.children(recursive=True)]


def ends(processes: list[psutil.Process]) -> bool:
    """Whether all of them end; who is dead and not waited for by its new parent is no more."""
    deadline = time.monotonic() + LONG
    while time.monotonic() < deadline:
        if not any(lives(process) for process in processes):
            return True
        time.sleep(0.02)
    return False


def lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def driver(folder: Path, text: str, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """A process that drives fio for half a minute at most."""
    script = Path(__file__).parent / "driver.py"
    process = subprocess.Popen(
        [*before, sys.executable, str(script), str(folder), needs("fio", "fio")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    process.stdin.write(text)
    process.stdin.close()
    return process


def first_figures(process: subprocess.Popen[str]) -> None:
    """Wait for what fio tells first."""
    assert process.stdout
    while process.stdout.readline() != "moment\n":
        assert process.poll() is None


def last_word(process: subprocess.Popen[str]) -> Any:
    """What the driver says became of the run."""
    assert process.stdout
    with process.stdout as output:
        said = output.read().splitlines()[-1]
    assert process.wait(LONG) == 0
    return json.loads(said)


def wait_for(killed: subprocess.Popen[str]) -> None:
    """Clear a killed driver away."""
    assert killed.stdout
    killed.stdout.close()
    killed.wait(LONG)
