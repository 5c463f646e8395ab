"""Machines that all send a run at once to one server over PostgreSQL, whose disk is waited for.

    python arriving.py STORE [MACHINES] [--kill SECONDS]

STORE has the runs of which copies are sent, each under an id and a host of its own. With --kill
the server and the database are killed in turn, each so many seconds after it answers again.
"""

import argparse
import os
import platform
import statistics
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import msgspec

from postgresql import Postgresql
from stend.pushing import Patience, Sender, server_of
from stend.pushing.connection import Answer, Connection
from stend.record import Run
from stend.store import Right, Store
from web.killing import Serving


class Timed(Connection):
    """Notes how long each answer took."""

    took: list[float] = []

    def ask(self, *words: str) -> Answer:
        start = time.perf_counter()
        try:
            return super().ask(*words)
        finally:
            self.took.append(time.perf_counter() - start)


def copies(store: str, count: int) -> list[Run]:
    """Runs of so many machines."""
    with Store.open(store, create=False) as runs:
        found = [runs.load(run.id) for run in runs.find(limit=15)]
    return [of_host(found[i % len(found)], f"node{i:03}") for i in range(count)]


def of_host(run: Run, host: str) -> Run:
    machine = msgspec.structs.replace(run.machine, host=host)
    return msgspec.structs.replace(run, id=uuid.uuid4().hex, machine=machine)


def send(serving: Serving, token: str, run: Run, waits: list[str]) -> str:
    sender = Sender(server_of(serving.url, token), Patience(), waits=waits.append)
    sender._connection = Timed(sender.server)
    with sender:
        return sender.send(run).run


def kill_in_turn(things: list[Serving | Postgresql], seconds: float, ended: threading.Event) -> int:
    """Until everything has arrived; how often something was killed."""
    kills = 0
    while not ended.wait(seconds):
        victim = things[kills % len(things)]
        victim.kill()
        victim.start()
        kills += 1
    return kills


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("machines", type=int, nargs="?", default=100)
    parser.add_argument("--kill", type=float, default=0)
    wanted = parser.parse_args()
    runs = copies(wanted.store, wanted.machines)
    database = Postgresql(fsync=True)
    with Store.open(database.url) as store:
        tokens = [store.access.add(r.machine.host or "", Right.WRITE, None, "")[1] for r in runs]
    serving = Serving(database.url)
    ended, waits, kills = threading.Event(), list[str](), 0
    start = time.perf_counter()
    with ThreadPoolExecutor(wanted.machines + 1) as pool:
        killing = wanted.kill and pool.submit(kill_in_turn, [serving, database], wanted.kill, ended)
        sent = [pool.submit(send, serving, t, r, waits) for t, r in zip(tokens, runs, strict=True)]
        acknowledged = [one.result() for one in sent]
        took = time.perf_counter() - start
        ended.set()
        kills = killing.result() if killing else 0
    peak = serving.peak
    serving.kill()
    with Store.open(database.url) as store:
        there = [run.id for run in store.find()]
        equal = sum(store.load(run.id) == run for run in runs)
    database.remove()
    lost = len(set(acknowledged) - set(there))
    p95 = statistics.quantiles(Timed.took, n=20)[-1]
    print(
        f"> {date.today()}, {platform.machine()}, {len(os.sched_getaffinity(0))} CPUs, "
        f"Python {platform.python_version()}, PostgreSQL with fsync, clients on the same CPUs\n"
    )
    print(
        "| machines | kills | acknowledged | lost | twice | equal | all, s | requests | median, s "
        "| p95, s | pauses | server's peak, MB |\n| ---" + " | ---" * 11 + " |"
    )
    print(f"| {len(runs)} | {kills} | {len(acknowledged)} | {lost} | {len(there) - len(set(there))}"
          f" | {equal} | {took:.1f} | {len(Timed.took)} | {statistics.median(Timed.took):.2f} | "
          f"{p95:.2f} | {len(waits)} | {peak / 1e6:.0f} |")  # fmt: skip


if __name__ == "__main__":
    main()
