"""`stend storage import` stores all or nothing, and prints what it did not understand."""

import os
from pathlib import Path

import pytest

import in_process
from storage.fio.reports import job, printed, report, way


@pytest.fixture
def stend(tmp_path):
    """Run the verb; what it leaves with, and what it printed."""
    env = os.environ | {"STEND_STORE": str(tmp_path / "s.db")}

    def call(*words: str | Path) -> tuple[int, str, str]:
        done = in_process.stend("storage", "import", *words, env=env)
        return done.returncode, done.stdout, done.stderr

    return call


def test_a_result_is_stored_once_and_told(tmp_path, stend):
    path = tmp_path / "a.json"
    path.write_bytes(b"hello\n" + printed(report(job(read=way({1000: 50_000}, 2000)))))
    code, out, err = stend(path, "--label=old array")
    assert not code, err
    told = out.splitlines()
    assert told[0] == (
        "storage.randread block=4096 depth=1 jobs=1 target=file: measured, IOPS 25,000"
    )
    assert told[1] == "  fio wrote outside its JSON: hello"
    assert told[2].endswith(" added.")
    _, out, _ = stend(path, "--label=old array")
    assert out.splitlines()[-1] == told[2].replace("added", "was there already")


def test_one_bad_file_of_several_stores_nothing(tmp_path, stend):
    good, bad = tmp_path / "a.json", tmp_path / "b.json"
    good.write_bytes(printed(report(job(read=way({1000: 50})))))
    bad.write_bytes(b"no result")
    code, _, err = stend(good, bad)
    assert code == 4
    assert "b.json is not a result of fio" in " ".join(err.split())
    assert not (tmp_path / "s.db").exists()
