"""Where a store can be, and the one sentence for everything that can be wrong with the place."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from made import case, run
from stend.errors import BadValue, NewerStore, NoSpace, SetupError, StoreError
from stend.store import Filter, Store, opening, tables


def sentence(url: str | Path, error: type[Exception] = StoreError) -> str:
    with pytest.raises(error) as caught:
        Store.open(str(url))
    said = str(caught.value)
    assert said.isprintable()
    return said


def filled(path: Path) -> Path:
    with Store.open(str(path)) as store:
        store.add(run())
    return path


def test_runs_are_kept_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEND_STORE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    with Store.open() as store:
        assert store.name == str(tmp_path / "home/.local/share/stend/stend.db")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Store.open() as store:
        assert store.name == str(tmp_path / "data/stend/stend.db")


def test_stend_store_says_where_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEND_STORE", str(tmp_path / "elsewhere.db"))
    with Store.open() as store:
        assert store.name == str(tmp_path / "elsewhere.db")
    with Store.open(str(tmp_path / "given.db")) as store:
        assert store.name == str(tmp_path / "given.db")


def test_a_new_file_is_its_owners_alone_and_another_stays_as_it_is(tmp_path: Path) -> None:
    def modes() -> list[int]:
        return [path.stat().st_mode & 0o777 for path in sorted(tmp_path.iterdir())]

    before = os.umask(0)
    try:
        with Store.open(str(tmp_path / "stend.db")) as store:
            store.add(run())
            assert modes() == [0o600] * len(modes())
        (tmp_path / "stend.db").chmod(0o644)
        Store.open(str(tmp_path / "stend.db")).close()
        assert 0o644 in modes()
    finally:
        os.umask(before)


@pytest.mark.parametrize("name", ["with space.db", "ключ?x=1#y%41.db", "file:x", ":memory:", "a'b"])
def test_a_file_can_have_any_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    filled(Path(name))
    assert (tmp_path / name).is_file()
    with Store.open(f"sqlite:///{tmp_path / name}") as store:
        assert store.load("last") == run()


def test_a_home_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    filled(Path("~/stend.db"))
    assert (tmp_path / "stend.db").is_file()
    assert "~nobody-has-this-name" in sentence("~nobody-has-this-name/stend.db", BadValue)


@pytest.mark.parametrize(
    "url",
    ["mysql://a:hunter2@b/c", "sqlite://", "sqlite:///", "http://x", "://", "\x1b://x", "a\0b"],
)
def test_where_no_store_can_be_is_one_sentence(url: str) -> None:
    assert "hunter2" not in sentence(url, BadValue)


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    assert "it is a folder" in sentence(tmp_path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "there is no such folder" in sentence(tmp_path / "mnt" / "stend.db")
    assert not (tmp_path / "mnt").exists()


def test_a_file_in_place_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stend").touch()
    monkeypatch.delenv("STEND_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(StoreError, match="File exists"):
        Store.open()


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("precious " * 100)
    assert "is not a database; it was left unchanged" in sentence(path)
    assert path.read_text() == "precious " * 100


def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table bookmarks (url text)")
    before = path.read_bytes()
    assert "another program" in sentence(path)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "stend.db").touch()
    filled(tmp_path / "stend.db")


def test_a_damaged_database_is_one_sentence(tmp_path: Path) -> None:
    path = filled(tmp_path / "stend.db")
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    assert "is damaged" in sentence(path)


@pytest.mark.parametrize("damage", ["columns = x'00'", "record = '{'", "record = 'null'"])
def test_a_damaged_run_is_one_sentence_and_the_others_stay_readable(
    damage: str, tmp_path: Path
) -> None:
    path = filled(tmp_path / "stend.db")
    with Store.open(str(path)) as store:
        store.add(run(id="f" * 32, started="2020-01-01T00:00:00Z"))
        with sqlite3.connect(path) as connection:
            connection.execute(f"update stend_cases set {damage} where run = 1")
        with pytest.raises(StoreError, match=f"{run().id} is damaged"):
            store.load(run().id)
        assert store.load("f" * 32).cases == (case(),)
        assert len(store.find()) == 2


def test_a_locked_store_can_be_read_but_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "PATIENCE", 0.05)
    path = filled(tmp_path / "stend.db")
    with Store.open(str(path)) as store, sqlite3.connect(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process"):
            store.append(run().id, case())
        assert store.load("last") == run()


def test_a_newer_store_is_left_as_it_is(tmp_path: Path) -> None:
    path = filled(tmp_path / "stend.db")
    with sqlite3.connect(path) as connection:
        connection.execute("update stend_version set version = 99")
    said = sentence(path, NewerStore)
    assert "version 99" in said
    assert f"up to {len(tables.STEPS)}" in said


def test_an_older_store_is_brought_forward_once(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(store_url) as store:
        store.add(run())
    step = "alter table stend_runs add column mood varchar(9) default 'quiet'"
    newer = [*tables.STEPS, lambda connection: connection.exec_driver_sql(step)]
    monkeypatch.setattr(tables, "STEPS", newer)
    for _ in range(2):
        with Store.open(store_url) as store:
            assert store.load("last") == run()
    monkeypatch.undo()
    sentence(store_url, NewerStore)


def test_a_step_that_fails_changes_nothing(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(store_url) as store:
        store.add(run())
    changed = "alter table stend_runs add column mood varchar(9)"
    steps = [
        lambda connection: connection.exec_driver_sql(changed),
        lambda connection: connection.exec_driver_sql("this is no SQL"),
    ]
    monkeypatch.setattr(tables, "STEPS", [*tables.STEPS, *steps])
    sentence(store_url)
    monkeypatch.undo()
    with Store.open(store_url) as store:
        assert store.load("last") == run()


def test_a_password_is_never_shown() -> None:
    for url in (
        "postgresql://u:hunter2@127.0.0.1:1/d",
        "postgres://u@127.0.0.1:1/d?password=hunter2",
    ):
        said = sentence(url)
        assert "127.0.0.1" in said
        assert "hunter2" not in said
    assert "hunter2" not in sentence("postgresql://u:hunter2@[::1/d", BadValue)


def test_a_server_that_refuses_is_one_sentence(postgresql: str) -> None:
    said = sentence(postgresql.replace("/postgres?", "/nothing?"))
    assert 'database "nothing" does not exist' in said
    assert "the URL: postgresql://USER" in said


@pytest.mark.parametrize("path", ["/dev/null", "/proc/stend.db"])
def test_no_disk_is_blamed_for_what_is_no_place_for_a_store(path: str) -> None:
    said = sentence(path)
    assert "disk" not in said
    assert "with --store" in said


def test_postgresql_without_its_driver_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install '.[postgres]'" in sentence("postgresql://u@h/d", SetupError)


NOBODY = 65534

READER = f"""
import os, sys
from stend.errors import StoreError
from stend.store import Store
Store.open(sys.argv[1]).close()  # imports what nobody could not read in a private folder
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
try:
    with Store.open(sys.argv[2]) as store:
        print(len(store.find()), "runs;", end=" ")
        store.remove("last")
