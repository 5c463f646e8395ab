"""A real worker process, and every way it can go wrong."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import misbehaving
import pytest

from patience import PATIENCE
from stend.benchmarks.runner import Rule
from stend.record import Status
from stend.running.launch import launch
from stend.running.task import Task

ONCE = Rule(name="once")
HERE = str(Path(__file__).parent)


@pytest.fixture(autouse=True)
def _workers_find_the_misbehaving(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([HERE, *sys.path]))


def outcome(name, patience=PATIENCE, variant=None, rule=ONCE):
    from stend.machine import default_clock

    task = Task(
        benchmark=f"bad.{name}",
        module=misbehaving.__name__,
        parameters={},
        variant=variant,
        process=0,
        rule=rule,
        clock=default_clock(),
    )
    return launch(task, patience)


def test_a_worker_that_does_its_work_gives_a_proved_sample():
    done = outcome("good", rule=Rule(seconds=0.2))
    assert (done.status, done.reason) == (Status.MEASURED, "")
    assert done.sample.proof.right
    assert len(done.sample.ticks) >= 3  # what even a loaded machine makes


def test_a_runner_that_a_benchmark_brings_measures_in_its_own_way():
    done = outcome("own_runner", rule=Rule(seconds=0.2))
    assert (done.status, done.detail) == (Status.MEASURED, {"way": "its own"})
    assert done.sample.proof.right
    assert outcome("own_runner", variant="other").status is Status.WRONG


def test_check_runs_the_work_once():
    done = outcome("good")
    assert done.status is Status.CHECKED
    assert len(done.sample.ticks) == 1


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("aborts", Status.CRASHED, "SIGABRT"),
        ("lacks", Status.SKIPPED, "There are no huge pages here."),
        ("killed", Status.CRASHED, "SIGKILL"),
        ("leaves", Status.CRASHED, "code 7: the licence has expired"),
        ("raises", Status.FAILED, "RuntimeError: no such sensor"),
        ("raises_later", Status.FAILED, "StopIteration"),
        ("refuses", Status.FAILED, "0 threads were asked for"),
        ("out_of_memory", Status.FAILED, "3 GB were asked for"),
        ("wrong", Status.WRONG, "42"),
    ],
)
def test_a_worker_that_goes_wrong_is_a_record_with_a_sentence(name, status, words):
    done = outcome(name, rule=Rule(seconds=0.1))
    assert done.status is status
    assert words in done.reason


def test_a_worker_that_leaves_a_child_behind_is_not_waited_for():
    begun = time.monotonic()
    done = outcome("leaves_a_child", rule=Rule(seconds=0.1))
    assert done.status is Status.MEASURED
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("refuses", "0 threads were asked for, so ask for 1."),
        ("fails", "No pipe could be made: too many open files."),
    ],
)
def test_a_kernel_that_refuses_or_fails_speaks_for_itself(name, said):
    done = outcome(name)
    assert (done.status, done.reason) == (Status.FAILED, said)


def test_a_hanging_worker_is_ended_when_its_time_is_up():
    done = outcome("hangs", patience=0.5, rule=Rule(seconds=0.1))
    assert done.status is Status.TIMED_OUT
    assert "not finished" in done.reason


def test_a_worker_that_is_ended_leaves_no_shared_memory_behind():
    done = outcome("keeps_shared_memory", patience=3, rule=Rule(seconds=0.1))
    assert done.status is Status.TIMED_OUT
    assert list(Path("/dev/shm").glob("*_misbehaving")) == []


def test_a_kernel_that_runs_another_variant_than_asked_for_is_wrong():
    done = outcome("other_variant", variant="avx512")
    assert done.status is Status.WRONG
    assert "avx512" in done.reason


def test_a_worker_dies_with_the_process_that_launched_it():
    script = (
        "import sys, misbehaving, made\n"
        "from stend.running.launch import launch\n"
        "from stend.benchmarks.runner import Rule; from stend.running.task import Task\n"
        "launch(Task(benchmark='bad.hangs', module='misbehaving', parameters={}, variant=None,\n"
        "            process=0, rule=Rule(), clock=made.machine().clocks[0]))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script])
    worker = _child_of(parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert _gone_within(worker, seconds=10)


def _child_of(pid: int) -> int:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    for _ in range(200):
        if words := listed.read_text().split():
            return int(words[0])
        time.sleep(0.05)
    raise AssertionError("no worker was started")


def _gone_within(pid: int, seconds: float) -> bool:
    for _ in range(int(seconds / 0.05)):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False
