"""A backup is the store of one moment, and comes back as it was; of a broken one nothing does."""

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from made import case, run, sample
from stend.errors import BadValue, StoreError
from stend.record import Integers
from stend.store import Derivation, Filter, Right, Store, tables
from stend.store.backup import COPIED, Side

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture(params=["sqlite", "postgresql"])
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a second empty store can be."""
    if request.param == "sqlite":
        return str(tmp_path / "other.db")
    postgresql: str = request.getfixturevalue("postgresql")
    schema = f"other_{random.SystemRandom().getrandbits(64)}"
    import psycopg

    with psycopg.connect(postgresql) as connection:
        connection.execute(f"create schema {schema}")
    return f"{postgresql}&options=-csearch_path%3D{schema}"


def filled(store: Store, runs: int = 3) -> None:
    """Something in every table that there is."""
    for i in range(runs):
        store.begin(run((), id=f"{i:032x}", label=f"run {i}"))
        number = store.append(f"{i:032x}", case((sample(),)))
        store.extend(number, case((sample(), sample(process=1))))
    store.add(run(id="f" * 32, label="whole; drop table 'x' -- ☃"))
    store.series(Derivation("count", int, lambda case: len(case.samples)), Filter())
    token, _ = store.access.add("bench", Right.WRITE, None, "admin")
    store.access.visit(token)
    store.access.add("gone", Right.READ, None, "admin")
    store.access.revoke("gone", "admin")
    upload = store.uploads.begin("bench", "0" * 64, 10)
    store.uploads.append(upload.id, "bench", 0, b"12345")
    store.begin(run((), id="d" * 32, finished=None))
    store.progress.tell("d" * 32, 0.5, "stream.triad")
    store.add(run(id="e" * 32, label="removed"))
    store.trash.put("e" * 32, "bench")


def content(store: Store) -> dict[str, list[dict[str, object]]]:
    """All rows of all tables."""
    with store._database.reading() as connection:
        side = Side(store._database, connection)
        return {t.name: [dict(row) for some in side.rows(t) for row in some]
                for t in tables.metadata.sorted_tables}  # fmt: skip


def restored(path: Path, other: Store) -> str:
    """Why it was not; empty if it was."""
    try:
        other.restore(path)
    except StoreError as error:
        return str(error)
    return ""


def refused(path: Path, url: str) -> str:
    """Why nothing was restored."""
    with Store.open(url) as store:
        with pytest.raises((StoreError, BadValue)) as caught:
            store.restore(path)
        assert not any(content(store)[table.name] for table in COPIED)
    said = str(caught.value)
    assert said.isprintable()
    return said


def test_what_comes_back_is_what_was_there(store_url: str, other_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    with Store.open(store_url) as store, Store.open(other_url) as other:
        filled(store)
        told = store.back_up(path)
        assert told.said == "5 runs, 1 removed run and 2 tokens"
        assert other.restore(path) == told
        there = content(store)
        for left_out in ("visits", "progress", "uploads", "parts"):
            assert there[f"stend_{left_out}"]
            there[f"stend_{left_out}"] = []
        assert all(there[table.name] for table in COPIED)
        assert content(other) == there
        assert other.damaged() == []
        assert [other.load(found.id) for found in other.find()] == [
            store.load(found.id) for found in store.find()
        ]


def test_a_restored_store_goes_on(store_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    with Store.open(str(tmp_path / "from.db")) as store, Store.open(store_url) as other:
        filled(store)
        store.back_up(path)
        other.restore(path)
        number = other.append("f" * 32, case(variant="later"))
        other.extend(number, case((sample(),) * 4, variant="later"))
        assert [c.variant for c in other.load("f" * 32).cases] == ["plain", "later"]
        other.add(run(id="c" * 32))
        _, text = other.access.add("new", Right.READ, None, "admin")
        assert other.access.who(text).name == "new"
        assert [entry.to for entry in other.audit.read(2)] == ["new", "e" * 32]


def test_who_restored_what_is_in_the_audit_log(store_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    with Store.open(str(tmp_path / "from.db")) as store, Store.open(store_url) as other:
        filled(store)
        before = store.audit.read(1)[0]
        store.back_up(path)
        other.restore(path, by="me@here")
        entry, last = other.audit.read(2)
    assert last == before
    assert (entry.who, entry.did, entry.to) == ("me@here", "store restore", "backup.db")
    assert entry.said == "5 runs, 1 removed run and 2 tokens"


def test_a_backup_is_a_store_that_only_its_owner_can_read(tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    with Store.open(str(tmp_path / "stend.db")) as store:
        filled(store)
        store.back_up(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["backup.db", "stend.db"]
    path.chmod(0o400)
    before = path.read_bytes()
    with Store.open(str(path)) as copy:
        assert len(copy.find()) == 5
        assert copy.load("f" * 32).label.startswith("whole")
        assert [token.name for token in copy.access.tokens()] == ["gone", "bench"]
    assert path.read_bytes() == before


def test_an_empty_store_has_a_backup(store_url: str, other_url: str, tmp_path: Path) -> None:
    with Store.open(store_url) as store, Store.open(other_url) as other:
        assert store.back_up(tmp_path / "backup.db").said == "0 runs and 0 tokens"
        other.restore(tmp_path / "backup.db")
        assert other.find() == []


def test_a_backup_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    path.write_text("precious")
    with Store.open(str(tmp_path / "stend.db")) as store:
        with pytest.raises(BadValue, match="exists; give another name"):
            store.back_up(path)
        with pytest.raises(BadValue, match="exists"):
            store.back_up(tmp_path / "stend.db")
        with pytest.raises(BadValue, match="exists"):
            store.back_up(Path("/dev/null"))
    assert path.read_text() == "precious"


@pytest.mark.parametrize("holding", ["a run", "a token", "a removed run"])
def test_a_store_that_holds_something_is_left_as_it_is(
    store_url: str, holding: str, tmp_path: Path
) -> None:
    path = tmp_path / "backup.db"
    with Store.open(str(tmp_path / "from.db")) as store:
        filled(store)
        store.back_up(path)
    with Store.open(store_url) as other:
        if holding == "a run":
            other.add(run())
        elif holding == "a token":
            other.access.add("bench", Right.READ, None, "admin")
        else:
            filled(other, 0)
            other.remove("f" * 32)
        before = content(other)
        with pytest.raises(StoreError, match="is not empty"):
            other.restore(path)
        assert content(other) == before


def test_a_backup_while_another_process_writes_is_of_one_moment(
    store_url: str, tmp_path: Path
) -> None:
    with Store.open(store_url) as store:
        store.begin(run(()))
        script = Path(__file__).parent / "appender.py"
        command = [sys.executable, str(script), store_url, run().id, "a", "10000"]
        process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            for i in range(5):
                told = int(process.stdout.readline())
                path = tmp_path / f"{i}.db"
                store.back_up(path)
                with Store.open(str(path)) as copy:
                    [copied] = [copy.load(found.id) for found in copy.find()]
                assert [c.parameters["n"] for c in copied.cases] == list(range(len(copied.cases)))
                assert len(copied.cases) > told
                assert all(len(c.samples) == 3 for c in copied.cases)
        finally:
            process.kill()
            process.wait()


KILLED = """
import os
import signal
import sys
from pathlib import Path
from stend.store import Store