except StoreError as error:
    print(error)
"""


def as_nobody(path: Path, tmp_path: Path) -> str:
    """What a user without rights is told who reads a store and then writes to it."""
    command = [sys.executable, "-c", READER, str(tmp_path / "other.db"), str(path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that a user without rights can reach, as pytest's own can't be."""
    folder = Path(tempfile.mkdtemp(prefix="stend-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_store_that_can_only_be_read_is_read(open_folder: Path, tmp_path: Path) -> None:
    path = filled(open_folder / "stend.db")
    path.chmod(0o444)
    open_folder.chmod(0o555)
    assert as_nobody(path, tmp_path).startswith(f"1 runs; The store {path} is read-only here")


def older(path: Path) -> Path:
    """A store of a run as version 4 had it."""
    return as_version_4(filled(path))


def as_version_4(path: Path) -> Path:
    """Take from a store what version 5 brought."""
    with sqlite3.connect(path) as connection:
        for index in ("of_kind", "unnamed"):
            connection.execute(f"drop index stend_cases_{index}")
        connection.execute("alter table stend_cases drop column kind")
        connection.execute("update stend_version set version = 4")
    connection.close()
    return path


def test_an_older_store_that_can_only_be_read_is_read_and_stays_as_it_is(
    open_folder: Path, tmp_path: Path
) -> None:
    path = older(open_folder / "stend.db")
    path.chmod(0o444)
    open_folder.chmod(0o555)
    before = path.read_bytes()
    assert as_nobody(path, tmp_path).startswith(f"1 runs; The store {path} is read-only here")
    assert path.read_bytes() == before
    assert [file.name for file in open_folder.iterdir()] == ["stend.db"]


def test_of_an_older_store_that_was_copied_nothing_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "stend.db")
    monkeypatch.setattr(opening, "_only_read", lambda path: True)
    with Store.open(str(path)) as store:
        held = {file.resolve() for file in Path("/dev/fd").iterdir()}
        assert path.resolve() not in held
        assert len(store.find()) == 1


def test_a_journal_that_can_not_be_taken_up_is_one_sentence(
    open_folder: Path, tmp_path: Path
) -> None:
    path = open_folder / "stend.db"
    with sqlite3.connect(filled(tmp_path / "killed.db")) as writer:
        writer.execute("update stend_runs set label = 'new'")
        writer.commit()
        for name in ("", "-wal"):
            shutil.copy(tmp_path / f"killed.db{name}", f"{path}{name}")
            Path(f"{path}{name}").chmod(0o444)
    open_folder.chmod(0o555)
    assert "copy both files to another folder" in as_nobody(path, tmp_path)


def test_who_waits_for_a_store_to_be_brought_forward_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = older(tmp_path / "stend.db")
    slow = tables.name_cases
    monkeypatch.setattr(opening, "_SILENT", 0.01)
    monkeypatch.setattr(tables, "name_cases", lambda c: (time.sleep(0.2), slow(c)))
    Store.open(str(path)).close()
    assert capsys.readouterr().err == (
        f"The store {path} is upgraded from version 4 to {len(tables.STEPS)}, once.\n"
    )


def test_a_new_store_is_made_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tables.bring_forward
    monkeypatch.setattr(opening, "_SILENT", 0.01)
    monkeypatch.setattr(tables, "bring_forward", lambda *to: (time.sleep(0.2), made(*to)))
    Store.open(str(tmp_path / "stend.db")).close()
    assert capsys.readouterr().err == ""


def test_an_older_store_that_can_not_be_brought_forward_says_who_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "stend.db")
    monkeypatch.setattr(opening, "PATIENCE", 0.05)
    with sqlite3.connect(path) as other:
        other.execute("BEGIN IMMEDIATE")
        said = sentence(path)
    assert "locked by another process" in said
    assert "from version 4 to" in said


