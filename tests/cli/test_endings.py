"""How a verb ends when it is cut short, and what is refused before anything is stored."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import in_process
from made import case, run, sample
from patience import PATIENCE
from stend.record.run_file import write_run_file

STEND = [sys.executable, "-m", "stend"]


@pytest.fixture
def env(tmp_path):
    return os.environ | {"STEND_STORE": str(tmp_path / "runs.db"), "COLUMNS": "80"}


def ended(env, *words, **more):
    return in_process.stend(*words, env=env, **more)


def stored(env):
    return json.loads(ended(env, "runs", "--json").stdout)


@pytest.mark.parametrize("words", [["show", "a.json"], ["--help"], ["gost", "-h"], ["--version"]])
def test_a_closed_pipe_ends_a_verb_as_sigpipe_does_and_silently(env, tmp_path, words):
    write_run_file(run(), tmp_path / "a.json")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*STEND, *words],
        cwd=tmp_path,
        env=env,
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_a_run_whose_progress_nobody_reads_is_finished_in_the_store(env):
    reader, writer = os.pipe()
    os.close(reader)
    words = ["time", "--seconds", "0.1", "--", "true"]
    subprocess.run([*STEND, *words], env=env, stderr=writer, timeout=PATIENCE, check=False)
    os.close(writer)
    assert stored(env)[0]["finished"]


@pytest.mark.parametrize(
    "words",
    [
        ["time", "--seconds", "60", "--", "sleep", "0.02"],
        ["time", "--versus", "sleep 0.03", "--pairs", "5000", "--", "sleep", "0.02"],
        ["run", "clock.overhead", "--seconds", "30"],
        ["run", "stream.copy", "--set", "elements=1000", "--variant", "plain", "--versus", "plain",
         "--seconds", "0.3", "--pairs", "900"],
    ],
)  # fmt: skip
def test_ctrl_c_again_and_again_still_finishes_and_shows_the_run_without_a_traceback(env, words):
    process = subprocess.Popen(
        [*STEND, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not any(found["id"] for found in stored(env)):
        time.sleep(0.1)
    time.sleep(0.5)
    for _ in range(8):
        process.send_signal(signal.SIGINT)
        time.sleep(0.04)
    shown, said = process.communicate()
    # Python may end itself by the signal instead, which a shell shows as 130 too.
    assert process.returncode in {130, -signal.SIGINT}
    assert "Traceback" not in said
    assert stored(env)[0]["finished"]
    assert shown.startswith(stored(env)[0]["id"][:12])
    assert "What was measured is stored" in said


INTERRUPTED = """
import os, signal
from stend.processes import interrupts
interrupts.listen()
def ask(): os.kill(os.getpid(), signal.SIGINT)
def tried(work, *words):
    try:
        work(*words)
    except KeyboardInterrupt:
        print("ended")
with interrupts.held():
    ask()
    print("held")
    tried(interrupts.heeding(print), "not begun")
    ask()
    print("held on")
print("answered")
def unanswered():
    with interrupts.held():
        ask()
        print("held again")
