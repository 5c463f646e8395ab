"""What a server spends on one who watches a run under way.

    python watching.py STORE [SECONDS]

The last run of STORE is stored anew in its own time, sample by sample, as `stend run` does it. A
client asks for what is new each two seconds, as the page does, for so many seconds (60); then the
processor time of the server is told, and that of the same time with nobody watching.
"""

import platform
import shutil
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec

from stend.record import Run
from stend.store import Store
from web.killing import Serving
from web.served import ask

EVERY = 2.0
"""Seconds, as in static/live.js."""


def main(stored: str, seconds: float = 60) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "stend.db"))
        shutil.copy(stored, path)
        with Store.open(path) as store:
            run = store.load("last")
        watched = msgspec.structs.replace(run, id=uuid.uuid4().hex, finished=None)
        ended = threading.Event()
        measuring = threading.Thread(target=measure, args=(path, watched, pace(run), ended))
        serving = Serving(path)
        time.sleep(2)  # it loads what pages need
        measuring.start()
        while ask(serving.url, f"/api/v1/live/{watched.id}").status != 200:
            time.sleep(0.1)
        watching = spent(serving, lambda: watch(serving, watched.id, seconds))
        alone = spent(serving, lambda: time.sleep(seconds))
        ended.set()
        measuring.join()
        serving.kill()
    print(
        f"{platform.machine()}, Python {platform.python_version()}: {1 / pace(run):.1f} samples a "
        f"second; {watching / seconds:.2%} of a core with one who watches, "
        f"{alone / seconds:.2%} with none"
    )


def pace(run: Run) -> float:
    """Seconds from one sample to the next."""
    began, finished = (datetime.fromisoformat(one) for one in (run.started, run.finished or ""))
    return (finished - began).total_seconds() / sum(len(case.samples) for case in run.cases)


def measure(path: str, run: Run, every: float, ended: threading.Event) -> None:
    """In rounds over all cases; anew when all is measured."""
    with Store.open(path) as store:
        store.begin(msgspec.structs.replace(run, cases=()))
        numbers: dict[int, int] = {}
        for process in range(max(len(case.samples) for case in run.cases)):
            for place, case in enumerate(run.cases):
                if process >= len(case.samples) or ended.wait(every):
                    continue
                so_far = msgspec.structs.replace(case, samples=case.samples[: process + 1])
                if process:
                    store.extend(numbers[place], so_far)
                else:
                    numbers[place] = store.append(run.id, so_far)
                store.progress.tell(run.id, 0.5, case.name)


def watch(serving: Serving, run: str, seconds: float) -> None:
    after, end = "0-0", time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ask(serving.url, f"/api/v1/live/{run}?after={after}")
        after = answer.json["after"]
        time.sleep(EVERY)


def spent(serving: Serving, do: Callable[[], None]) -> float:
    """Seconds of processor time that the server took meanwhile."""
    before = serving.processor_time
    do()
    return serving.processor_time - before


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