def test_a_store_without_permission_is_one_sentence(open_folder: Path, tmp_path: Path) -> None:
    path = filled(open_folder / "stend.db")
    path.chmod(0)
    assert as_nobody(path, tmp_path).startswith(f"The store {path} can't be opened: no permission.")


def test_a_folder_without_permission_is_one_sentence(open_folder: Path, tmp_path: Path) -> None:
    open_folder.chmod(0o555)
    path = open_folder / "stend.db"
    assert "can't be opened: its folder is not writable." in as_nobody(path, tmp_path)


def test_a_store_of_version_1_is_brought_forward_with_its_runs(tmp_path: Path) -> None:
    """In version 1 all samples of a case were in its row, as those of an added run still are."""
    path = tmp_path / "old.db"
    with Store.open(str(path)) as store:
        store.add(run())
    with sqlite3.connect(path) as connection:
        connection.execute("drop table stend_samples")
        connection.execute("update stend_version set version = 1")
    connection.close()
    with Store.open(str(path)) as store:
        assert store.load("last") == run()
        number = store.append(run().id, case(variant="new"))
        store.extend(number, case(variant="new"))
        assert store.load("last").cases == (*run().cases, case(variant="new"))


def test_a_store_of_version_2_is_brought_forward_and_finds_groups(tmp_path: Path) -> None:
    """In version 2 a run knew no group."""
    path = tmp_path / "old.db"
    with Store.open(str(path)) as store:
        store.add(run())
    with sqlite3.connect(path) as connection:
        connection.execute("drop index ix_stend_runs_group")
        connection.execute('alter table stend_runs drop column "group"')
        connection.execute("update stend_version set version = 2")
    connection.close()
    with Store.open(str(path)) as store:
        assert store.load("last") == run()
        store.add(run(id="1" * 32, group="a" * 32))
        assert [found.id for found in store.find(group="a" * 32)] == ["1" * 32]
        assert store.load("1111").group == "a" * 32


