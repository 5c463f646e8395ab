"""A project's program: its figures are read and proved, and whatever it does is survived."""

import hashlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stend.benchmarks.runner import Rule
from stend.errors import Crashed, MeasuringError, TimedOut, WrongResult
from stend.running import command as command_module
from stend.running.command import Check, Command, Reading, substituted

RATE = Reading("rate", r"rate: ([0-9.]+)")
SHORT = Rule(seconds=0.1)


def shell(line, *readings, **more):
    """A command of a line of a shell."""
    folder = more.pop("folder", "/tmp")
    return Command(("/bin/sh", "-c", line), folder, readings, **more)


def test_the_first_figure_is_the_value_and_the_others_stand_beside(tmp_path):
    other = Reading("p99", r"p99 (?P<value>[0-9.]+) (?P<unit>\w+)", units={"ms": 1e-3})
    command = shell("echo rate: 12.5; echo p99 3 ms", RATE, other, folder=tmp_path)
    sample, detail = command.measure(SHORT, 0)
    assert set(sample.values) == {12.5}
    assert set(sample.also["p99"]) == {0.003}
    assert sample.batch == 1
    assert re.fullmatch(r"\w+, SHA-256 [0-9a-f]{64}", detail["program"])


def test_without_a_metric_the_time_of_an_execution_is_measured(tmp_path):
    sample, _ = shell("sleep 0.02", folder=tmp_path).measure(SHORT, 0)
    assert sample.values is None
    assert min(sample.ticks) > 0.02e9


def test_once_executes_it_once(tmp_path):
    shell("echo >>made", folder=tmp_path).measure(Rule(name="once"), 0)
    assert (tmp_path / "made").read_text() == "\n"


@pytest.mark.parametrize(("path", "value"), [("a.b", 1), ("$.list[1].x", 2), ("list.0.x", 1.5)])
def test_a_path_leads_into_json(path, value):
    text = '{"a": {"b": 1}, "list": [{"x": 1.5}, {"x": 2}]}'
    assert Reading("x", json=path).of(text) == value


@pytest.mark.parametrize(
    ("reading", "printed", "said"),
    [
        (RATE, "", "matches nothing in what was printed: it printed nothing"),
        (RATE, "ratio 3", "matches nothing in what was printed: 'ratio 3'"),
        (RATE, "rate: 1\nrate: 2", "matches 2 places, and has to match one"),
        (RATE, "rate: 1.2.3", "'1.2.3', which is no number"),
        (Reading("x", json="a.b"), "{", "is no JSON"),
        (Reading("x", json="a.b"), '{"a": []}', "there is no 'b'"),
        (Reading("x", json="a"), '{"a": null}', "is 'None', which is no number"),
        (Reading("x", json="a"), "[" * 100_000, "is no JSON"),
        (Reading("x", r"(.+)"), "nan", "is 'nan', which is not finite"),
        (Reading("x", r"(.+)"), "1e400", "is '1e400', which is not finite"),
        (Reading("x", r"(5)"), "5" * 2000, "matches 1,000 or more places"),
        (
            Reading("x", r"(?P<value>\d+) (?P<unit>\w+)", units={"MB": 1e6}),
            "5 GB",
            "was printed in 'GB'; its units are MB",
        ),
    ],
)
def test_what_is_not_understood_is_one_sentence(reading, printed, said):
    with pytest.raises(MeasuringError, match=re.escape(said)):
        reading.of(printed)


@pytest.mark.parametrize(
    ("line", "more", "error", "said"),
    [
        ("echo gone >&2; exit 3", {}, WrongResult, "exited with code 3 instead of 0: gone"),
        ("kill -SEGV $$", {}, Crashed, "was ended by SIGSEGV"),
        ("sleep 60", {"timeout": 0.2}, TimedOut, "took longer than 0.2 s"),
        ("cat /dev/zero", {}, MeasuringError, "printed more than"),
        ("echo bad", {"check": Check(pattern="^good")}, WrongResult, "matches '^good': 'bad'"),
        ("true", {"check": Check(file="none", sha256="00")}, WrongResult, "none can't be read"),
        ("true", {"build": "echo no compiler; exit 2"}, MeasuringError, "failed with code 2: no"),
        ("true", {"build": "sleep 60", "timeout": 0.2}, TimedOut, "took longer than 0.2 s"),
        ("true", {"check": Check(file="/dev/zero", sha256="00")}, WrongResult, "no ordinary file"),
        ("exec >&-; sleep 60", {"timeout": 0.2}, TimedOut, "took longer than 0.2 s"),
        ("trap '' TERM; sleep 60", {"timeout": 0.2}, TimedOut, "took longer than 0.2 s"),
    ],
)
def test_a_program_that_misbehaves_is_ended_and_named(line, more, error, said, tmp_path):
    with pytest.raises(error, match=re.escape(said)):
        shell(line, folder=tmp_path, **more).measure(SHORT, 0)