def told(done, steps):
    if 100 * done >= steps * int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

with Store.open(sys.argv[1]) as store:
    store.back_up(Path(sys.argv[2]), told)
"""


@pytest.mark.parametrize("percent", [0, 50, 100])
def test_a_killed_backup_leaves_no_file_of_its_name(tmp_path: Path, percent: int) -> None:
    url, path = str(tmp_path / "stend.db"), tmp_path / "backup.db"
    with Store.open(url) as store:
        filled(store, 30)
        command = [sys.executable, "-c", KILLED, url, str(path), str(percent)]
        killed = subprocess.run(command, env=ENVIRONMENT, check=False)
        assert killed.returncode == -signal.SIGKILL
        assert not path.exists()
        store.back_up(path)


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.7, 0.999])
def test_a_backup_that_was_cut_short_is_one_sentence(share: float, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    with Store.open(str(tmp_path / "from.db")) as store:
        filled(store, 30)
        store.back_up(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    said = refused(path, str(tmp_path / "to.db"))
    assert "backup.db" in said
    assert "damaged" in said or "no database" in said or "no store" in said


def test_of_a_backup_with_wrong_bytes_nothing_or_all_is_restored(tmp_path: Path) -> None:
    path, chance = tmp_path / "backup.db", random.Random(1)
    with Store.open(str(tmp_path / "from.db")) as store:
        filled(store)
        store.back_up(path)
    whole = path.read_bytes()
    for _ in range(25):
        wrong = bytearray(whole)
        for _ in range(30):
            wrong[chance.randrange(len(wrong))] ^= 1 << chance.randrange(8)
        path.write_bytes(wrong)
        with Store.open("/nowhere/in/memory.db", create=False) as other:
            said = restored(path, other)
            assert said.isprintable()
            assert len(content(other)["stend_runs"]) == (0 if said else 5)


@pytest.mark.parametrize("text", ["", "no database at all" * 1000])
def test_a_file_that_is_no_backup_is_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    assert "file" in refused(path, str(tmp_path / "to.db"))
    assert path.read_text() == text


@pytest.mark.parametrize("name", ["missing", "", "a\0b", "x" * 300])
def test_what_is_no_file_is_one_sentence(name: str, tmp_path: Path) -> None:
    refused(tmp_path / name, str(tmp_path / "to.db"))


def test_a_damaged_run_is_carried_over_as_it_is_and_named(store_url: str, tmp_path: Path) -> None:
    source, path = tmp_path / "from.db", tmp_path / "backup.db"
    with Store.open(str(source)) as store:
        filled(store)
    with sqlite3.connect(source) as connection:
        connection.execute("update stend_runs set columns = x'00' where label = 'run 1'")
    connection.close()
    with Store.open(str(source)) as store, Store.open(store_url) as other:
        store.back_up(path)
        other.restore(path)
        assert other.damaged() == store.damaged() == [f"{1:032x}"]
        assert content(other)["stend_runs"] == content(store)["stend_runs"]


def test_an_older_stores_file_is_restored_and_stays_as_it_is(
    store_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    with Store.open(str(path)) as store:
        store.add(run())
    with sqlite3.connect(path) as connection:
        for table in (
            "parts",
            "uploads",
            "visits",
            "progress",
            "searched",
            "tokens",
            "trash",
            "audit",
        ):
            connection.execute(f"drop table stend_{table}")
        connection.execute("update stend_version set version = 5")
    connection.close()
    before = path.read_bytes()
    with Store.open(store_url) as other:
        other.restore(path)
        assert other.load("last") == run()
    assert path.read_bytes() == before


def test_memory_does_not_grow_with_the_store(tmp_path: Path) -> None:
    url = str(tmp_path / "stend.db")
    chance = random.Random(1)
    noise = Integers(chance.randrange(2**62) for _ in range(4000))
    large = case((sample([1e-3] * 4000, ticks=noise),))
    with Store.open(url) as store:
        store.begin(run(()))
        for _ in range(200):
            store.append(run().id, large)
    size = (tmp_path / "stend.db").stat().st_size
    with Store.open(url) as store:
        tracemalloc.start()
        store.back_up(tmp_path / "backup.db")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert size > 7e6
    assert peak < size / 2


def test_rows_of_megabytes_come_back(store_url: str, other_url: str, tmp_path: Path) -> None:
    with Store.open(store_url) as store, Store.open(other_url) as other:
        filled(store, 0)
        with store._database.writing() as connection:
            connection.execute(tables.trash.update().values(rows=bytes(5_000_000)))
        store.back_up(tmp_path / "backup.db")
        other.restore(tmp_path / "backup.db")
        assert content(other)["stend_trash"] == content(store)["stend_trash"]


def test_a_store_that_is_not_there_is_not_backed_up(tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    with (
        Store.open(str(tmp_path / "mistyped.db"), create=False) as store,
        pytest.raises(StoreError, match=r"no store .*mistyped\.db"),
    ):
        store.back_up(backup)
    assert not backup.exists()