@pytest.mark.parametrize("version", ["'many'", "x'ff'", "4.5", "-1"])
def test_a_version_that_is_no_number_is_one_sentence(version: str, tmp_path: Path) -> None:
    path = filled(tmp_path / "stend.db")
    with sqlite3.connect(path) as connection:
        connection.execute(f"update stend_version set version = {version}")
    assert "is damaged" in sentence(path)


def test_an_older_store_that_lacks_a_table_is_one_sentence(tmp_path: Path) -> None:
    path = older(tmp_path / "stend.db")
    with sqlite3.connect(path) as connection:
        connection.execute("drop table stend_cases")
    assert "it lacks the table stend_cases" in sentence(path)


NO_TEXT = "cast(substr(record, 1, 40) || x'ff' || substr(record, 41) as text)"


@pytest.mark.parametrize("table", ["stend_cases", "stend_runs"])
def test_a_byte_that_is_no_text_damages_its_run_alone_in_an_older_store_too(
    table: str, tmp_path: Path
) -> None:
    path = filled(tmp_path / "stend.db")
    with Store.open(str(path)) as store:
        store.add(run(id="f" * 32, started="2020-01-01T00:00:00Z"))
    key = "run" if table == "stend_cases" else "number"
    with sqlite3.connect(path) as connection:
        connection.execute(f"update {table} set record = {NO_TEXT} where {key} = 1")
    connection.close()
    as_version_4(path)
    with Store.open(str(path)) as store:
        with pytest.raises(StoreError, match=f"{run().id} is damaged"):
            store.load(run().id)
        assert store.load("f" * 32).cases == (case(),)
        assert len(store.find()) == 2
        assert [one.id for one in store.heads(Filter(ids=["f" * 32]))] == ["f" * 32]


def test_an_index_that_has_what_its_table_lost_is_one_sentence(tmp_path: Path) -> None:
    path = filled(tmp_path / "stend.db")
    with sqlite3.connect(path) as connection:
        connection.execute("pragma writable_schema = on")
        of = "(select sql from sqlite_master where name = 'stend_version')"
        of = f"replace({of}, 'version INTEGER', cast(x'ff' as text) || ' INTEGER')"
        connection.execute(f"update sqlite_master set sql = {of} where name = 'stend_version'")
    connection.close()
    assert sentence(path)


def test_a_run_whose_time_can_not_be_is_damaged(tmp_path: Path) -> None:
    path = filled(tmp_path / "stend.db")
    with sqlite3.connect(path) as connection:
        connection.execute("update stend_runs set record = replace(record, '-11-', '-91-')")
    with Store.open(str(path)) as store:
        with pytest.raises(StoreError, match="is damaged"):
            store.load("last")
        assert store.heads(Filter()) == []


@pytest.mark.parametrize("column", ["id", "label", "host", "started", "finished", "stend"])
@pytest.mark.parametrize("damage", ["x'ff'", "cast(x'ff' as text)"])
def test_a_damaged_column_is_listed_as_what_it_holds(
    column: str, damage: str, tmp_path: Path
) -> None:
    path = filled(tmp_path / "stend.db")
    with sqlite3.connect(path) as connection:
        connection.execute(f"update stend_runs set {column} = {damage}")
    with Store.open(str(path)) as store:
        assert getattr(store.find()[0], column) == r"\xff"


def test_no_space_for_a_temporary_copy_says_where_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "stend.db")

    def full(*of: object) -> None:
        raise NoSpace("No space is left on the disk of the store.")

    monkeypatch.setattr(opening, "_only_read", lambda path: True)
    monkeypatch.setattr(opening, "_bring_forward", full)
    said = sentence(path, NoSpace)
    assert "for a temporary copy" in said
    assert "TMPDIR" in said
