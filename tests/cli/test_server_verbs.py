"""`stend token`, `audit`, `backup` and `restore`: what they print, and that it can be piped."""

import json
import re
from pathlib import Path

import pytest
import typer

from made import run
from stend.cli import administration, app
from stend.errors import BadValue, UnknownName
from stend.store import Right, Store

add, list_, revoke = (administration.TOKEN_VERBS[name] for name in ("add", "list", "revoke"))
WRITE = administration.Rights.WRITE


@pytest.fixture(autouse=True)
def store_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEND_STORE", str(tmp_path / "stend.db"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "stend.db"


def test_only_the_token_is_on_standard_output(capsys, store_path):
    add("bench", rights=WRITE)
    out, err = capsys.readouterr()
    assert re.fullmatch(r"stend_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}\n", out)
    assert "bench has the right write until `stend token revoke" in err
    assert out[19:].strip() not in err
    with Store.open() as store:
        assert store.access.who(out.strip()).right is Right.WRITE


@pytest.mark.parametrize(
    ("said", "shown"),
    [("2999-01-02", "2999-01-02T00:00:00Z"), ("2999-01-02T03:00+02:00", "2999-01-02T01:00:00Z")],
)
def test_a_date_is_read_in_utc(capsys, said, shown):
    add("bench", rights=WRITE, expires=said)
    assert f"until {shown}" in capsys.readouterr().err


def test_days_are_counted_from_now(capsys):
    add("bench", rights=WRITE, expires="90d")
    list_(json=True)
    [found] = json.loads(capsys.readouterr().out.partition("\n")[2])
    made, expires = (found[when][:10] for when in ("made", "expires"))
    assert made < expires
    assert found["live"]


@pytest.mark.parametrize(
    "said", ["", "90", "-1d", "1e9d", "99999999d", "soon", "9999-12-31T23:00-09:00"]
)
def test_what_is_no_time_is_refused(said):
    with pytest.raises(typer.BadParameter, match="is not a time; write it like 90d"):
        add("bench", rights=WRITE, expires=said)


@pytest.mark.parametrize("said", ["0d", "2020-01-01"])
def test_a_time_that_has_passed_is_refused(said):
    with pytest.raises(BadValue, match="has passed"):
        add("bench", rights=WRITE, expires=said)


def test_without_a_right_nothing_is_made(store_path):
    with pytest.raises(Exception, match="rights"):
        app(["token", "add", "bench"], standalone_mode=False)
    assert not store_path.exists()


def test_a_list_says_who_is_let_in_and_who_no_more(capsys):
    add("bench7", rights=WRITE, expires="2999-01-02")
    add("maria", rights=administration.Rights.ADMIN)
    revoke("maria")
    capsys.readouterr()
    list_()
    lines = capsys.readouterr().out.splitlines()
    assert [lines[0].split()[0], lines[1].split()[:2]] == ["name", ["maria", "admin"]]
    assert "revoked 2" in lines[1]
    assert "2999-01-02" in lines[3]
    assert "never" in lines[3]
    assert max(map(len, lines)) <= 80


def test_revoking_says_which_and_since_when(capsys):
    add("bench", rights=WRITE)
    revoke("bench")
    first = capsys.readouterr().out.splitlines()[-1]
    revoke("bench")
    assert re.fullmatch(r"The token \w{12} of bench was revoked at 2.*Z\.", first)
    assert capsys.readouterr().out.splitlines()[-1] == first
    with pytest.raises(UnknownName, match="No token is called 'nobody'"):
        revoke("nobody")


@pytest.mark.parametrize("width", ["40", "60", "80"])
def test_tables_stay_within_the_terminal(capsys, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    add("a machine of the third rack " + "x" * 70, rights=WRITE)
    with Store.open() as store:
        store.audit.note("w" * 500, "10.0.0.1", "run remove", "\x1b[2J" * 300, "s" * 999)
    capsys.readouterr()
    list_()
    administration.audit_verb()
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= int(width)
    assert "\x1b" not in out
    assert re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d", out)


def test_the_log_has_the_newest_first_and_no_more_than_asked_for(capsys):
    for name in ("one", "two"):
        add(name, rights=WRITE)
    revoke("one")
    capsys.readouterr()
    administration.audit_verb(limit=2, json=True)
    told = json.loads(capsys.readouterr().out)
    assert [(entry["did"], entry["to"]) for entry in told] == [
        ("token revoke", "one"),
        ("token add", "two"),
    ]
    assert "@" in told[0]["who"]


def test_a_store_that_is_not_there_has_no_tokens_and_stays_so(capsys, store_path):
    list_()
    administration.audit_verb()
    assert capsys.readouterr().out == (
        "There is no token; make one with `stend token add`.\nThe audit log is empty.\n"
    )
    assert not store_path.exists()


def test_a_backup_is_restored_elsewhere(capsys, tmp_path):
    with Store.open() as store:
        store.add(run())
    add("bench", rights=WRITE)
    capsys.readouterr()
    administration.backup_verb(tmp_path / "backup.db")
    administration.restore_verb(tmp_path / "backup.db", store=str(tmp_path / "other.db"))
    wrote, restored, advice = capsys.readouterr().out.splitlines()
    assert wrote.startswith(f"Wrote 1 run and 1 token to {tmp_path}/backup.db (")
    assert restored == f"Restored 1 run and 1 token from {tmp_path}/backup.db."
    assert "revoke again" in advice
    with Store.open(str(tmp_path / "other.db")) as other:
        assert other.load("last") == run()


def test_a_restored_store_names_its_damaged_runs(capsys, tmp_path, store_path):
    import sqlite3

    with Store.open() as store:
        store.add(run())
    with sqlite3.connect(store_path) as connection:
        connection.execute("update stend_runs set record = '{'")
    connection.close()
    administration.backup_verb(tmp_path / "backup.db")
    administration.restore_verb(tmp_path / "backup.db", store=str(tmp_path / "other.db"))
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == f"Damaged in the backup, and so here; they can't be shown: {run().id}."