tried(unanswered)
tried(ask)
ask()
print("enough")
"""


def test_what_is_held_goes_on_and_what_heeds_is_not_begun():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True
    )
    said = ["held", "ended", "held on", "answered", "held again", "ended", "ended", "enough"]
    assert done.stdout.split("\n") == [*said, ""]


def test_a_signal_that_stend_was_started_to_ignore_is_ignored(env):
    command = shlex.join([*STEND, "time", "--seconds", "0.5", "--", "true"])
    shell = subprocess.Popen(["sh", "-c", f"trap '' INT; exec {command}"], env=env)
    time.sleep(0.7)
    shell.send_signal(signal.SIGINT)
    assert shell.wait(timeout=PATIENCE) == 0


def test_an_interrupted_case_keeps_its_figure(env, tmp_path):
    """Interrupted after the warm-up, at most 2 of the 8 s, and before 128 executions can end it."""
    made = tmp_path / "made"
    made.touch()
    program = ["sh", "-c", f"echo >> {shlex.quote(str(made))}; sleep 0.1"]
    process = subprocess.Popen([*STEND, "time", "--seconds", "8", "--", *program], env=env)

    def wait_for(executions):
        while made.stat().st_size < executions and process.poll() is None:
            time.sleep(0.01)

    wait_for(1)
    time.sleep(2.5)
    wait_for(made.stat().st_size + 3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 130
    shown = ended(env, "show").stdout
    assert "Ctrl-C ended it" in shown
    assert " ms" in shown


def test_output_that_goes_nowhere_is_one_sentence(env):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*STEND, "runs"], env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 4
    assert done.stderr == "stend: No space is left for the output; send it elsewhere.\n"
    for words in ["runs"], ["--help"]:
        closed = ["sh", "-c", f"{shlex.join([*STEND, *words])} >&-"]
        done = subprocess.run(closed, env=env, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 4
        assert done.stderr.startswith("stend: Standard output is closed")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["time", "--", "no-such-program"], "`no-such-program` can't be started: it was not found"),
        (["time", "--versus", "./nor-this", "--", "true"], "`./nor-this` can't be started"),
        (["time", "--label", "last~1", "--", "true"], "is reserved: `last~1` has a meaning"),
        (["time", "--seconds", "nan", "--", "true"], "86400"),
        (["run", "stream.copy", "--set", "threads=1000"], "1000 threads need as many CPUs"),
        (["run", "stream", "--set", "elements=1e13"], "GB available"),
        (["run", "--check", "--stop", "rounds"], "--check"),
        (["run", "--check", "--versus", "plain", "--pairs", "9"], "--pairs"),
        (["time", "--seconds", "1", "--versus", "true", "--", "true"], "--pairs"),
        (["run", "--store", ""], "--store names no store"),
        (["run", "stream.triad", "--versus", "", "--seconds", "0.1"], "variant ''"),
        (["run", "stream.triad", "--versus", "plain", "--pairs", "5"], "give --pairs 9"),
        (["time", "--versus", "true", "--pairs", "7", "--", "true"], "give --pairs 8"),
        (["time", "--", "/etc"], "it is not an executable file"),
        (["run", "--hosts", "no-hosts"], "The hostfile no-hosts can't be read: No such file"),
        (["run", "--hosts", "/dev/null"], "/dev/null names no host"),
        (["outliers", "nothing"], "No stored run is called 'nothing'"),
        (["remove", ""], "An empty name names no run"),
        (["show", "x" * 300], "No stored run is called"),
        (["show", "label:x"], "Only `stend compare` takes all runs of a label"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_stored(env, tmp_path, words, sentence):
    done = ended(env, *words, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.split())
    assert stored(env) == []


def test_looking_at_a_store_that_is_not_there_does_not_make_it(env, tmp_path):
    assert "No run is stored" in ended(env, "runs").stdout
    assert "has no run yet" in ended(env, "show").stderr
    assert list(tmp_path.iterdir()) == []


def test_a_removed_run_is_gone_and_the_others_stay(env, tmp_path):
    for name in ("first", "second"):
        write_run_file(run(id=name[0].encode().hex() * 16, label=name), tmp_path / f"{name}.json")
        ended(env, "import", str(tmp_path / f"{name}.json"))
    assert ended(env, "remove", "first", "nothing").returncode == 2
    assert len(stored(env)) == 2
    assert ended(env, "remove", "first").stdout == "Removed run 66666666.\n"
    assert [found["label"] for found in stored(env)] == ["second"]


def test_a_removed_run_is_put_back_or_gone_for_good(env, tmp_path):
    write_run_file(run(label="first"), tmp_path / "a.json")
    ended(env, "import", str(tmp_path / "a.json"))
    assert ended(env, "remove", "--undo", "--for-good", "last").returncode == 2
    ended(env, "remove", "first")
    listed = ended(env, "runs", "--removed").stdout
    assert "first" in listed
    assert json.loads(ended(env, "runs", "--removed", "--json").stdout)[0]["label"] == "first"
    again = ended(env, "import", str(tmp_path / "a.json"))
    assert again.returncode == 3
    assert f"stend remove --undo {run().id[:8]}" in " ".join(again.stderr.split())
    assert ended(env, "remove", "--undo", "last").stdout == "Put run 01234567 back.\n"
    assert [found["label"] for found in stored(env)] == ["first"]
    ended(env, "remove", "first")
    for back in ("first", "nothing"):
        assert ended(env, "remove", "--undo", "nothing", back).returncode == 2
    assert ended(env, "remove", "--for-good", "first").stdout == (
        "Removed run 01234567 for good.\n"
    )
    assert "No removed run is called" in ended(env, "remove", "--undo", "last").stderr
    assert "No stored run is called" in ended(env, "remove", "--for-good", "first").stderr
    assert "No removed run is kept" in ended(env, "runs", "--removed").stdout


def test_a_password_in_the_command_is_not_kept(env, tmp_path):
    for url in ("https://me:pa55w@example.org/", "postgresql://h/d?user=me&password=pa55w"):
        ended(env, "time", "--seconds", "0.1", "--", "echo", url)
        ended(env, "export", "-o", str(tmp_path / "run.json"))
        text = (tmp_path / "run.json").read_text()
        assert "pa55w" not in text
        assert "***" in text


def test_a_report_does_not_replace_a_run_file(env, tmp_path):
    write_run_file(run(), tmp_path / "a.json")
    before = (tmp_path / "a.json").read_bytes()
    (tmp_path / "a").write_bytes(before)
    done = ended(env, "report", str(tmp_path / "a.json"), "-o", str(tmp_path / "a"))
    assert (done.returncode, "not replaced" in done.stderr) == (2, True)
    assert (tmp_path / "a").read_bytes() == before


def started(env, encoding, *words):
    """As a process, since a process decides on its encoding when it starts."""
    return subprocess.run(
        [*STEND, *words],
        env=env | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        encoding=encoding,
        timeout=PATIENCE,
        check=False,
    )


def test_an_output_of_few_characters_shows_others(env, tmp_path):
    write_run_file(run(), tmp_path / "a.json")
    done = started(env, "ascii", "show", str(tmp_path / "a.json"))
    assert (done.returncode, done.stderr) == (0, "")


def test_an_output_of_few_characters_keeps_the_sign_of_a_change(env, tmp_path):
    sides = []
    for name, seconds in (("a", 1e-3), ("b", 2e-3)):
        samples = tuple(sample([seconds * (1 + 0.001 * i)] * 3, process=i) for i in range(5))
        sides.append(tmp_path / f"{name}.json")
        write_run_file(run((case(samples),), id=name * 32), sides[-1])
    for encoding in ("ascii", "latin-1"):
        words = ["compare", *map(str, sides)]
        done = started(env, encoding, *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert "-50.0%" in done.stdout, done.stdout
        assert "?50" not in done.stdout
