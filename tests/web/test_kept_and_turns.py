"""What is dear is made once and forgotten in time; who computes takes turns."""

import threading
from contextlib import ExitStack

import pytest
from starlette.exceptions import HTTPException

from stend.web.kept import Kept
from stend.web.turns import MOST, WAITING, Turns


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


def test_one_waits_for_a_turn_and_gets_it():
    turns, order = Turns(at_once=1, waiting=1), []

    def wait():
        with turns.taken():
            order.append("second")

    with turns.taken():
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(0.05)  # time enough to go first, if it could
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


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


def test_however_many_cores_there_are_some_threads_are_left_to_others(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(256))
    turns = Turns(waiting=0)
    with ExitStack() as held:
        for _ in range(MOST):
            held.enter_context(turns.taken())
        with pytest.raises(HTTPException):
            held.enter_context(turns.taken())
    assert MOST + WAITING < 40
