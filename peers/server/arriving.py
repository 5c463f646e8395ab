"""Machines that all send a run at once to one server over PostgreSQL, whose disk is waited for.

    python arriving.py STORE [MACHINES] [--kill SECONDS]

Each is a `stend push` of its own, with a token and a store of its own, in which one of STORE's runs
is under another id and host. With --kill the server and the database are killed in turn until all
has arrived, each after a time from a second to so many, at random but the same ones every time: so
kills fall into everything that is done meanwhile.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import date
from pathlib import Path
from typing import NamedTuple

import msgspec

from postgresql import Postgresql
from stend.record import Run
from stend.store import Right, Store
from web.killing import Serving


class Sent(NamedTuple):
    """What became of one machine's `stend push`."""

    acknowledged: list[str]
    """Ids of runs that it told to be on the server."""
    seconds: float
    pauses: int


def copies(store: str, folder: Path, count: int) -> list[Run]:
    """A store for each machine, with the run that is given."""
    with Store.open(store, create=False) as runs:
        found = [runs.load(run.id) for run in runs.find(limit=15)]
    made = [of_host(found[i % len(found)], f"node{i:03}") for i in range(count)]
    for run in made:
        with Store.open(str(folder / run.id)) as own:
            own.begin(run)
    return made


def of_host(run: Run, host: str) -> Run:
    machine = msgspec.structs.replace(run.machine, host=host)
    return msgspec.structs.replace(run, id=uuid.uuid4().hex, machine=machine)


def send(url: str, token: str, store: Path) -> Sent:
    command = [sys.executable, "-m", "stend", "push", "--json", "--to", url, "--store", str(store)]
    start = time.perf_counter()
    done = subprocess.run(
        command, env={**os.environ, "STEND_TOKEN": token}, capture_output=True, check=False
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        print(done.stderr.decode().splitlines()[-1], file=sys.stderr, flush=True)
        return Sent([], seconds, 0)
    outcomes = json.loads(done.stdout)
    there = [one["run"] for one in outcomes if one["what"] != "refused"]
    return Sent(there, seconds, done.stderr.count(b"trying again"))


def kill_in_turn(
    sending: list[Future[Sent]], serving: Serving, database: Postgresql, longest: float
) -> tuple[int, int]:
    """Until everything has arrived; how often, and the most memory that a server had.

    Without `longest` none is killed.
    """
    chance, kills, peak = random.Random(1), 0, 0
    while wait(sending, chance.uniform(1, longest) if longest else None).not_done:
        peak = max(peak, serving.peak)
        victim = (serving, database)[kills % 2]
        victim.kill()
        victim.start()
        kills += 1
    return kills, max(peak, serving.peak)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("machines", type=int, nargs="?", default=100)
    parser.add_argument("--kill", type=float, default=0)
    wanted = parser.parse_args()
    database = Postgresql(fsync=True)
    with tempfile.TemporaryDirectory() as folder:
        runs = copies(wanted.store, Path(folder), wanted.machines)
        with Store.open(database.url) as store:
            tokens = [
                store.access.add(run.machine.host or "", Right.WRITE, None, "")[1] for run in runs
            ]
        serving = Serving(database.url)
        start = time.perf_counter()
        with ThreadPoolExecutor(wanted.machines) as pool:
            sending = [
                pool.submit(send, serving.url, token, Path(folder, run.id))
                for run, token in zip(runs, tokens, strict=True)
            ]
            kills, peak = kill_in_turn(sending, serving, database, wanted.kill)
        took = time.perf_counter() - start
        serving.kill()
    sent = [one.result() for one in sending]
    with Store.open(database.url) as store:
        there = [run.id for run in store.find()]
        equal = sum(store.load(run.id) == run for run in runs if run.id in there)
    database.remove()
    report(sent, kills, there, equal, took, peak)


def report(
    sent: list[Sent], kills: int, there: list[str], equal: int, took: float, peak: int
) -> None:
    acknowledged = [run for one in sent for run in one.acknowledged]
    lost = len(set(acknowledged) - set(there))
    seconds = [one.seconds for one in sent]
    print(
        f"> {date.today()}, {platform.machine()}, {len(os.sched_getaffinity(0))} CPUs, "
        f"Python {platform.python_version()}, PostgreSQL with fsync, clients on the same CPUs\n"
    )
    print(
        "| machines | kills | acknowledged | lost | twice | equal | all, s | one: median, s "
        "| 95%, s | pauses | server's peak, MB |\n| ---" + " | ---" * 10 + " |"
    )
    print(f"| {len(sent)} | {kills} | {len(acknowledged)} | {lost} | {len(there) - len(set(there))}"
          f" | {equal} | {took:.0f} | {statistics.median(seconds):.0f} | "
          f"{statistics.quantiles(seconds, n=20)[-1]:.0f} | {sum(one.pauses for one in sent)} | "
          f"{peak / 1e6:.0f} |")  # fmt: skip


if __name__ == "__main__":
    main()
