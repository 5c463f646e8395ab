"""Several processes use one store at once, and any of them can be killed at any time."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from made import case, run
from stend.store import Store

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


def appending(url: str, name: str, count: int) -> subprocess.Popen[str]:
    script = Path(__file__).parent / "appender.py"
    command = [sys.executable, str(script), url, run().id, name, str(count)]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)


def test_four_processes_append_to_one_run_and_lose_nothing(store_url: str) -> None:
    with Store.open(store_url) as store:
        store.begin(run(()))
        processes = [appending(store_url, name, 25) for name in "abcd"]
        assert [process.communicate() and process.returncode for process in processes] == [0] * 4
        stored = [case.parameters for case in store.load("last").cases]
    assert Counter(p["by"] for p in stored) == dict.fromkeys("abcd", 25)
    for name in "abcd":
        assert [p["n"] for p in stored if p["by"] == name] == list(range(25))


def test_a_killed_process_loses_at_most_the_case_under_way(tmp_path: Path) -> None:
    url = str(tmp_path / "stend.db")
    chance = random.Random(1)
    told = 0
    with Store.open(url) as store:
        store.begin(run(()))
    for life in range(8):
        process = appending(url, str(life), 10_000)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        told += 1 + len(process.stdout.readlines())
        process.wait()
        with Store.open(url) as store:
            stored = store.load("last").cases
        assert told <= len(stored) <= told + 1
        told = len(stored)
        assert all(len(sample.ticks) == 500 for case in stored for sample in case.samples)
    with sqlite3.connect(url) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_connection_that_broke_between_two_cases_loses_none(postgresql: str) -> None:
    import psycopg

    others = "select pg_terminate_backend(pid) from pg_stat_activity where pid != pg_backend_pid()"
    with Store.open(postgresql) as store:
        store.begin(run((), id="c" * 32))
        store.append("c" * 32, case())
        with psycopg.connect(postgresql) as connection:
            connection.execute(f"{others} and backend_type = 'client backend'")
        store.append("c" * 32, case(variant="later"))
        assert store.load("c" * 32).cases == (case(), case(variant="later"))
        store.remove("c" * 32)


def test_stores_that_are_made_at_the_same_time_are_one_store(store_url: str) -> None:
    code = "import sys; from stend.store import Store; Store.open(sys.argv[1]).close()"
    command = [sys.executable, "-c", code, store_url]
    processes = [subprocess.Popen(command, env=ENVIRONMENT) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    with Store.open(store_url) as store:
        store.add(run())


def test_two_stores_in_one_process_see_each_others_runs(store_url: str) -> None:
    with Store.open(store_url) as one, Store.open(store_url) as other:
        one.begin(run((), id="a" * 32))
        other.begin(run((), id="b" * 32))
        assert [found.id[0] for found in one.find()] == ["b", "a"]
        assert other.find() == one.find()
