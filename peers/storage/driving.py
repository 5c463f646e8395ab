"""What stend costs while it drives fio: IOPS beside bare fio in turn, and its own CPU time.

    python peers/storage/driving.py [--pairs 12] [--seconds 4] [--long 60] [FOLDER]

Each turn runs the same job file by bare fio twice (the second is the A/A control) and once as
`stend storage run` does: under the watchdog, with a status a second that is read, and with this
machine sampled at 1 Hz. The order changes from turn to turn. Where the control's interval is wider
than 1%, a difference of 1% is not resolved. The file lies in FOLDER, the current one by default.
"""

import argparse
import json
import math
import os
import platform
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import psutil

from stend.statistics import paired
from stend.storage.fio.installation import find
from stend.storage.fio.jobfile import JobTarget, fill_job, job_file
from stend.storage.fio.profile import read_profile
from stend.storage.fio.workload import Workload
from stend.storage.fio_run import Asked, drive
from stend.storage.host_sampler import Sampler

RESOLVED = 0.01
"""Half-width of the control's interval up to which a difference of 1% can be told."""
SIZE = 1 << 30


def bare(job: str, name: str) -> float:
    """IOPS by fio alone, told once at its end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "job.fio")
        file.write_text(job)
        words = [find().path, "--output-format=json", "--eta=never", str(file)]
        done = subprocess.run(words, capture_output=True, check=True, cwd=folder)
    report = json.loads(done.stdout[done.stdout.index(b"{") :])["jobs"][0]
    ways = [report[way] for way in ("read", "write") if report[way]["runtime"]]
    return sum(way["total_ios"] for way in ways) / max(way["runtime"] for way in ways) * 1000


def driven(job: str, name: str) -> float:
    """IOPS as stend has it."""
    with tempfile.TemporaryDirectory() as folder, Sampler():
        asked = Asked("measure", None, (name,), read_only=False, fio=find().path)
        run = drive(job, Path(folder), asked, lambda moment: None).run
    assert run.state == "ok", run.reasons
    return sum(f.operations for f in run.flows) / max(f.seconds for f in run.flows)


def turns(job: str, name: str, pairs: int) -> dict[str, list[float]]:
    """IOPS of each side in each turn."""
    sides: dict[str, Callable[[str, str], float]] = {"fio": bare, "control": bare, "stend": driven}
    found: dict[str, list[float]] = {side: [] for side in sides}
    for turn in range(pairs):
        order = list(sides)[turn % 3 :] + list(sides)[: turn % 3]
        for side in order if turn % 2 == 0 else reversed(order):
            found[side].append(sides[side](job, name))
    return found


def compared(found: dict[str, list[float]]) -> None:
    """Print the ratio of each side to bare fio, and whether 1% could be told."""
    words = {}
    for side in ("control", "stend"):
        logs = [math.log(b / a) for a, b in zip(found["fio"], found[side], strict=True)]
        ratio = paired(logs, 0.95)
        assert ratio.low is not None, ratio.reason
        words[side] = f"{ratio.value:.4f} ({ratio.low:.4f} … {ratio.high:.4f})"
        if side == "control":
            resolved = (ratio.high - ratio.low) / 2 <= RESOLVED
    print(f"| {words['control']} | {words['stend']} | {'yes' if resolved else 'no'} |", flush=True)


def own_cost(job: str, name: str, seconds: float) -> None:
    """Print the CPU time of stend and of its watchdog while one long run lasts."""
    watchdog = 0.0

    def look(moment: object) -> None:
        nonlocal watchdog
        for child in psutil.Process().children():
            times = child.cpu_times()
            watchdog = times.user + times.system

    with tempfile.TemporaryDirectory() as folder, Sampler():
        before = resource.getrusage(resource.RUSAGE_SELF)
        began = time.monotonic()
        asked = Asked("measure", seconds, (name,), read_only=False, fio=find().path)
        drive(job, Path(folder), asked, look)
        lasted = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_SELF)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"| {lasted:.0f} s | {own / lasted:.2%} | {watchdog / lasted:.2%} |", flush=True)


def workloads() -> Sequence[Workload]:
    """One that the disk bounds, one that the processor does."""
    random = next(each for each in read_profile("quick").workloads if each.name == "randread-4k")
    return random, replace(random, name="null", engine="null", direct=False)


def main() -> None:
    """Print both tables for each workload."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--long", type=float, default=60.0)
    parser.add_argument("folder", nargs="?", default=".")
    asked = parser.parse_args()
    print(
        f"{date.today()}, {platform.machine()}, Linux {platform.release()}, {os.cpu_count()} CPUs, "
        f"{find().version}, {asked.pairs} turns of {asked.seconds:g} s\n"
    )
    with tempfile.NamedTemporaryFile(dir=asked.folder) as file:
        os.posix_fallocate(file.fileno(), 0, SIZE)
        target = JobTarget(str(Path(file.name).absolute()), SIZE)
        with tempfile.TemporaryDirectory() as folder:
            fill = Asked("precondition", None, ("fill",), read_only=False, fio=find().path)
            drive(fill_job([target]), Path(folder), fill, lambda moment: None)
        print(
            "| workload | fio again ÷ fio | stend ÷ fio | 1% resolved |\n| --- | --- | --- | --- |"
        )
        for each in workloads():
            job = job_file(each, [target], seconds=asked.seconds, phase="measure", seed=7)
            print(f"| {each.name} ", end="")
            compared(turns(job, each.name, asked.pairs))
        print("\n| one run of | stend's CPU, of one core | its watchdog's |\n| --- | --- | --- |")
        for each in workloads():
            job = job_file(each, [target], seconds=asked.long, phase="measure", seed=7)
            own_cost(job, each.name, asked.long)


if __name__ == "__main__":
    main()
