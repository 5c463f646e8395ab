"""A job's program, played by a script: its words, and every way it can go wrong."""

import sys
import time

import pytest

from patience import PATIENCE
from stend import native
from stend.benchmarks.runner import Rule
from stend.errors import Crashed, MeasuringError, TimedOut
from stend.record import Caution
from stend.running.job import Job

PLAYED = """
import sys, time, os
def tell(*words):
    print("\\nstend\\t" + "\\t".join(words), flush=True)
def columns(n, right="right", **more):
    global at
    numbers = {"started": range(at, at + 1000 * n, 1000), "ticks": [900 + i % 7 for i in range(n)],
               "core": [3] * n, "preempted": [0] * n, "rank 1 s": [1e-6] * n, **more}
    at += 1000 * n
    for name, values in numbers.items():
        tell("column", name, " ".join(map(str, values)))
    tell("collected", right)
at = 0
def ready():
    tell("ready", "MPI 1.0", "rank 0 on n1 CPU 0", "20")
def question():
    return sys.stdin.readline().split() or ["leave"]
"""
WELL = """
ready()
print("a line of somebody else", flush=True)
while (asked := question())[0] != "leave":
    if asked[0] == "collect":
        n = min(int(asked[2]), 500)
        columns(n, value=[1e-6 + i % 5 * 1e-9 for i in range(n)])
    else:
        tell("proof", "right", "")
"""


def job(script: str, starting: float = 20.0, answering: float = 5.0) -> Job:
    return Job(
        variant=None,
        command=(sys.executable, "-c", PLAYED + script),
        environment={},
        starting=starting,
        answering=answering,
    )


def measured(script: str, **limits: float):
    return job(script, **limits).measure(Rule(seconds=0.2), process=0)


def test_what_the_program_tells_becomes_a_sample():
    sample, detail = measured(WELL)
    assert sample.proof.right
    assert sample.batch == 1
    assert set(sample.also["rank 1 s"]) == {1e-6}
    assert set(sample.core) == {3}
    assert len(sample.values) == len(sample.ticks) > 100
    assert "rank 0 on n1 CPU 0" in detail["about"]
    assert "20 ns" in detail["about"]
    assert Caution.MIGRATED not in sample.cautions


def test_a_program_without_values_is_batched_until_one_timing_is_long_enough():
    batched = """
ready()
while (asked := question())[0] != "leave":
    if asked[0] == "collect":
        n, batch = min(int(asked[2]), 500), int(asked[1])
        columns(n, ticks=[batch * 100] * n, started=range(at, at + 1000000 * n, 1000000))
    else:
        tell("proof", "right", "")
"""
    sample, _ = measured(batched)
    assert sample.values is None
    assert sample.batch == 512  # the first doubling of 100 ns that is 50 µs


def test_a_wrong_repetition_is_a_wrong_sample():
    wrong = WELL.replace("columns(n,", "columns(n, 'wrong',")
    sample, _ = measured(wrong)
    assert not sample.proof.right


def test_a_wrong_proof_names_the_rank():
    sample, _ = measured(WELL.replace('"right", ""', '"wrong", "3"'))
    assert not sample.proof.right
    assert "Rank 3 received" in sample.proof.said


def test_what_the_program_refuses_is_a_skip_with_its_sentence():
    with pytest.raises(native.Unavailable, match=r"^No socket of n1 has two CPUs\.$"):
        measured('tell("refused", "no socket of n1 has two CPUs.")')


def test_a_program_that_ends_early_is_told_with_its_last_words():
    with pytest.raises(Crashed, match=r"exited with code 7: no such interface\.$") as ended:
        measured('print("no such interface.", file=sys.stderr); sys.exit(7)')
    assert "no such interface" in ended.value.detail["stderr"]
    assert "-c" in ended.value.detail["command"]


def test_last_words_on_standard_output_count_too():
    with pytest.raises(Crashed, match="rank 1 was killed"):
        measured('ready(); question(); print("rank 1 was killed"); sys.exit(9)')


def test_a_program_that_is_killed_is_told_by_its_signal():
    with pytest.raises(Crashed, match="SIGKILL"):
        measured("ready(); os.kill(os.getpid(), 9)")


def test_a_program_that_never_gets_ready_is_ended():
    begun = time.monotonic()
    with pytest.raises(TimedOut, match="to be ready"):
        measured("time.sleep(1000)", starting=0.5)
    assert time.monotonic() - begun < PATIENCE


def test_a_program_that_gives_no_answer_is_ended_though_it_heeds_no_signal():
    silent = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); ready(); time.sleep(1000)"
    )
    with pytest.raises(TimedOut, match="for an answer"):
        measured(silent, answering=0.5)


def test_a_program_that_does_not_exist_is_a_sentence():
    missing = Job(None, ("/nowhere/mpirun",), {})
    with pytest.raises(MeasuringError, match=r"/nowhere/mpirun.*No such file"):
        missing.measure(Rule(), 0)


def test_a_line_that_comes_in_pieces_is_one_line():
    pieces = WELL.replace(
        "ready()\n",
        'sys.stdout.write("\\nste"); sys.stdout.flush(); time.sleep(0.1)\n'
        'sys.stdout.write("nd\\tready\\tMPI\\twhere\\t20\\n"); sys.stdout.flush()\n',
        1,
    )
    assert measured(pieces)[0].proof.right


@pytest.mark.parametrize("printed", ['"y\\n"', '"y"'])
def test_a_program_that_prints_without_end_is_ended_in_time(printed: str):
    begun = time.monotonic()
    with pytest.raises(TimedOut, match="to be ready"):
        measured(f"while True: os.write(1, {printed}.encode() * 65536)", starting=0.5)
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.parametrize(
    "answer",
    [
        'tell("collected", "right")',
        'tell("collected")',
        'tell("column", "started", "x"); tell("collected", "right")',
        'tell("column")',
        'tell("column", "started", "9" * 30); tell("collected", "right")',
    ],
)
def test_an_answer_that_is_none_is_a_sentence(answer: str):
    with pytest.raises(MeasuringError, match="What the ranks answered can't be read"):
        measured(f"ready(); question(); {answer}; question()")


def test_what_is_no_proof_proves_nothing():
    with pytest.raises(MeasuringError, match="'collected' is no proof"):
        measured(WELL.replace('tell("proof", "right", "")', 'tell("collected", "right", "")'))
