"""The audit log: what is noted is read again, and nothing noted breaks a line."""

import pytest

from made import run
from stend.errors import UnknownName
from stend.store import Store
from stend.store.audit import note

HOSTILE = "\x1b]0;a\x07\u202e'); drop table stend_audit --\0\ud800\n" * 1000


def test_the_newest_entries_are_first_and_lead_on_to_older_ones(store_url: str) -> None:
    with Store.open(store_url) as store:
        for i in range(7):
            store.audit.note("bench", "10.0.0.1", "run remove", str(i))
        newest = store.audit.read(3)
        older = store.audit.read(10, before=newest[-1].number)
    assert [entry.to for entry in newest + older] == list("6543210")
    assert newest[0].at.endswith("Z")


def test_entries_are_found_by_who_and_what(store_url: str) -> None:
    with Store.open(store_url) as store:
        store.audit.note("a", "", "run remove", "1")
        store.audit.note("b", "", "run remove", "2")
        store.audit.note("b", "", "run restore", "2")
        assert [entry.did for entry in store.audit.read(9, who="b")] == [
            "run restore",
            "run remove",
        ]
        assert [entry.who for entry in store.audit.read(9, did="run remove")] == ["b", "a"]
        assert store.audit.read(9, who="'; --\0", before=10**30) == []


def test_hostile_words_are_bounded_and_printable(store_url: str) -> None:
    with Store.open(store_url) as store:
        store.audit.note(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
        [entry] = store.audit.read(9)
    for words in (entry.who, entry.address, entry.did, entry.to, entry.said):
        assert words.isprintable()
        assert len(words) == 1000


def test_what_is_done_to_runs_is_noted_with_the_deed(store_url: str) -> None:
    with Store.open(store_url) as store:
        store.add(run())
        store.relabel("last", "other", "bench", "10.0.0.1")
        for _ in range(2):
            store.trash.put("last", "bench", "10.0.0.1")
            with pytest.raises(UnknownName):
                store.trash.put("last", "bench", "10.0.0.1")
            store.trash.restore("last", "bench", "10.0.0.1")
        store.trash.put("last", "bench")
        store.trash.empty(None, "bench")
        store.add(run())
        store.remove("last", "bench")
        told = store.audit.read(99)
    assert {(entry.who, entry.to) for entry in told} == {("bench", run().id)}
    assert [entry.did.removeprefix("run ") for entry in told[::-1]] == [
        *("label", "remove", "restore", "remove", "restore", "remove", "forget", "forget"),
    ]
    assert [(entry.address, entry.said) for entry in told[-2:]] == [
        ("10.0.0.1", "other"),
        ("10.0.0.1", "other"),
    ]


def test_a_note_is_stored_with_its_deed_or_not_at_all(store_url: str) -> None:
    def give_up(store: Store) -> None:
        with store._database.writing() as connection:
            note(connection, "bench", "", "run remove")
            raise KeyboardInterrupt

    with Store.open(store_url) as store:
        with pytest.raises(KeyboardInterrupt):
            give_up(store)
        assert store.audit.read(9) == []
