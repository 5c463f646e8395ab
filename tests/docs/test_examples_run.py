"""The documents' examples run, beside the runs that they are about, and print what they show."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import example_runs
import examples
from documents import ROOT, blocks, commands
from stend.benchmarks import definition
from stend.benchmarks.registry import find, load
from stend.cli import app
from stend.comparing import estimate
from stend.record.run_file import read_run_file, write_run_file
from stend.store import Store

NOT_RUN = {
    "run": "it measures for minutes; tests/docs/test_commands_exist.py reads its words",
    "time": "it measures a program that is not here",
    "machine": "tests/cli runs it",
    "outliers": "it takes a fleet; tests/cli runs it",
    "gost": "engines/gost/tests runs its page",
    "tomo": "engines/tomo/tests runs its pages",
    "unet": "tests/unet runs its page",
    "storage": "tests/storage runs it",
    "serve": "it answers until Ctrl-C; tests/web runs it",
    "push": "it takes a server; tests/web runs it",
}
"""Verbs that are not run here, and why not."""

CPP = [
    block
    for document in (
        "docs/api.md",
        *(f"engines/{name}/native/{name}/README.md" for name in ("tomo", "unet")),
    )
    for block in blocks(ROOT / document)
    if block.language == "cpp"
]
WHAT_IS_LEFT_OUT = """
extern const float *sinograms, *images;
extern float *slices, *outputs;
extern std::vector<double> angles;
"""
"""Names that a fragment takes from the reader's program."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("examples") / "runs.db"
    example_runs.fill(path)
    return path


@pytest.fixture
def beside_the_runs(stored, tmp_path, monkeypatch):
    store = str(shutil.copy(stored, tmp_path / "runs.db"))
    monkeypatch.setenv("STEND_STORE", store)
    monkeypatch.chdir(tmp_path)
    with Store.open(store) as runs:
        write_run_file(runs.load("last"), "mine.json")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    shutil.copytree(ROOT / "docs/own-programs", "mytests")


ENGINES = sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("engines/*/README.md"))


@pytest.mark.parametrize("page", ["README.md", "docs/api.md", *ENGINES])
def test_python_examples_run_one_after_another(page, beside_the_runs, monkeypatch):
    load()  # else ours would be registered in what is taken back
    monkeypatch.setattr(definition, "_registered", dict(definition.registered()))
    names = {}
    for block in blocks(ROOT / page):
        if block.language == "python":
            exec(compile(block.text, f"{page}:{block.line}", "exec"), names)
    assert names


def test_a_reader_by_the_page_of_formats_finds_the_figures_of_stend(beside_the_runs, capsys):
    (block,) = (b for b in blocks(ROOT / "docs/formats.md") if b.language == "python")
    exec(compile(block.text, block.document, "exec"), {})
    found = {
        line.split()[0]: float(line.split()[-2]) for line in capsys.readouterr().out.splitlines()
    }
    run = read_run_file("mine.json")
    times = {c.benchmark: estimate(c).value for c in run.cases if c.metric.unit == "s"}
    assert len(times) == 2
    assert {name: found[name] for name in times} == pytest.approx(times)


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
def test_commands_that_measure_nothing_run_one_after_another(page, beside_the_runs, capsys):
    ran = set()
    for block in blocks(ROOT / page):
        for _, words in commands(block.text) if block.language == "sh" else ():
            if words[0] != "stend" or words[1] in NOT_RUN:
                continue
            ran.add(words[1])
            try:
                left = app(words[1:], standalone_mode=False)
            except typer.Exit as leaving:
                left = leaving.exit_code
            assert left in ((0, None, 1) if "--fail-on" in words else (0, None)), words
    assert {"show", "compare", "report", "export"} <= ran


def alike(one, other):
    """Whether only the last digits of numbers differ, in which processors' sums may differ."""
    (words, numbers), (others, theirs) = (
        (parts[::2], [float(number) for number in parts[1::2]])
        for parts in (re.split(r"(\d+(?:\.\d+)?)", text) for text in (one, other))
    )
    return words == others and numbers == pytest.approx(theirs, rel=0.05, abs=0.1)


def test_the_tutorial_shows_what_its_commands_print():
    page = (ROOT / "docs/tutorial.md").read_text("utf-8")
    assert alike(page, examples.renewed(page)), "run `make docs`"


def test_another_number_or_word_is_no_last_digit():
    assert alike("memory 92.09 ns, slower", "memory 92.1 ns, slower")
    assert not alike("memory 92.09 ns, slower", "memory 99.2 ns, slower")
    assert not alike("memory 92.09 ns, slower", "memory 92.09 ns, faster")


def test_the_tutorial_has_outputs():
    shown = examples.SHOWN.findall((ROOT / "docs/tutorial.md").read_text("utf-8"))
    assert {"show", "compare", "trend"} <= {command.split()[0] for command, _ in shown}
    assert all(output.strip() for _, output in shown)


@pytest.mark.parametrize("block", CPP, ids=lambda block: block.document)
def test_cpp_examples_compile(block, tmp_path):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    lines = block.text.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    rest = "\n".join(line for line in lines if not line.startswith("#include"))
    if "int main" not in rest:
        rest = f"{WHAT_IS_LEFT_OUT}\nvoid example() {{\n{rest}\n}}"
    source = tmp_path / "example.cpp"
    source.write_text("\n".join(["#include <vector>", *includes, rest, ""]))
    include_paths = [
        f"-I{path}" for path in (ROOT / "native/include", *ROOT.glob("engines/*/include"))
    ]
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", *include_paths, source],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_an_output_that_is_not_todays_is_found(tmp_path):
    page = "```sh\nstend list stream.triad --json | wc\n```\n\nno\n"
    assert examples.renewed(page) == page
    page = "```sh\nstend runs --limit 1\n```\n\n```text\nold\n```\n"
    assert re.search(r"```text\nid .*\nffffffff ", examples.renewed(page))


def test_the_runs_are_the_same_everywhere():
    assert list(example_runs.runs()) == list(example_runs.runs())
    assert sys.modules["example_runs"].__file__ == str(Path(ROOT, "docs/example_runs.py"))


def test_the_runs_of_the_examples_are_by_variants_that_exist():
    for name, (_, variant) in example_runs.CASES.items():
        known = {one.name for one in find([name])[0].available()}
        assert variant is None or variant in known, (name, variant, known)
