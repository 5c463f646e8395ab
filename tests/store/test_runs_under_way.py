"""Runs under way tell how far they are, and nothing of that stays when they end."""

from collections.abc import Iterator

import pytest

import made
from stend.record import Conditions, Status
from stend.store import Cursor, RunUpdate, Store, tables


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


def test_news_are_what_came_since_one_looked(store: Store) -> None:
    run = made.run((), finished=None)
    store.begin(run)
    first = store.append(run.id, made.case((made.sample(),), parameters={"n": 1}))
    store.append(run.id, made.case((made.sample(),), parameters={"n": 2}))
    seen = store.news(run.id, Cursor(), 9)
    assert [case.parameters["n"] for case in seen.cases] == [1, 2]
    assert store.news(run.id, seen.place, 9) == RunUpdate((), seen.place)
    samples = (made.sample(), made.sample(process=1))
    store.extend(first, made.case(samples, parameters={"n": 1}))
    (case,) = store.news(run.id, seen.place, 9).cases
    assert (case.parameters["n"], len(case.samples)) == (1, 2)


def test_of_much_news_the_newest_are_told(store: Store) -> None:
    run = made.run((), finished=None)
    store.begin(run)
    for n in range(5):
        store.append(run.id, made.case((made.sample(),), parameters={"n": n}))
    assert [case.parameters["n"] for case in store.news(run.id, Cursor(), 2).cases] == [3, 4]


def test_a_case_that_was_skipped_is_news_too(store: Store) -> None:
    run = made.run((), finished=None)
    store.begin(run)
    store.append(run.id, made.case((), status=Status.SKIPPED, reason="It is not here."))
    seen = store.news(run.id, Cursor(), 9)
    assert [case.status for case in seen.cases] == [Status.SKIPPED]
    assert store.news(run.id, seen.place, 9).cases == ()
