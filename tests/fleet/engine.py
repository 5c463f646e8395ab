"""Slurm with three nodes on this machine, for the tests that need the real one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import PATIENCE

HERE = Path(__file__).parent
STEND = [sys.executable, "-m", "stend"]
NAMESPACES = ("-n", "-u", "-m", "-p", "-f", "--kill-child", "--mount-proc")

FIGURES = '''
"""A figure that n3 is half as slow again in, told and not timed: load here can't move it."""
import os, socket, sys
from stend.benchmarks.definition import benchmark
from stend.running.job import Job
from stend.record import Metric

@benchmark(
    "fake.told",
    question="How long does a node say that it takes?",
    metric=Metric(name="time", unit="s", better="lower"),
)
def told(case):
    return Job(variant=None, command=(sys.executable, __file__), environment=os.environ)

def main():
    length = 1_500_000 if socket.gethostname() == "n3" else 1_000_000
    length += os.getpid() % 7 * 100
    at = 0
    print("stend", "ready", "1", "here", "0", sep="\\t", flush=True)
    for line in sys.stdin:
        word, *numbers = line.split()
        if word == "collect":
            batch, count = int(numbers[0]), min(int(numbers[1]), 1000)
            ticks = [batch * (length + i * 7919 % 2001) for i in range(count)]
            started = [at := at + duration for duration in ticks]
            columns = {"started": started, "ticks": ticks}
            columns |= {"core": [-1] * count, "preempted": [0] * count}
            for name, column in columns.items():
                print("stend", "column", name, " ".join(map(str, column)), sep="\\t")
            print("stend", "collected", "right", sep="\\t", flush=True)
        elif word == "prove":
            print("stend", "proof", "right", "", sep="\\t", flush=True)
        else:
            return

if __name__ == "__main__":
    main()
'''


class Engine:
    """A running cluster, and a way in."""

    def __init__(self, folder: Path, inside: int) -> None:
        self.folder = folder
        self.enter = ["nsenter", f"--target={inside}", "-n", "-u", "-m", "-p", f"--wd={folder}"]
        packages = folder / "packages"
        packages.mkdir()
        (packages / "fake_figures.py").write_text(FIGURES)
        info = packages / "fake_figures-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-figures\nVersion: 1\n")
        (info / "entry_points.txt").write_text("[stend.benchmarks]\nfake = fake_figures\n")
        enter = shutil.copy(HERE / "enter", folder)  # whose path has no space in it
        self.env = os.environ | {
            "CLUSTER": str(folder),
            "SLURM_CONF": str(folder / "etc/slurm.conf"),
            "STEND_STORE": str(folder / "runs.db"),
            "STEND_REMOTE_SHELL": str(enter),
            "PYTHONPATH": str(packages),
            "COLUMNS": "100",
        }

    def popen(self, *words: str, **more) -> subprocess.Popen[str]:
        return subprocess.Popen([*self.enter, *words], env=self.env, text=True, **more)

    def run(self, *words: str, **more) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.enter, *words], env=self.env, capture_output=True, text=True, timeout=PATIENCE,
            check=False, **more,
        )  # fmt: skip

    def stend(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run(*STEND, *words)


@contextmanager
def engine(folder: Path) -> Iterator[Engine]:
    """Start the cluster in a folder; with the block it is gone."""
    cpus = [str(cpu) for cpu in sorted(os.sched_getaffinity(0))]
    of_nodes = [cpus[0], cpus[-1], ",".join(cpus)]
    script = [str(HERE / "slurm.sh"), str(folder), *of_nodes]
    started = subprocess.Popen(
        ["unshare", *NAMESPACES, "--propagation", "private", *script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text()
        yield Engine(folder, int(children.split()[0]))
    finally:
        started.kill()
        started.communicate()
