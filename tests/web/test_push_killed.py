"""Servers and databases that are killed: what was acknowledged is there, and nothing is twice."""

import gzip
import threading
import time

import pytest

from patience import PATIENCE
from postgresql import Postgresql
from stend.store import Store
from stend.web.push import Patience, Sender, sender, server_of
from web import sent
from web.killing import Serving
from web.served import ask


@pytest.fixture(scope="module")
def database():
    server = Postgresql()
    yield server
    server.remove()


@pytest.fixture
def serving(database):
    server = Serving(database.url)
    yield server
    server.kill()


def patience():
    return Patience(sleep=lambda seconds: time.sleep(min(seconds, 0.1)))


def test_runs_arrive_once_although_server_and_database_are_killed(database, serving, monkeypatch):
    monkeypatch.setattr(sender, "PART", 400)
    with Store.open(database.url) as store:
        shown = sent.token(store)
    place, acknowledged = threading.Semaphore(0), []

    def send(numbers):
        def reached(*_):
            place.release()

        with Sender(server_of(serving.url, shown), patience(), reached) as to:
            acknowledged.extend(to.send(sent.run(number)).run for number in numbers)

    threads = [threading.Thread(target=send, args=(range(i, 6, 2),), daemon=True) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for kill, start in [(serving.kill, serving.start), (database.kill, database.start)]:
        for _ in range(7):
            assert place.acquire(timeout=PATIENCE), "nothing arrives any more"
        kill()
        start()
    for thread in threads:
        thread.join()
    with Store.open(database.url) as store:
        assert sorted(acknowledged) == sorted(run.id for run in store.find())
        assert all(store.load(f"{i:032x}") == sent.run(i) for i in range(6))


def test_a_bomb_takes_hardly_any_memory(serving, database):
    with Store.open(database.url) as store:
        shown = sent.token(store, "bomber")
    bomb = gzip.compress(bytes(256 << 20), 1)
    before = serving.peak
    for _ in range(3):
        answer = ask(serving.url, f"/api/v1/runs/{1:032x}", "PUT", bomb, shown)
        assert answer.status == 413
    assert serving.peak - before < 128 << 20  # a half of what one unpacks to
