"""How fast fio's logs are read, and in how much memory: megabytes and rounds in, a table out.

    python peers/storage/log_reading.py [MB] [ROUNDS]

Every reading is a process of its own, and the readers take turns. `columns_of` is stend's reader,
`run_of` the whole import: a course by seconds with its histograms. pandas is measured where it is
installed. fio's own fiologparser.py is not here: it stops at a line of more than four columns.
"""

import platform
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from importlib.util import find_spec
from pathlib import Path


def make(path: Path, size: int) -> None:
    """Write a log of single operations as fio does, with offsets: six columns."""
    chosen = random.Random(7)
    ms = 0.0
    with path.open("w") as file:
        while file.tell() < size:
            for _ in range(10_000):
                ms += chosen.expovariate(40)
                ns, block = int(chosen.expovariate(1 / 90_000)) + 5_000, chosen.randrange(1 << 24)
                file.write(f"{int(ms)}, {ns}, {chosen.randrange(2)}, 4096, {block * 4096}, 0\n")


def columns_of(path: Path) -> int:
    from stend.storage.fio.logs import columns_of as read

    return int(read(path, range(4, 7)).shape[1])


def run_of(path: Path) -> int:
    from stend.storage.fio.results_import import run_of as read

    load = read([path]).cases[0].samples[0].load
    return sum(flow.operations for flow in load.runs[0].flows) if load else 0


def pandas(path: Path) -> int:
    from pandas import read_csv

    return len(read_csv(path, header=None, usecols=range(4), skipinitialspace=True))


def numpy(path: Path) -> int:
    from numpy import int64, loadtxt

    return len(loadtxt(path, delimiter=",", usecols=range(4), dtype=int64))


READERS: dict[str, Callable[[Path], int]] = {
    f.__name__: f for f in (columns_of, run_of, pandas, numpy)
}


def one(name: str, path: Path) -> None:
    """Read once: print seconds, the peak of memory in MB, and how many entries were read."""
    began = time.perf_counter()
    entries = READERS[name](path)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, peak / 1024, entries)


def table(size: int, rounds: int) -> None:
    """Take turns, and print what each reader took."""
    names = [name for name in READERS if name != "pandas" or find_spec("pandas")]
    found: dict[str, list[list[float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x_lat.1.log"
        make(path, size * 1_000_000)
        for _ in range(rounds):
            for name in names:
                words = [sys.executable, *_flags(), __file__, "one", name, path]
                told = subprocess.run(words, check=True, capture_output=True, text=True).stdout
                seconds, peak, entries = map(float, told.split())
                found[name].append([path.stat().st_size / 1e6 / seconds, peak, entries])
    print(f"{date.today()}, {_processor()}, Python {platform.python_version()}; {size} MB")
    print("\n| reader | MB/s: median (least to most) | peak memory, MB | entries |")
    print("| --- | ---: | ---: | ---: |")
    for name, rows in found.items():
        speeds, peaks, entries = zip(*rows, strict=True)
        speed = f"{statistics.median(speeds):.0f} ({min(speeds):.0f} to {max(speeds):.0f})"
        print(f"| {name} | {speed} | {max(peaks):.0f} | {entries[0]:,.0f} |")
    for name in READERS.keys() - found.keys():
        print(f"\n{name} is not installed here.")


def _flags() -> list[str]:
    return ["-S"] if sys.flags.no_site else []


def _processor() -> str:
    told = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return told[1] if told else platform.machine()


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(sys.argv[2], Path(sys.argv[3]))
    else:
        table(*(int(word) for word in (sys.argv[1:3] + ["100", "5"][len(sys.argv) - 1 :])))
