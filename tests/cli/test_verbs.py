"""The verbs as a user meets them: what they print, what they leave with, what they keep."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import in_process
from made import run as made_run
from patience import PATIENCE
from stend.cli import VERBS

STEND = [sys.executable, "-c", "from stend.cli import main; main()"]
TWO = ["--set", "timer=CLOCK_MONOTONIC,CLOCK_REALTIME"]
LIGHT = ["--set", "elements=1000", "--seconds", "0.1"]


@pytest.fixture
def stend(tmp_path):
    def call(*words, code=0):
        env = os.environ | {"STEND_STORE": str(tmp_path / "runs.db"), "COLUMNS": "80"}
        env.pop("FORCE_COLOR", None)
        done = in_process.stend(*words, env=env, cwd=tmp_path)
        assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.mark.parametrize(
    "verb",
    VERBS,
)
def test_every_verb_teaches_itself(stend, verb):
    assert "Usage" in stend(verb, "--help").stdout


def test_list_names_every_benchmark_with_its_question(stend):
    listed = json.loads(stend("list", "--json").stdout)["benchmarks"]
    names = {b["name"] for b in listed}
    assert {"stream.copy", "stream.scale", "stream.add", "stream.triad"} <= names
    assert {"memory.write", "clock.overhead", "clock.resolution", "clock.error"} <= names
    assert all(b["question"].endswith("?") for b in listed)


def test_list_keeps_questions_in_their_column_and_names_the_suites(stend):
    lines = stend("list").stdout.splitlines()
    column = next(line.index("How wrong") for line in lines if "How wrong" in line)
    assert all(line[column - 2 : column] == "  " for line in lines)
    assert any(line.split()[:3] == ["processor", "all", "of"] for line in lines)


def test_list_names_the_families_that_are_in_no_suite(stend):
    last = [line.split() for line in stend("list").stdout.splitlines()[-11:]]
    assert [words[0] for words in last if words[1] == "all"][2:] == [
        "clock", "cores", "gost", "mpi", "numa", "storage", "threads", "tomo", "unet",
    ]  # fmt: skip


def test_machine_tells_facts_and_disturbances_as_json(stend):
    told = json.loads(stend("machine", "--json").stdout)
    assert told["machine"]["threads"] == os.cpu_count()
    assert isinstance(told["disturbances"], list)


def test_a_run_is_measured_stored_shown_exported_imported_compared_and_reported(stend, tmp_path):
    stend("run", "stream.triad", "--set", "threads=1", *LIGHT, "--label", "first")
    shown = json.loads(stend("show", "first", "--json").stdout)
    assert [c["status"] for c in shown["cases"]] == ["measured"]
    assert shown["cases"][0]["estimate"]["value"] > 1e8
    stend("run", "stream.triad", "--set", "threads=1", *LIGHT)
    assert "first" in stend("runs").stdout
    stend("export", "first", "-o", "first.json")
    assert "was there already" in stend("import", "first.json").stdout
    compared = json.loads(stend("compare", "first.json", "last", "--json").stdout)
    assert compared["rows"][0]["verdict"] in {"faster", "slower", "same", "cannot tell"}
    stend("report", "first", "last", "-o", "both.html")
    assert "stream.triad" in (tmp_path / "both.html").read_text()


def test_versus_gives_a_verdict_over_pairs(stend):
    done = stend(
        "run",
        "stream.copy",
        "--variant",
        "plain",
        "--versus",
        "plain",
        "--pairs",
        "8",
        "--set",
        "threads=1",
        *LIGHT,
    )
    assert any(word in done.stdout for word in ("faster", "slower", "same", "cannot tell"))


def test_rounds_names_its_criterion(stend):
    stend(
        "run",
        "clock.overhead",
        "--set",
        "timer=CLOCK_MONOTONIC",
        "--stop",
        "rounds",
        "--seconds",
        "0.5",
    )
    stend("export", "-o", "r.json")


def test_time_measures_a_command_with_its_memory(stend, tmp_path):
    stend("time", "--seconds", "0.5", "--", "sh", "-c", "exit 0")
    stend("export", "-o", "t.json")
    (case,) = json.loads((tmp_path / "t.json").read_text())["run"]["cases"]
    sample = case["samples"][0]
    assert set(sample["also"]) == {"user s", "system s", "peak memory B"}
    assert max(sample["also"]["peak memory B"]) < 8e6


def test_time_interleaves_two_commands(stend):
    done = stend("time", "--versus", "sleep 0.3", "--pairs", "10", "--", "sleep", "0.01")
    assert "slower" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["run", "straem"], 2, "did you mean 'stream'"),
        (["run", "stream", "--set", "thread=1"], 2, "did you mean 'threads'"),
        (["run", "stream", "--set", "threads"], 2, "--set threads=1,2"),
        (["run", "stream", "--set", "threads=zero"], 2, "not a whole number"),
        (["run", "stream", "--variant", "zzz"], 2, "'zzz'"),
        (["run", "--quick", "--full"], 2, "exclude each other"),
        (["show", "nothing-like-this"], 2, "nothing-like-this"),
        (["time", "--versus", "'", "--", "true"], 2, "quotes"),
        (["import", "missing.json"], 4, "missing.json"),
        (["runs", "--store", "mysql://x/y"], 2, "mysql"),
        (["run", "--set", "threads=1", "--set", "threads=2"], 2, "given twice"),
        (["run", "--pairs", "3"], 2, "--versus"),
        (["time", "--pairs", "3", "--", "true"], 2, "--versus"),
        (["report", "last", "-o", "no/such/folder/r.html"], 2, "last"),
    ],
)
def test_what_is_asked_wrongly_is_one_sentence_and_a_code(stend, words, code, sentence):
    said = stend(*words, code=code).stderr
    assert sentence in said
    assert said.startswith("stend: ")
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["false"], "exited with code 1"),
        (["sh", "-c", "no-such-program"], "not found"),
        (["sh", "-c", "kill -9 $$"], "SIGKILL"),
        (["sh", "-c", "echo gone wrong >&2; exit 3"], "code 3: gone wrong"),
    ],
)
def test_a_command_that_fails_is_a_stored_failure(stend, command, sentence):
    stend("time", "--", *command, code=5)
    (case,) = json.loads(stend("show", "--json").stdout)["cases"]
    assert case["status"] == "failed"
    assert sentence in case["reason"]


def test_a_malformed_run_file_is_refused_and_changes_nothing(stend, tmp_path):
    (tmp_path / "bad.json").write_text('{"stend": "run", "schema": 1, "cases": [')
    assert "bad.json" in stend("import", "bad.json", code=4).stderr
    assert json.loads(stend("runs", "--json").stdout) == []


def test_fail_on_slower_leaves_with_1(stend, tmp_path):
    from made import case, sample
    from stend.record.run_file import write_run_file

    fast = [1e-3 + 1e-8 * i for i in range(20)]
    for name, factor in (("a", 1.0), ("b", 2.0)):
        samples = tuple(sample([factor * s * (1 + 1e-4 * p) for s in fast], p) for p in range(6))
        write_run_file(made_run((case(samples),), id=name * 32), tmp_path / f"{name}.json")
    stend("compare", "a.json", "b.json", "--fail-on", "slower", code=1)
    stend("compare", "b.json", "a.json", "--fail-on", "slower", code=0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_was_measured_and_leaves_with_130(tmp_path, number):
    env = os.environ | {"STEND_STORE": str(tmp_path / "runs.db")}
    run = subprocess.Popen(
        [*STEND, "run", "clock.overhead", *TWO, "--seconds", "0.1"],
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    _first_case(run)
    run.send_signal(number)
    assert run.wait(timeout=PATIENCE) == 130
    done = in_process.stend("show", "--json", env=env)
    shown = json.loads(done.stdout)
    # a case whose processes disagree takes more passes, so that either may end first
    assert sorted(c["status"] for c in shown["cases"]) == ["interrupted", "measured"]
    assert all(c["estimate"]["value"] > 0 for c in shown["cases"])
    assert shown["finished"] is not None


def _first_case(run):
    """Wait until one case has ended: the other one is in its last pass."""
    while "clock.overhead" not in run.stderr.readline():
        assert run.poll() is None


def test_kill_9_loses_at_most_the_process_under_way(tmp_path):
    env = os.environ | {"STEND_STORE": str(tmp_path / "runs.db")}
    run = subprocess.Popen(
        [*STEND, "run", "clock.overhead", *TWO, "--seconds", "0.1"],
        env=env,
        stderr=subprocess.PIPE,
        text=True,
    )
    _first_case(run)
    run.kill()
    run.wait()
    done = in_process.stend("show", "--json", env=env)
    shown = json.loads(done.stdout)
    assert shown["finished"] is None
    assert [c["status"] for c in shown["cases"]] == ["measured", "measured"]
    first, second = (case["estimate"]["processes"] for case in shown["cases"])
    assert first >= 3
    assert second >= first - 1


def test_importing_stend_loads_neither_numpy_nor_sqlalchemy():
    code = (
        "import sys, stend, stend.cli; print([m for m in ('numpy', 'scipy', 'sqlalchemy', "
        "'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_worker_loads_storage_for_storage_alone():
    loaded = (
        "import sys, stend.running.worker; "
        "print([m for m in sys.modules if m.startswith(('stend.storage', 'stend.machine'))])"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_a_file_that_exists_is_preferred_to_a_stored_name(stend, tmp_path):
    from stend.record.run_file import write_run_file

    write_run_file(made_run(label="in the file"), tmp_path / "last")
    assert json.loads(stend("show", "last", "--json").stdout)["label"] == "in the file"


def test_time_of_day_is_utc(stend):
    stend("time", "--seconds", "0.1", "--", "true")
    started = json.loads(stend("show", "--json").stdout)["started"]
    assert abs(time.time() - _epoch(started)) < 300


def _epoch(text):
    from datetime import datetime

    return datetime.fromisoformat(text).timestamp()


def test_the_command_is_kept_for_reproduction(stend):
    stend("time", "--seconds", "0.1", "--", "true")
    assert json.loads(stend("show", "--json").stdout)["command"][1:3] == ["time", "--seconds"]


def test_a_home_that_takes_no_store_is_one_sentence_that_names_the_way_out(tmp_path):
    (tmp_path / "home").write_text("a file where the home should be")
    env = os.environ | {"HOME": str(tmp_path / "home")}
    for name in ("STEND_STORE", "XDG_DATA_HOME"):
        env.pop(name, None)
    done = in_process.stend("time", "--", "true", env=env, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("stend: ")
    assert "STEND_STORE" in done.stderr


def test_comparing_one_run_without_sides_is_refused(stend, tmp_path):
    from stend.record.run_file import write_run_file

    write_run_file(made_run(), tmp_path / "a.json")
    assert "--versus" in stend("compare", "a.json", code=2).stderr


def test_fail_on_does_not_pass_what_failed(stend, tmp_path):
    from made import case
    from stend.record import Status
    from stend.record.run_file import write_run_file

    crashed = case((), status=Status.CRASHED, reason="The worker process was ended by SIGSEGV.")
    write_run_file(made_run(id="a" * 32), tmp_path / "a.json")
    write_run_file(made_run((crashed,), id="b" * 32), tmp_path / "b.json")
    stend("compare", "a.json", "b.json", "--fail-on", "slower", code=5)
