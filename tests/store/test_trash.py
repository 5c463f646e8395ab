"""Removed runs come back as they were, or are gone for good."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given

import drawn
from made import case, run, sample
from stend.errors import BadValue, Conflict, StoreError, UnknownName
from stend.record import Conditions, Run
from stend.store import Query, Store


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url) as opened:
        yield opened


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(str(tmp_path_factory.mktemp("store") / "stend.db")) as store:
        yield store


@given(drawn=drawn.runs)
def test_any_run_comes_back_exactly(in_sqlite: Store, drawn: Run) -> None:
    in_sqlite.add(drawn, digest="d", sender="one")
    before = in_sqlite.find()
    in_sqlite.trash.put(drawn.id, "me")
    assert in_sqlite.find() == []
    in_sqlite.trash.restore(drawn.id)
    assert in_sqlite.load(drawn.id) == drawn
    assert in_sqlite.find() == before
    in_sqlite.remove(drawn.id)


def test_a_run_that_was_measured_here_comes_back_with_its_samples(store: Store) -> None:
    store.begin(run((), finished=None))
    number = store.append(run().id, case((sample(),)))
    store.append(run().id, case(variant="other"))
    store.extend(number, case((sample(), sample(process=1))))
    store.finish(run().id, "2026-11-21T10:05:00Z", Conditions())
    whole = store.load("last")
    assert store.trash.put("last", "me") == run().id
    assert store.find() == []
    assert store.trash.restore("last") == run().id
    assert store.load("last") == whole
    assert store.listing(Query(search="made stream.triad"), 5).total == 1
    assert store.trash.list() == ()


def test_who_removed_what_is_listed_last_first(store: Store) -> None:
    for digit in "abc":
        store.add(run(id=digit * 32, label=digit), sender="machine 1")
        store.trash.put(digit, "me\nor you")
    found = store.trash.list()
    assert [one.id[0] for one in found] == ["c", "b", "a"]
    assert {(one.by, one.host, one.sender) for one in found} == {
        (r"me\nor you", "bench", "machine 1")
    }
    assert found[0].started == run().started
    assert datetime.fromisoformat(found[0].removed) <= datetime.now(UTC)


def test_removed_runs_are_listed_page_by_page(store: Store) -> None:
    for digit in "abcde":
        store.trash.put(_added(store, digit * 32), "me")
    pages, after = [], None
    while not pages or after:
        page = store.trash.listing(2, after)
        pages.append("".join(one.id[0] for one in page.runs))
        after = page.next
        store.trash.empty([page.runs[0].id])
    assert pages == ["ed", "cb", "a"]
    assert [one.id[0] for one in store.trash.known(["b" * 32, "c" * 32, "d" * 32, "\0"])] == [
        "d",
        "b",
    ]
    with pytest.raises(BadValue, match="not a place in a list"):
        store.trash.listing(2, "x")


@pytest.mark.parametrize("name", ["last~1", "aaaa", "AAAAA", "a" * 32, "night"])
def test_a_removed_run_has_several_names(name: str, store: Store) -> None:
    for digit, label in (("a", "night"), ("b", "day")):
        store.add(run(id=digit * 32, label=label))
        store.trash.put(label, "me")
    assert store.trash.restore(name) == "a" * 32


def test_a_label_that_another_removed_id_begins_with_means_neither(store: Store) -> None:
    for digit, label in (("a", ""), ("b", "aaaa")):
        store.add(run(id=digit * 32, label=label))
        store.trash.put(digit * 32, "me")
    with pytest.raises(UnknownName, match=f"{'a' * 32} or {'b' * 32}"):
        store.trash.empty(["aaaa"])
    assert len(store.trash.list()) == 2


@pytest.mark.parametrize("name", ["", "last~2", "%", "\0", "aaa", "cccc", "last~" + "9" * 30])
def test_a_name_that_no_removed_run_has_is_one_sentence(name: str, store: Store) -> None:
    for digit in "ab":
        store.add(run(id=digit * 32))
        store.trash.put(digit * 32, "me")
    with pytest.raises(UnknownName, match="No removed run") as caught:
        store.trash.restore(name)
    assert str(caught.value).isprintable()
    with pytest.raises(UnknownName):
        store.trash.empty(["aaaa", name])
    assert len(store.trash.list()) == 2


def test_a_beginning_that_several_removed_ids_share_names_two(store: Store) -> None:
    for digit in "01":
        store.trash.put(_added(store, f"abcd{digit * 28}"), "me")
    with pytest.raises(UnknownName, match=r"abcd\d.*abcd\d"):
        store.trash.restore("abcd")


def _added(store: Store, run_id: str) -> str:
    store.add(run(id=run_id))
    return run_id


def test_a_removed_run_that_comes_again_is_refused_by_whoever_removed_it(store: Store) -> None:
    store.add(run(), digest="d")
    store.trash.put("last", "Ada")
    for again in (lambda: store.add(run(), digest="d"), lambda: store.begin(run())):
        with pytest.raises(Conflict, match=r"was removed on \d.* UTC by Ada.*remove --undo 01234"):
            again()
    assert store.find() == []
    assert store.trash.empty(["last"]) == 1
    assert store.add(run()) is True


def test_what_is_emptied_is_gone(store: Store) -> None:
    for digit in "abc":
        store.trash.put(_added(store, digit * 32), "me")
    assert store.trash.empty(["aaaa", "a" * 32]) == 1
    assert [one.id[0] for one in store.trash.list()] == ["c", "b"]
    assert store.trash.empty() == 2
    assert store.trash.empty() == 0


def test_a_run_that_may_be_being_measured_is_refused(store: Store) -> None:
    now = datetime.now(UTC).isoformat()
    store.begin(run(id="a" * 32, finished=None, started=now))
    store.begin(run(id="b" * 32, finished=None))
    store.progress.tell("b" * 32, 0.5, "stream.triad")
    for digit in "ab":
        with pytest.raises(Conflict, match=rf"being measured.*remove --for-good {digit * 8}"):
            store.trash.put(digit * 32, "me")
    assert len(store.find()) == 2


def test_a_run_that_was_killed_or_sent_without_an_end_is_removed(store: Store) -> None:
    now = datetime.now(UTC).isoformat()
    store.begin(run(id="a" * 32, finished=None))
    store.add(run(id="b" * 32, finished=None, started=now), digest="sent whole")
    for digit in "ab":
        assert store.trash.put(digit * 32, "me") == digit * 32


def test_a_damaged_run_can_be_removed_and_put_back(tmp_path: Path) -> None:
    path = tmp_path / "stend.db"
    with Store.open(str(path)) as store:
        store.add(run())
        with sqlite3.connect(path) as connection:
            connection.execute("update stend_runs set record = '{'")
        store.trash.put(run().id, "me")
        store.trash.restore(run().id)
        with pytest.raises(StoreError, match="is damaged"):
            store.load("last")


def test_a_removed_run_that_is_damaged_is_one_sentence_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "stend.db"
    with Store.open(str(path)) as store:
        store.trash.put(_added(store, "a" * 32), "me")
        with sqlite3.connect(path) as connection:
            connection.execute("update stend_trash set rows = substr(rows, 1, 100)")
        with pytest.raises(StoreError, match=r"removed run aaaa.* is damaged"):
            store.trash.restore("last")
        assert len(store.trash.list()) == 1
