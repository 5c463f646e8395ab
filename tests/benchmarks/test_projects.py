"""Programs that stend.toml describes are benchmarks: listed, measured, refused in a sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from needed import needs

EXAMPLES = Path(__file__).parents[2] / "docs/own-programs"
COUNT = """
[programs.count]
command = "echo {n} apples"
parameters.n = [1, 2]

[programs.count.metrics.apples]
pattern = '(\\d+) apples'
unit = "apples"
better = "higher"
"""


def stend(folder, *words, **environment):
    """The command in that folder."""
    return subprocess.run(
        [sys.executable, "-m", "stend", *map(str, words)],
        cwd=folder,
        env={**os.environ, "STEND_STORE": str(folder / "store.db"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def project(folder, text=COUNT):
    """A folder with this stend.toml."""
    folder.mkdir(exist_ok=True)
    (folder / "stend.toml").write_text(text)
    return folder


def described(folder, **environment):
    """The benchmarks of `stend list --json` that are no one else's, and what is broken."""
    listed = json.loads(stend(folder, "list", "--json", **environment).stdout)
    known = {"fruit.count", "mine.count", "fruit.other"}
    return {b["name"]: b for b in listed["benchmarks"] if b["name"] in known}, listed["broken"]


def measured(folder, *words):
    """The cases of a run, by name."""
    done = stend(folder, "run", *words)
    assert done.returncode == 0, done.stderr
    stend(folder, "export", "last", "-o", folder / "run.json")
    run = json.loads((folder / "run.json").read_text())["run"]
    return {(c["benchmark"], *c["parameters"].values()): c for c in run["cases"]}


def test_a_program_is_listed_and_measured_for_each_value(tmp_path):
    folder = project(tmp_path / "fruit")
    names, broken = described(folder)
    assert list(names) == ["fruit.count"]
    assert not broken
    cases = measured(folder, "fruit", "--seconds", "0.1")
    for n in (1, 2):
        samples = cases["fruit.count", n]["samples"]
        assert len(samples) == 3
        assert {value for sample in samples for value in sample["values"]} == {n}


def test_the_nearest_file_above_and_named_ones_are_read(tmp_path):
    inner = project(tmp_path / "fruit") / "a/b"
    inner.mkdir(parents=True)
    mine = project(tmp_path / "mine")
    assert set(described(inner)[0]) == {"fruit.count"}
    assert set(described(inner, STEND_PROJECTS=str(mine))[0]) == {"fruit.count", "mine.count"}


