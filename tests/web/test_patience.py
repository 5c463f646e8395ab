"""Pauses before another attempt: they grow, differ between machines, and come to an end."""

import pytest

from stend.web.push import Patience


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self):
        self.time, self.slept = 100.0, []

    def now(self):
        return self.time

    def sleep(self, seconds):
        self.time += seconds
        self.slept.append(seconds)


def patience(clock, chance=1.0, seconds=300.0):
    return Patience(seconds, now=clock.now, sleep=clock.sleep, chance=lambda: chance)


def test_pauses_grow_to_half_a_minute_and_end_after_five():
    clock = Clock()
    tried = patience(clock)
    while tried.pause():
        pass
    assert clock.slept[:7] == [0.5, 1, 2, 4, 8, 16, 30]
    assert set(clock.slept[7:]) == {30}
    assert 270 <= sum(clock.slept) <= 300


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_machines_pause_for_different_times(chance):
    clock = Clock()
    patience(clock, chance).pause()
    assert clock.slept == [0.25 + 0.25 * chance]


def test_a_server_that_says_when_to_come_again_is_not_asked_before():
    clock = Clock()
    patience(clock).pause(asked=7)
    assert clock.slept[0] >= 7


def test_a_pause_that_would_be_too_long_is_none():
    clock = Clock()
    assert not patience(clock).pause(asked=3600)
    assert clock.slept == []


def test_what_gets_through_begins_anew():
    clock = Clock()
    tried = patience(clock)
    for _ in range(50):
        assert tried.pause()
        tried.got_through()
    assert set(clock.slept) == {0.5}
