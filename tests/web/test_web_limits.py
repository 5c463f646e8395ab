"""How much is taken from whom: bursts, rates, sizes of what is asked."""

import pytest

from stend.store import Right
from stend.web.settings import MOST_KEYS, Counted, Limits, Rate
from web.served import HOST, ORIGIN, ask, served


class Clock:
    """Seconds that pass when they are told to."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_burst_is_taken_then_one_in_each_span(clock):
    counted = Counted(Rate(burst=3, a_second=2), clock)
    assert [counted.wait("a") for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]
    clock.now += 0.5
    assert counted.wait("a") == 0
    assert counted.wait("a") == pytest.approx(0.5)


def test_what_is_refused_does_not_count(clock):
    counted = Counted(Rate(burst=1, a_second=1), clock)
    assert [bool(counted.wait("a")) for _ in range(50)] == [False, *[True] * 49]
    clock.now += 1
    assert counted.wait("a") == 0


def test_a_rest_gives_a_burst_again_and_no_more(clock):
    counted = Counted(Rate(burst=3, a_second=1), clock)
    for _ in range(2):
        assert [bool(counted.wait("a")) for _ in range(5)] == [False] * 3 + [True] * 2
        clock.now += 1000


def test_each_has_a_rate_of_its_own(clock):
    counted = Counted(Rate(burst=1, a_second=1), clock)
    assert counted.wait("a") == 0 == counted.wait("b")
    assert counted.wait("a") > 0


def test_no_crowd_takes_all_memory(clock):
    counted = Counted(Rate(burst=10, a_second=1), clock)
    for number in range(3 * MOST_KEYS):
        counted.wait(str(number))
    assert len(counted._next) <= MOST_KEYS


def test_a_crowd_that_went_is_forgotten_and_who_is_too_fast_is_not(clock):
    counted = Counted(Rate(burst=1, a_second=1), clock)
    for number in range(MOST_KEYS):
        counted.wait(str(number))
    clock.now += 2
    assert [counted.wait("a"), counted.wait("b")] == [0, 0]
    assert counted.wait("a") > 0
    assert len(counted._next) == 2


def test_who_asks_too_much_is_told_when_to_go_on(store):
    with served(store, origin=ORIGIN, limits=Limits(asking=Rate(2, 0.1))) as running:
        said = [ask(running.url, "/login", **HOST) for _ in range(3)]
        assert [one.status for one in said] == [200, 200, 429]
        assert 1 <= int(said[2].headers["retry-after"]) <= 10
        assert "Too many requests" in said[2].text
        _, text = store.access.add("maria", Right.READ, None, by="admin")
        assert ask(running.url, "/api/v1/runs", token=text, **HOST).status == 200


def test_who_changes_too_much_may_still_look(store):
    with served(store, origin=ORIGIN, limits=Limits(changing=Rate(1, 0.01))) as running:
        said = {"Origin": ORIGIN, **HOST}
        posts = [ask(running.url, "/logout", "POST", b"", **said).status for _ in range(2)]
        assert posts == [303, 429]
        assert ask(running.url, "/login", **HOST).status == 200


def test_on_the_own_machine_nobody_asks_too_much(store):
    with served(store, limits=Limits(asking=Rate(1, 0.01))) as running:
        assert [ask(running.url, "/api/v1/runs").status for _ in range(3)] == [200] * 3


@pytest.mark.parametrize("path", ["/runs?" + "a" * 9000, "/" + "a" * 9000])
def test_a_long_address_is_refused(store, path):
    with served(store) as running:
        assert ask(running.url, path).status == 414


def test_long_headers_are_refused(store):
    with served(store) as running:
        assert ask(running.url, "/runs", X_Long="a" * 40_000).status == 431
