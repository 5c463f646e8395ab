"""Runs under way tell how far they are, and nothing of that stays when they end."""

from collections.abc import Iterator

import pytest

import made
from stend.record import Conditions
from stend.store import Store, tables


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url) as opened:
        yield opened


def test_a_run_under_way_tells_how_far_it_is(store: Store) -> None:
    run = made.run(finished=None)
    store.begin(run)
    store.progress.tell(run.id, 0.25, "stream.triad threads=2")
    (one,) = store.progress.under_way()
    assert (one.id, one.share, one.doing) == (run.id, 0.25, "stream.triad threads=2")
    assert one.heard is not None


def test_the_last_word_counts(store: Store) -> None:
    run = made.run(finished=None)
    store.begin(run)
    for share in (0.1, 0.5):
        store.progress.tell(run.id, share, "x")
    assert [one.share for one in store.progress.under_way()] == [0.5]


def test_a_run_that_ended_is_not_under_way_and_can_tell_no_more(store: Store) -> None:
    run = made.run(finished=None)
    store.begin(run)
    store.progress.tell(run.id, 0.9, "x")
    store.finish(run.id, "2026-01-02T03:04:05Z", Conditions())
    store.progress.tell(run.id, 1.0, "x")
    assert store.progress.under_way() == []
    with store._database.reading() as connection:
        assert connection.execute(tables.progress.select()).all() == []


def test_a_run_that_never_told_is_under_way_all_the_same(store: Store) -> None:
    store.begin(made.run(finished=None))
    (one,) = store.progress.under_way()
    assert (one.share, one.heard) == (0.0, None)


def test_what_can_not_be_kept_stops_nothing(store: Store) -> None:
    store.progress.tell("0" * 32, 0.5, "x")
    store.close()
