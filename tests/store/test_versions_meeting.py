"""Two versions of stend on one store: the older notices, and neither loses anything."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from pathlib import Path
from threading import Barrier, Event

import pytest
from sqlalchemy import Connection

from made import case, run
from patience import PATIENCE
from stend.errors import NewerStore, StoreError
from stend.record import Conditions
from stend.store import Query, Store, opening, tables

MOOD = "alter table stend_runs add column mood varchar(9) default 'quiet'"


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url) as opened:
        opened.begin(run(finished=None))
        yield opened


@pytest.fixture
def aside() -> Iterator[Callable[..., Future[object]]]:
    """What calls something in a thread of its own."""
    with ThreadPoolExecutor() as threads:
        yield threads.submit


def newer(monkeypatch: pytest.MonkeyPatch, during: Callable[[], object] = lambda: None) -> None:
    def step(connection: Connection) -> None:
        connection.exec_driver_sql(MOOD)
        during()

    monkeypatch.setattr(tables, "STEPS", [*tables.STEPS, step])


def brought_forward(url: str) -> None:
    Store.open(url).close()


def waits(future: Future[object]) -> bool:
    try:
        future.result(timeout=0.1)
    except StillWaiting:
        return True
    return False


USES: dict[str, Callable[[Store], object]] = {
    "find": lambda store: store.find(),
    "listing": lambda store: store.listing(Query(search="x"), 5),
    "load": lambda store: store.load("last"),
    "begin": lambda store: store.begin(run(id="b" * 32)),
    "add": lambda store: store.add(run(id="b" * 32)),
    "append": lambda store: store.append(run().id, case()),
    "finish": lambda store: store.finish(run().id, "2026-11-21T11:00:00Z", Conditions()),
    "relabel": lambda store: store.relabel("last", "other"),
    "remove": lambda store: store.remove("last"),
    "put": lambda store: store.trash.put("last", "me"),
    "list": lambda store: store.trash.list(),
    "empty": lambda store: store.trash.empty(),
}


@pytest.mark.parametrize("use", USES)
def test_a_store_that_was_brought_forward_meanwhile_is_left_as_it_is(
    use: str, store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        newer(patched)
        with Store.open(store_url) as other:
            before = other.load("last")
        patched.undo()
        with pytest.raises(NewerStore, match=r"to version \d.*Update stend and start it"):
            USES[use](store)
        newer(patched)
        with Store.open(store_url) as other:
            assert [one.id for one in other.find()] == [before.id]
            assert other.load("last") == before


def test_a_writer_in_flight_holds_the_steps_back(
    store: Store,
    store_url: str,
    aside: Callable[..., Future[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with store._database.writing() as connection:
        connection.execute(tables.runs.update().values(label="in flight"))
        newer(monkeypatch)
        other = aside(brought_forward, store_url)
        assert waits(other)
    other.result()
    with Store.open(store_url) as opened:
        assert opened.find()[0].label == "in flight"


@pytest.mark.parametrize("use", ["add", "find"])
def test_who_comes_while_steps_are_taken_waits_and_notices(
    use: str,
    postgresql_schema: str,
    aside: Callable[..., Future[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SQLite's readers need not wait: they see the store as it was."""
    begun, go_on = Event(), Event()
    with Store.open(postgresql_schema) as store:
        newer(monkeypatch, lambda: (begun.set(), go_on.wait(PATIENCE)))
        other = aside(brought_forward, postgresql_schema)
        assert begun.wait(PATIENCE)
        monkeypatch.undo()
        mine = aside(USES[use], store)
        assert waits(mine)
        go_on.set()
        other.result()
        with pytest.raises(NewerStore):
            mine.result()


def test_who_waits_too_long_for_the_steps_is_told(
    postgresql_schema: str,
    aside: Callable[..., Future[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on = Event(), Event()
    monkeypatch.setattr(opening, "PATIENCE", 0.1)
    with Store.open(postgresql_schema) as store:
        newer(monkeypatch, lambda: (begun.set(), go_on.wait(PATIENCE)))
        other = aside(brought_forward, postgresql_schema)
        assert begun.wait(PATIENCE)
        with pytest.raises(StoreError, match="locked by another process"):
            store.find()
        go_on.set()
        other.result()


def test_an_older_store_that_was_put_in_place_is_one_sentence(store: Store) -> None:
    with store._database.migrating() as connection:
        connection.execute(tables.version.update().values(version=2))
    with pytest.raises(StoreError, match="replaced by another, of version 2"):
        store.find()


def test_the_same_run_of_many_at_once_is_added_once(
    store_url: str, aside: Callable[..., Future[object]]
) -> None:
    together = Barrier(4)

    def add(store: Store) -> bool:
        together.wait()
        return store.add(run(), digest="d")

    with Store.open(store_url) as store:
        added = [aside(add, store) for _ in range(4)]
        assert sorted(future.result() for future in added) == [False, False, False, True]
        assert len(store.find()) == 1


def test_more_threads_than_connections_are_told_so(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {"pool_size": 1, "max_overflow": 0, "pool_timeout": 0.01}
    monkeypatch.setattr(opening, "_CONNECTIONS", one)
    with (
        Store.open(store_url) as store,
        store._database.reading(),
        pytest.raises(StoreError, match="too many threads"),
    ):
        store.find()


def test_an_old_sqlite_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening.sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(opening.sqlite3, "sqlite_version", "3.34.1")
    with pytest.raises(StoreError, match=r"needs SQLite 3\.35 .* Python has 3\.34\.1\."):
        Store.open(str(tmp_path / "store.db"))