def test_values_are_set_and_checked_at_the_command_line(tmp_path):
    folder = project(tmp_path / "fruit")
    cases = measured(folder, "fruit", "--check", "--set", "n=7")
    assert cases["fruit.count", 7]["status"] == "checked"
    wrong = stend(folder, "run", "fruit", "--set", "n=many")
    assert wrong.returncode == 2
    assert "'many' is no int" in wrong.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("programs = 5", "expected `object`, got `int`, at `programs`."),
        ("a = [", "it is no TOML"),
        ('[programs.x]\ncommand = "a"\nmetric = 5', "`metric`"),
        ('[programs.x]\ncommand = ""', "its command is empty."),
        ('[programs.x]\ncommand = "a \'"', "can't be split into words"),
        (COUNT.replace("(\\d+)", "\\d+"), "has 0 groups; it needs one"),
        (COUNT.replace("(\\d+)", "(\\d+"), "is no regular expression"),
        (COUNT.replace("pattern = '(\\d+) apples'", ""), "needs either a `pattern` or a `json`"),
        (COUNT.replace("[1, 2]", "[]"), "has no value"),
        ('[programs."stream.triad"]\ncommand = "a"', "defined twice"),
        ('[programs.x]\ncommand = "a"\nproof.file = "b"', "needs both `file` and `sha256`"),
        ('[programs.x]\ncommand = "a"\nproof = {file = "b", sha256 = "c"}', "64 hexadecimal"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "9" * 10_000, "it is no TOML"),
        ("#" + "a" * (1 << 20), "more than 1,048,576 bytes"),
        ('[programs.x]\ncommand = "a\\u0000"', "a NUL character"),
        ('[programs.x]\ncommand = "a"\nenvironment = {"A=B" = "c"}', "can't name a variable"),
        ('[programs.x]\ncommand = "a"\ntimeout = inf', "`programs[...].timeout`"),
        (COUNT.replace("[1, 2]", "[inf]"), "it is not finite"),
        (COUNT.replace("[1, 2]", f"[{2**63}]"), "does not fit into 64 bits"),
        (COUNT.replace("[1, 2]", f"['{'a' * 2000}']"), "has 2,000 characters"),
        (COUNT.replace(".n =", '."a-b" ='), "needs a name of letters"),
        (COUNT.replace(".n =", ".m ="), "the parameter 'm' changes nothing"),
        (COUNT.replace("metrics.apples", 'metrics.""'), "it is empty"),
        (COUNT.replace('unit = "apples"', 'unit = "u"\nscale = nan'), "metrics[...].scale`"),
        (COUNT.replace('unit = "apples"', 'unit = "u"\nunits = {a = 2}'), "a group `unit`"),
        (COUNT.replace("(\\d+)", "(" * 5000 + ")" * 5000), "nested too deeply"),
        (COUNT.replace("(\\d+)", "(a){99999999999}"), "is no regular expression"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_and_the_rest_works(text, said, tmp_path):
    folder = project(tmp_path / "fruit", text)
    other = project(tmp_path / "mine")
    names, broken = described(folder, STEND_PROJECTS=str(other))
    assert set(names) == {"mine.count"}
    (told,) = broken.values()
    assert said in told
    assert "\n" not in told


@pytest.mark.parametrize("family", ["own", "openssl", "sysbench"])
def test_the_examples_of_the_documentation_are_measured(family, tmp_path):
    for file in EXAMPLES.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    if family != "own":
        needs(family, family)
    cases = measured(tmp_path, family, "--seconds", "0.1")
    assert cases
    for case in cases.values():
        assert case["status"] == "measured", case["reason"]
        assert all(value > 0 for sample in case["samples"] for value in sample["values"])


def test_added_projects_are_found_from_every_folder_until_they_are_forgotten(tmp_path):
    folder, elsewhere = project(tmp_path / "fruit"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    data = {"XDG_DATA_HOME": str(tmp_path / "data")}
    assert stend(elsewhere, "add", **data).stdout.startswith("No project was added")
    assert stend(elsewhere, "add", folder, **data).stdout == f"{folder}: fruit.count.\n"
    assert set(described(elsewhere, **data)[0]) == {"fruit.count"}
    assert stend(elsewhere, "add", **data).stdout == f"{folder}/stend.toml\n"
    assert stend(elsewhere, "forget", folder, **data).returncode == 0
    assert not described(elsewhere, **data)[0]
    again = stend(elsewhere, "forget", folder, **data)
    assert again.returncode == 2
    assert "was not added" in again.stderr


def test_a_project_that_can_not_be_read_is_not_added(tmp_path):
    project(tmp_path / "fruit", "programs = 5")
    data = {"XDG_DATA_HOME": str(tmp_path / "data")}
    project(tmp_path / "second", COUNT.replace("(\\d+)", "(\\d+"))
    project(tmp_path / "third", '[programs."stream.triad"]\ncommand = "a"')
    for path, said in (
        (tmp_path / "fruit", "expected `object`"),
        (tmp_path / "second", "second.count: the pattern"),
        (tmp_path / "third", "stream.triad: it is defined twice"),
        (tmp_path, "can't be read"),
    ):
        refused = stend(tmp_path, "add", path, **data)
        assert refused.returncode == 2
        assert said in refused.stderr
    assert not (tmp_path / "data/stend/projects").exists()


def test_no_path_blocks_or_breaks_the_list(tmp_path):
    mine = project(tmp_path / "mine")
    pipe, loop = tmp_path / "pipe", tmp_path / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    paths = [pipe, loop, "/dev/zero", tmp_path, "a" * 5000, mine]
    names, broken = described(tmp_path, STEND_PROJECTS=":".join(map(str, paths)))
    assert set(names) == {"mine.count"}
    assert len(broken) == len(paths) - 1
    assert broken[str(pipe)] == "it is no ordinary file."


def test_a_folder_that_was_removed_has_no_project(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os; os.rmdir({str(gone)!r}); from stend.benchmarks import projects"
    subprocess.run([sys.executable, "-c", code], cwd=gone, check=True)


def test_a_folder_with_an_odd_line_break_is_kept(tmp_path):
    folder = project(tmp_path / "a\x85b")
    data = {"XDG_DATA_HOME": str(tmp_path / "data")}
    assert stend(tmp_path, "add", folder, **data).returncode == 0
    assert stend(tmp_path, "add", **data).stdout == f"{tmp_path}/a\\x85b/stend.toml\n"
    assert stend(tmp_path, "forget", folder, **data).returncode == 0


def test_of_two_projects_of_one_name_the_second_is_told_with_its_file(tmp_path):
    first, second = project(tmp_path / "fruit"), tmp_path / "other/fruit"
    second.parent.mkdir()
    project(second)
    names, broken = described(first, STEND_PROJECTS=str(second))
    assert set(names) == {"fruit.count"}
    assert broken["fruit.count"].startswith(
        f"in {second}/stend.toml, it is defined twice, first in"
    )
    assert f"{first}/stend.toml" in broken["fruit.count"]


def test_a_broken_program_that_is_asked_for_is_told_why(tmp_path):
    folder = project(tmp_path / "fruit", COUNT.replace("(\\d+)", "(\\d+"))
    asked = stend(folder, "run", "fruit.count")
    assert asked.returncode == 2
    assert "fruit.count can't be used: in" in asked.stderr
    assert "is no regular expression" in asked.stderr


def test_the_page_of_a_program_says_what_is_executed(tmp_path):
    folder = project(tmp_path / "fruit")
    shown = " ".join(stend(folder, "list", "fruit.count").stdout.split())
    assert "what the program prints" in shown
    assert "The program: echo {n} apples in" in shown


def test_a_parameter_is_a_variable_of_the_environment_too_and_true_as_toml_writes_it(tmp_path):
    text = """
[programs.count]
command = "sh -c 'echo $N apples {fast}'"
environment.N = "{n}"
parameters = { n = [3, 4], fast = [true, false] }
proof.pattern = "true|false"
metrics.apples = { pattern = '(\\d+)', unit = "apples", better = "higher" }
"""
    cases = measured(project(tmp_path / "fruit", text), "fruit", "--check", "--set", "fast=false")
    assert set(cases) == {("fruit.count", 3, False)}
    assert cases["fruit.count", 3, False]["samples"][0]["values"] == [3.0]


def test_a_further_metric_is_shown_in_its_unit(tmp_path):
    text = """
[programs.count]
command = "echo 5 3000000"
metrics.apples = { pattern = '^([0-9]+)', unit = "apples", better = "higher" }
metrics."all moved" = { pattern = '([0-9]+)$', unit = "B/s", better = "higher" }
"""
    folder = project(tmp_path / "fruit", text)
    assert stend(folder, "run", "fruit", "--seconds", "0.1").returncode == 0
    assert "all moved 3.00 MB/s" in stend(folder, "show", "last").stdout


def test_a_quick_run_that_names_nothing_leaves_programs_out(tmp_path):
    folder = project(tmp_path / "fruit")
    asked = "from stend.benchmarks.registry import find; print(*(b.name for b in find((), True)))"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=folder, capture_output=True, text=True, check=True
    )
    assert "stream.triad" in done.stdout.split()
    assert "fruit.count" not in done.stdout.split()
