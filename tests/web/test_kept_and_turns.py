"""What is dear is made once and forgotten in time; who computes takes turns."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest
from starlette.exceptions import HTTPException

import made
from stend.web.compute_slots import MOST, Kept, Turns
from web.served import ask, owner, served


def test_a_result_is_made_once():
    kept, made = Kept(), []

    def make():
        made.append(1)
        return b"result"

    assert [kept.get("of", make), kept.get("of", make)] == [b"result"] * 2
    assert len(made) == 1


def test_what_was_asked_for_least_recently_is_forgotten_first():
    kept = Kept(most=20)
    for name in ("a", "b"):
        kept.get(name, lambda: b"x" * 10)
    kept.get("a", pytest.fail)
    kept.get("c", lambda: b"x" * 10)
    kept.get("a", pytest.fail)
    assert kept.get("b", lambda: b"anew") == b"anew"


def test_a_result_larger_than_all_the_room_is_given_and_not_kept():
    kept = Kept(most=5)
    assert kept.get("a", lambda: b"x" * 10) == b"x" * 10
    assert kept.get("a", lambda: b"anew") == b"anew"


def test_who_failed_to_make_it_leaves_nothing_behind():
    kept = Kept()
    with pytest.raises(ZeroDivisionError):
        kept.get("of", lambda: 1 // 0)
    assert kept.get("of", lambda: b"made") == b"made"


def test_who_came_first_goes_first():
    turns, order = Turns(at_once=1, waiting=5), []

    def wait(i):
        with turns.taken():
            order.append(i)

    with turns.taken():
        waiting = [threading.Thread(target=wait, args=[i]) for i in range(5)]
        for i, one in enumerate(waiting):
            one.start()
            while len(turns._queue) <= i:
                time.sleep(0.001)
        assert order == []
    for one in waiting:
        one.join()
    assert order == list(range(5))


@pytest.mark.parametrize("waiting", [0, 1])
def test_who_would_wait_too_long_is_told_when_to_ask_again(waiting):
    turns = Turns(at_once=1, waiting=waiting)
    with turns.taken():
        for _ in range(3):
            with pytest.raises(HTTPException) as told, turns.taken(patience=0.01):
                pass
            assert told.value.status_code == 503
            assert told.value.headers["retry-after"]
    with turns.taken():
        pass


def test_however_many_cores_there_are_so_many_have_turns_at_most(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(256))
    turns = Turns(waiting=0)
    with ExitStack() as held:
        for _ in range(MOST):
            held.enter_context(turns.taken())
        with pytest.raises(HTTPException):
            held.enter_context(turns.taken())


def test_nobody_waits_for_a_server_that_ends():
    turns, ended = Turns(at_once=1), []

    def wait():
        with pytest.raises(HTTPException), turns.taken():
            pass
        ended.append(1)

    with turns.taken():
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(0.02)
        turns.close()
        waiting.join()
    assert ended == [1]


class Counted(Turns):
    """Tells of each who asks for a turn."""

    def __init__(self):
        super().__init__(at_once=1)
        self.asked = threading.Semaphore(0)

    @contextmanager
    def taken(self):
        self.asked.release()
        with super().taken():
            yield


@pytest.mark.parametrize(
    ("path", "clients"),
    [
        ("/compare?a={0}&b={1}", 16),
        ("/compare?a={0}&b={1}", 64),
        ("/api/v1/compare?a={0}&b={1}", 64),
        ("/machines/nas", 16),
        ("/history?metric=stream.triad&host=nas", 16),
    ],
)
def test_many_who_ask_at_once_wait_and_hold_nobody_else_up(empty, monkeypatch, path, clients):
    ids = ["a" * 32, "b" * 32]
    for i, id in enumerate(ids):
        started = f"2026-11-0{i + 1}T00:00:00Z"
        empty.add(made.run(id=id, started=started, machine=made.machine(host="nas")))
    turns = Counted()
    monkeypatch.setattr("stend.web.site.Turns", lambda: turns)
    with served(empty) as site, ThreadPoolExecutor(clients) as many:
        cookie = owner(site)

        def status(_=None, path=path):
            return ask(site.url, path.format(*ids), Cookie=cookie).status

        with Turns.taken(turns):
            answers = [many.submit(status) for _ in range(clients)]
            assert all(turns.asked.acquire(timeout=30) for _ in range(clients))
            assert not any(one.done() for one in answers)
            assert status(path="/runs") == 200
        assert [one.result() for one in answers] == [200] * clients
