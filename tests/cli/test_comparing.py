"""`stend compare` as it is typed: how sides are named, what it fails on, where it writes to."""

import csv
import json
import re

import pytest
from typer.testing import CliRunner

import made
from stend.cli import app
from stend.errors import StendError
from stend.record import Status
from stend.record.run_file import write_run_file
from stend.store import Store

PROCESSES = 6


def run_of(id, speed=1.0, label="", **also):
    """A run of one case, whose processes scatter by a ten-thousandth."""
    samples = tuple(
        made.sample([1e-3 / speed * (1 + 1e-4 * (p + ord(id) % 3))] * 9, p)
        for p in range(PROCESSES)
    )
    fields = {"id": id * 32, "label": label} | also
    return made.run((made.case(samples),), **fields)


@pytest.fixture
def stend(tmp_path, monkeypatch):
    """Calls a verb beside a store of five runs; gives what it printed and complained of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEND_STORE", str(tmp_path / "runs.db"))
    monkeypatch.setenv("COLUMNS", "100")
    with Store.open() as store:
        for id, speed, label in (
            ("a", 1, "before"), ("b", 1, "before"), ("c", 2, "after"), ("d", 2, "after"),
            ("e", 1, "one,two"),
        ):  # fmt: skip
            store.add(run_of(id, speed, label))

    def call(*words, code=0):
        done = CliRunner().invoke(app, ["compare", *words])
        failed = done.exception if isinstance(done.exception, StendError) else None
        found = failed.exit_code if failed else done.exit_code
        assert found == code, f"{found}: {done.output} {done.exception!r}"
        return done.stdout, str(failed) if failed else done.stderr

    return call


def ids(stend, *words):
    """First letters of the ids on both sides."""
    found = json.loads(stend(*words, "--json")[0])
    return [
        "".join(id[0] for id in (s["id"], *s.get("more", ()))) for s in (found["a"], found["b"])
    ]


def test_names_joined_with_commas_are_one_side(stend):
    assert ids(stend, "aaaa,bbbb", "cccc, dddd") == ["ab", "cd"]


def test_a_name_that_exists_whole_is_not_split(stend, tmp_path):
    assert ids(stend, "one,two", "cccc") == ["e", "c"]
    write_run_file(run_of("f"), tmp_path / "f,g.json")
    assert ids(stend, "f,g.json", "cccc") == ["f", "c"]


def test_a_label_alone_is_its_newest_run_and_with_label_all_of_them(stend):
    assert ids(stend, "before", "after") == ["b", "d"]
    assert ids(stend, "label:before", "label:after") == ["ab", "cd"]
    assert ids(stend, "label:one,two", "label:before,cccc") == ["e", "abc"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["aaaa,nobody", "cccc"], "No stored run is called 'nobody'"),
        (["aaaa,,bbbb", "cccc"], "'aaaa,,bbbb' lacks a name next to a comma"),
        (["label:", "cccc"], "label: names no label"),
        (["label:nobody", "cccc"], "No stored run has the label 'nobody'"),
        (["", "cccc"], "An empty name names no run"),
        (["aaaa", "aaaa"], "A and B are the same run, aaaaaaaa; name two"),
        (["aaaa,bbbb", "label:before"], "The run aaaaaaaa is in A and in B"),
        (["aaaa,aaaa", "cccc"], "The run aaaaaaaa is in A twice"),
        (["label:before"], "names 2 runs, all on side A; name a side B"),
        (["aaaa"], "was not measured with --versus"),
        (["aaaa", "cccc", "--fail-on", "slow"], "not 'slow'"),
        (["aaaa", "cccc", "--fail-on", "slower:2"], "slower:2%"),
        (["aaaa", "cccc", "--json", "--format", "csv"], "--json means --format json"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(stend, words, said):
    assert said in stend(*words, code=2)[1]


def test_several_others_stand_beside_a(stend):
    text, _ = stend("aaaa", "cccc", "dddd", "one,two")
    assert "B is faster than A in the one case that both have" in text
    assert "D  one,two" in text
    found = json.loads(stend("aaaa", "cccc", "dddd", "--json")[0])
    assert [one["b"]["id"][0] for one in found] == ["c", "d"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (["slower"], 1), (["faster"], 0), (["slower:40%"], 1), (["slower:60%"], 0),
        (["slower:60%", "slower"], 1), (["faster", "slower:40%"], 1),
    ],
)  # fmt: skip
def test_fail_on_leaves_with_1_where_the_change_is_surely_so_large(stend, asked, code):
    words = [word for one in asked for word in ("--fail-on", one)]
    said = stend("label:after", "label:before", *words, code=code)[1]
    assert bool(code) == ("stream.triad" in said)


def test_fail_on_looks_at_every_side(stend):
    assert "] of C." in stend("cccc", "dddd", "aaaa", "--fail-on", "slower", code=1)[1]
    both = stend("cccc,dddd", "aaaa", "bbbb", "--fail-on", "slower", code=1)[1]
    assert "] of B and 1 more." in both
    stend("cccc", "dddd", "--fail-on", "slower")


def test_fail_on_says_how_much_could_not_be_told(stend):
    said = stend("cccc", "dddd", "--fail-on", "slower")[1]
    assert re.search(r"passes, but \d+ of \d+ cases are undecided", said)


def test_fail_on_leaves_with_5_where_b_failed_or_lacks_a_case(stend, tmp_path):
    crashed = made.case((), status=Status.CRASHED, reason="It was ended by SIGSEGV.")
    write_run_file(made.run((crashed,), id="f" * 32), tmp_path / "crashed.json")
    assert "a case of B failed" in stend("aaaa", "crashed.json", "--fail-on", "slower", code=5)[1]
    other = made.run((made.case(benchmark="fft.a"),), id="f" * 32)
    write_run_file(other, tmp_path / "other.json")
    assert "lacks cases of A" in stend("aaaa", "other.json", "--fail-on", "slower", code=5)[1]
    assert "no case in common" in stend("aaaa", "other.json")[0]


def test_the_format_is_what_the_files_name_ends_with(stend, tmp_path):
    begin = {
        "md": "<!-- stend compare -->", "csv": "a,a_id,", "json": "{", "html": "<!doctype html>",
        "txt": "A  before",
    }  # fmt: skip
    for suffix, beginning in begin.items():
        said, _ = stend("aaaa", "cccc", "-o", f"out.{suffix}")
        assert said.startswith(f"Wrote out.{suffix} (")
        assert (tmp_path / f"out.{suffix}").read_text("utf-8").startswith(beginning)
        stend("aaaa", "dddd", "-o", f"out.{suffix}")  # its own kind of file is replaced
    assert stend("aaaa", "cccc", "--format", "markdown")[0].startswith("<!-- stend compare -->")
    (row,) = csv.DictReader((tmp_path / "out.csv").open(newline=""))
    assert row["b_id"] == "d" * 32


def test_nothing_else_is_replaced_and_what_cannot_be_written_is_said(stend, tmp_path):
    (tmp_path / "mine.csv").write_text("my figures\n")
    assert "another kind of file" in stend("aaaa", "cccc", "-o", "mine.csv", code=2)[1]
    assert (tmp_path / "mine.csv").read_text() == "my figures\n"
    (tmp_path / "folder").mkdir()
    assert "Is a directory" in stend("aaaa", "cccc", "-o", "folder", code=4)[1]
    assert "No space" in stend("aaaa", "cccc", "--format", "html", "-o", "/dev/full", code=4)[1]
    assert not list((tmp_path / "folder").iterdir())


def test_run_files_are_compared_where_no_store_can_be_read(stend, tmp_path, monkeypatch):
    for id, speed in ("f", 1), ("0", 2):
        write_run_file(run_of(id, speed), tmp_path / f"{id}.json")
    (tmp_path / "broken.db").write_text("This is no database, however long it may be.")
    monkeypatch.setenv("STEND_STORE", str(tmp_path / "broken.db"))
    assert "B is faster than A" in stend("f.json", "0.json")[0]


def test_a_run_file_of_a_newer_stend_is_refused(stend, tmp_path):
    write_run_file(run_of("f"), tmp_path / "f.json")
    newer = (tmp_path / "f.json").read_text().replace('"schema":1', '"schema":99', 1)
    (tmp_path / "f.json").write_text(newer)
    assert "version 99" in stend("f.json", "aaaa", code=4)[1]


def test_a_name_that_promises_another_format_is_refused(stend, tmp_path):
    said = stend("aaaa", "cccc", "-o", "out.pdf", code=2)[1]
    assert "out.pdf ends in .pdf" in said
    assert ".txt, .md, .csv, .json, .html, or give --format" in said
    assert not (tmp_path / "out.pdf").exists()
    stend("aaaa", "cccc", "-o", "out.log", "--format", "text")
    stend("aaaa", "cccc", "-o", "out")
    assert (tmp_path / "out").read_text("utf-8").startswith("A  before")


def test_nothing_fails_beside_a_published_figure(stend):
    for sides in ("published:elbrus-16c", "aaaa"), ("aaaa", "published:elbrus-16c"):
        said = stend(*sides, "--fail-on", "slower", "--fail-on", "faster")[1]
        assert (
            said == "stend: --fail-on passes: comparisons with published figures have no verdict.\n"
        )


def test_a_published_run_has_no_verdict(stend):
    text, _ = stend("aaaa", "published:elbrus-16c", "--fail-on", "slower")
    assert "faster" not in text
    assert "have no case in common" in text