def test_what_a_program_leaves_behind_is_ended(tmp_path):
    line = f"(sleep 0.5; echo >{tmp_path}/late) & echo rate: 1"
    shell(line, RATE, folder=tmp_path).measure(Rule(name="once"), 0)
    time.sleep(0.7)
    assert not (tmp_path / "late").exists()


def test_a_program_that_is_replaced_meanwhile_gives_no_figure(tmp_path):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\ncp $0 new; echo '# more' >>new; mv new $0; echo rate: 1\n")
    program.chmod(0o755)
    with pytest.raises(MeasuringError, match="was replaced while it was measured"):
        Command(("./program",), tmp_path, (RATE,)).measure(Rule(name="once"), 0)


def test_a_program_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MeasuringError, match=r"There is no program .*/nothing\."):
        Command(("./nothing",), tmp_path).measure(SHORT, 0)


def test_a_file_proves_by_its_sum(tmp_path):
    right = hashlib.sha256(b"42\n").hexdigest()
    command = shell("echo 42 >answer", folder=tmp_path, check=Check(file="answer", sha256=right))
    sample, _ = command.measure(Rule(name="once"), 0)
    assert (
        sample.proof.said == "Every execution exited with code 0 and wrote answer with its SHA-256."
    )


def test_it_is_built_before_the_first_process_alone(tmp_path):
    command = shell("true", folder=tmp_path, build="echo >>built")
    for process in range(3):
        command.measure(Rule(name="once"), process)
    assert (tmp_path / "built").read_text() == "\n"


def test_parameters_replace_their_names_and_nothing_else():
    words = substituted(["-n{n}", "{unknown}", "{ n }", "{n}{n}"], {"n": 5})
    assert words == ("-n5", "{unknown}", "{ n }", "55")


def test_a_pattern_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(command_module, "PATIENCE", 0.2)
    with pytest.raises(MeasuringError, match=r"was looked for longer than 0\.2 s"):
        Reading("x", "^(a+)+$").of("a" * 50 + "b")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MeasuringError, match=r"There is no folder .*/nowhere\."):
        shell("true", folder=tmp_path / "nowhere").once()


def test_a_program_that_is_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe", 0o755)
    with pytest.raises(MeasuringError, match=r"pipe can't be read: it is no ordinary file"):
        Command(("./pipe",), tmp_path).measure(SHORT, 0)


def test_a_program_is_found_on_the_path_that_it_is_given(tmp_path):
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\necho rate: 7\n")
    program.chmod(0o755)
    command = Command(("mine",), tmp_path, (RATE,), environment={"PATH": f"{tmp_path}:/bin"})
    sample, _ = command.measure(Rule(name="once"), 0)
    assert list(sample.values) == [7.0]


def test_a_program_ends_with_the_process_that_measures_it(tmp_path):
    code = f"""
from pathlib import Path
from stend.running.command import Command
line = "echo $$ >started; mv started pid; sleep 60"
Command(("/bin/sh", "-c", line), Path({str(tmp_path)!r})).once()
"""
    measuring = subprocess.Popen([sys.executable, "-c", code])
    told = tmp_path / "pid"
    until(told.exists)
    measuring.kill()
    measuring.wait()
    program = Path(f"/proc/{told.read_text().strip()}/cmdline")
    until(lambda: not program.exists() or not program.read_bytes())


def until(so):
    """Wait for it, for at most 20 s."""
    end = time.monotonic() + 20
    while not so():
        assert time.monotonic() < end
        time.sleep(0.02)
