"""Files of other tools at the command line: told apart by content, refused in one sentence."""

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stend.cli import app
from stend.errors import RunFileError
from stend.foreign import TOOLS, read_results
from stend.record.invariants import validate
from stend.store import Store

RESULTS = Path(__file__).parent / "results"
FILES = sorted(
    path for path in RESULTS.rglob("*.*") if path.stem not in ("benchmarks", "benchmark")
)
FILES = [path for path in FILES if path.name != "estimates.json"]


def run_app(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def test_the_same_file_is_the_same_run(tmp_path):
    store = tmp_path / "store.db"
    for said in ("added", "was there already"):
        done = run_app("import", RESULTS / "jmh.json", "--store", store)
        assert done.exit_code == 0
        assert done.stdout.endswith(f"{said}.\n")


def test_a_label_takes_several_files_together(tmp_path):
    store = tmp_path / "store.db"
    for label in ("base", "new"):
        files = [RESULTS / "google-1.7.json", RESULTS / "google-1.9.json"]
        assert run_app("import", "--label", label, "--store", store, *files).exit_code == 0
    with Store.open(str(store), create=False) as runs:
        assert sorted(entry.label for entry in runs.find()) == ["base", "base", "new", "new"]
    done = run_app("compare", "label:base", "label:new", "--store", store)
    assert "googlebenchmark" in done.stdout


def test_compare_takes_files_as_they_are():
    done = run_app("compare", RESULTS / "hyperfine-1.15.json", RESULTS / "hyperfine-failing.json")
    assert done.exit_code == 0
    assert "hyperfine-failing" in done.stdout


def test_an_imported_run_is_exported_and_read_again(tmp_path):
    store, file = tmp_path / "store.db", tmp_path / "run.json"
    run_app("import", RESULTS / "pytest.json", "--store", store)
    assert run_app("export", "last", "-o", file, "--store", store).exit_code == 0
    assert read_results(file) == read_results(RESULTS / "pytest.json")


def refusal(path):
    """What is said of a file; nothing of one that becomes a sound run."""
    try:
        validate(read_results(path))
    except RunFileError as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_that_is_cut_off_is_one_sentence(path, tmp_path):
    text = path.read_bytes()
    for part in (0, 1, len(text) // 3, len(text) // 2, len(text) - 3):
        cut = tmp_path / f"cut{path.suffix}"
        cut.write_bytes(text[:part])
        said = refusal(cut)
        assert said.endswith(".")
        assert "\n" not in said


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_spoiled_file_is_a_sound_run_or_one_sentence(path, tmp_path):
    text, chance = path.read_bytes(), random.Random(1)
    spoiled = tmp_path / f"spoiled{path.suffix}"
    for _ in range(150):
        spoiled.write_bytes(_spoiled(text, chance))
        assert "\n" not in refusal(spoiled)


def _spoiled(text, chance):
    words = [b"null", b"-1", b"1e308", b"1e999", b"[]", b"{}", b'""', b"NaN", b"\x00", b"<a>", b"0"]
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text))
        until = min(len(text), at + chance.choice((0, 1, 5, 40)))
        if chance.random() < 0.5:  # a value of a field
            colon = text.find(b": ", at)
            if colon > 0:
                at = colon + 2
                until = min(i for i in (text.find(b, at) for b in (b",", b"\n", b"}")) if i > 0)
        text = text[:at] + chance.choice(words) + text[until:]
    return text


def test_a_file_of_nobody_names_whose_are_read(tmp_path):
    (tmp_path / "x.json").write_text('{"a": 1}')
    said = refusal(tmp_path / "x.json")
    assert all(tool in said for tool in TOOLS)


def test_a_folder_without_criterions_results_says_what_to_name(tmp_path):
    with pytest.raises(RunFileError, match="target/criterion"):
        read_results(tmp_path)


def test_xml_that_declares_entities_is_refused(tmp_path):
    bomb = tmp_path / "bomb.xml"
    bomb.write_text('<!DOCTYPE a [<!ENTITY b "bb">]>\n<Catch name="x">&b;</Catch>')
    with pytest.raises(RunFileError, match="document type"):
        read_results(bomb)


def test_units_that_change_within_a_benchmark_are_refused(tmp_path):
    file = json.loads((RESULTS / "google-1.9.json").read_text())
    file["benchmarks"][1]["time_unit"] = "us"
    (tmp_path / "changed.json").write_text(json.dumps(file))
    with pytest.raises(RunFileError, match="'ns' and 'us'"):
        read_results(tmp_path / "changed.json")


def test_a_file_without_a_result_is_refused(tmp_path):
    (tmp_path / "none.json").write_text('{"context": {}, "benchmarks": []}')
    with pytest.raises(RunFileError, match="has no result of Google Benchmark"):
        read_results(tmp_path / "none.json")


def google(**fields):
    """A file of Google Benchmark with one benchmark."""
    entry = {"name": "BM", "run_type": "iteration", "real_time": 5.0, "time_unit": "ns", **fields}
    return {"context": {"date": fields.pop("date", "")}, "benchmarks": [entry]}


def asv(result, params=(), **fields):
    """A file of asv with one benchmark."""
    return {"commit_hash": "abc", "results": {"time_x": [result, list(params)]}, **fields}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (google(iterations=-5), "Expected `int` >= 1"),
        (google(iterations=10**400), "Google Benchmark"),
        (google(real_time=10**400), "out of range"),
        (google(real_time=float("inf")), "a column's numbers are"),
        (
            {"machine_info": {}, "benchmarks": [{"name": "a", "stats": {"iterations": 1 << 62}}]},
            "<=",
        ),
    ],
)
def test_numbers_out_of_range_are_refused_in_one_sentence(content, said, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    assert said in refusal(path)


@pytest.mark.parametrize(
    "content",
    [
        google(items_per_second=float("nan"), more=10**400),
        google(real_time=float("nan")),
        google(date="0001-01-01T00:00:00+23:59"),
        google(date="9999-12-31T23:59:59-23:59"),
        asv([10**400, 1.0]),
        asv([float("nan"), 1.0]),
        asv([1.0], [["a"] * 200] * 8),
    ],
)
def test_what_tools_write_oddly_is_read(content, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content, separators=(",", ":")))
    assert refusal(path) == ""


def test_a_combination_that_asv_left_out_is_a_failed_case(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(asv([float("nan"), 1.0], [["1", "2"]])))
    assert [str(case.status) for case in read_results(path).cases] == ["failed", "measured"]


def test_criterions_folder_is_compared_and_shown_as_it_is(tmp_path):
    store, folder = tmp_path / "store.db", RESULTS / "criterion"
    for words in (("show", folder), ("compare", RESULTS / "jmh.json", folder)):
        done = run_app(*words, "--store", store)
        assert done.exit_code == 0, done.stderr
        assert "criterion" in done.stdout
