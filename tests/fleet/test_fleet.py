"""Talks with nodes that do what they should not: the others go on, and what came is kept."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made import case, machine, run, sample
from patience import PATIENCE
from stend import __version__
from stend.fleet import Fleet, Request
from stend.fleet.connection import MARK, Answer, _read
from stend.fleet.nodes import COMMAND
from stend.record import Conditions, Status, to_json
from stend.running.session import Asked
from stend.store import Store

GROUP = "ab" * 16
REQUEST = Request(asked=Asked(patterns=("clock.overhead",), size="check"), group=GROUP, label="f")

HELLO = Answer(kind="hello", version=__version__)
SAMPLES = tuple(sample(process=i) for i in range(2))


def begin(host):
    return Answer(kind="begin", run=run((), machine=machine(host=host), finished=None), cases=1)


FIRST = Answer(kind="append", case=case(SAMPLES[:1]), share=0.5)
SECOND = Answer(kind="extend", case=case(SAMPLES[1:]), new=1, share=1.0)
FINISH = Answer(kind="finish", finished="2026-11-21T10:02:00Z", conditions=Conditions())


@pytest.fixture
def nodes(tmp_path):
    """Measures on nodes whose behaviour is a line of shell; gives the members and their runs."""

    def measured(scripts, patience=60.0, request=REQUEST):
        def shell(host, words):
            return ["sh", "-c", scripts[host], host, *words]

        with Store.open(str(tmp_path / "runs.db")) as store:
            with Fleet(list(scripts), shell, request, store, patience) as fleet:
                for _ in fleet.listen(lambda wait: wait):
                    pass
            runs = [store.load(found.id) for found in store.find(group=GROUP)]
        return fleet.members, {found.machine.host: found for found in runs}

    def says(*answers, then="true", after="read request"):
        """A node that says this by heart; `then` is what it does afterwards."""
        path = tmp_path / f"said-{time.monotonic_ns()}"
        path.write_bytes(b"".join(to_json(a) + b"\n" for a in answers))
        first = shlex.quote(path.read_text().split("\n")[0])
        rest = f"tail -n +2 {path}"
        return f"printf '%s\\n' {first}; {after}; {rest}; {then}"

    measured.says = says
    return measured


def patience_for(said):
    """Short only where silence is what is to be noticed: a loaded machine makes anything wait."""
    return 1.0 if "for 1 s" in said else 60.0


def test_nodes_measure_at_the_same_time_and_each_has_a_run_of_its_own(nodes):
    request = Request(
        asked=Asked(
            patterns=("clock.overhead",), settings={"timer": ["CLOCK_MONOTONIC"]}, seconds=0.05
        ),
        group=GROUP,
        label="night",
        command=("stend", "run"),
    )
    named = 'exec "$@"'  # both call themselves as this machine does
    members, runs = nodes({"n1": named, "n2": f"echo Welcome to n2.; {named}"}, request=request)
    assert not any(member.lost for member in members.values())
    assert set(runs) == {"n1", "n2"}
    for found in runs.values():
        assert (found.label, found.group, found.command) == ("night", GROUP, ("stend", "run"))
        assert found.finished
        (measured,) = found.cases
        assert measured.status is Status.MEASURED
        assert len(measured.samples) >= 3


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "echo 'ssh: connect to host n2 port 22: No route to host' >&2; exit 255",
            "n2 can't be reached (ssh: connect to host n2 port 22: No route to host).",
        ),
        ("exec /no/such/python -m stend.fleet.node", "n2 has no stend where this machine has it"),
        (
            f"exec {shlex.quote(sys.executable)} -m stend.no_such_room",
            "n2 has no stend where this machine",
        ),
        ("echo hello there; cat >/dev/null & wait", "n2 can't be reached."),
        ("yes something else", "n2 does not answer as stend does: 'something else'"),
        ("kill -9 $$", "n2 can't be reached."),
        ("exec sleep 1000", "n2 was silent for 1 s and was dropped."),
        ("trap '' TERM; sleep 1000 & sleep 1000", "n2 was silent for 1 s and was dropped."),
        (
            'echo \'{"kind":"hello","version":"9.9\\u001b"}\'; cat',
            "n2 sent a message that can't be read (a string holds the control character U+001B",
        ),
        ('echo \'{"kind":"hello","version":"9.9"}\'; cat', "n2 has stend 9.9, but this is"),
    ],
)  # fmt: skip
def test_a_node_that_never_begins_leaves_a_run_that_says_why_and_the_others_go_on(
    nodes, script, said
):
    good = nodes.says(HELLO, begin("n1"), FIRST, SECOND, FINISH)
    members, runs = nodes({"n1": good, "n2": script}, patience_for(said))
    assert runs["n2"].conditions.before[0].said.startswith(said)
    assert members["n2"].lost
    assert runs["n2"].cases == ()
    assert runs["n2"].finished
    assert runs["n1"].cases == (case(SAMPLES),)
    assert runs["n1"].conditions == Conditions()


@pytest.mark.parametrize(
    ("unsound", "said"),
    [
        (
            Answer(kind="finish", finished="yesterday", conditions=Conditions()),
            "sent data that can't be stored (This Run can't be stored: a time must look like",
        ),
        (  # a process that was told before
            Answer(kind="extend", case=case(SAMPLES[:1]), new=1),
            "sent 'extend' out of order",
        ),
    ],
)
def test_a_node_that_says_what_can_not_be_kept_ends_no_other_nodes_talk(nodes, unsound, said):
    bad = nodes.says(HELLO, begin("n2"), FIRST, unsound)
    good = nodes.says(HELLO, begin("n1"), FIRST, SECOND, FINISH)
    members, runs = nodes({"n1": f"sleep 0.2; {good}", "n2": bad})
    assert members["n2"].lost.startswith(said)
    assert runs["n2"].cases == (case(SAMPLES[:1]),)
    assert runs["n1"].cases == (case(SAMPLES),)


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("exit 1", "n2 was lost: the connection ended."),
        ("echo 'client_loop: send disconnect' >&2", "n2 was lost: the connection ended (client_"),
        ("exec sleep 1000", "n2 was silent for 1 s and was dropped."),
        ("echo what; exec sleep 1000", "n2 sent a message that can't be read (JSON is malformed"),
        ('echo \'{"kind":"extend","number":7}\'; cat', "n2 sent 'extend' out of order."),
        ('echo \'{"kind":"begin"}\'; cat', "n2 sent 'begin' out of order."),
        ('echo \'{"kind":"finish"}\'; cat', "n2 sent 'finish' out of order."),
        ('echo \'{"kind":"refused","reason":"no."}\'', "n2 can't measure: no."),
        ("head -c 300000000 /dev/zero", "n2 sent a message that can't be read"),
    ],
)
def test_what_a_node_told_before_it_was_lost_is_kept(nodes, then, said):
    bad = nodes.says(HELLO, begin("n2"), FIRST, then=then)
    good = nodes.says(HELLO, begin("n1"), FIRST, SECOND, FINISH)
    _, runs = nodes({"n1": good, "n2": bad}, patience_for(said))
    assert runs["n2"].cases == (case(SAMPLES[:1]),)
    (lost,) = runs["n2"].conditions.during
    assert (lost.kind, lost.said[: len(said)]) == ("node lost", said)
    assert runs["n1"].cases == (case(SAMPLES),)


def test_an_unsound_record_ends_its_node_alone(nodes):
    unsound = case((sample([]),))
    bad = nodes.says(HELLO, begin("n2"), Answer(kind="append", case=unsound), FINISH)
    good = nodes.says(HELLO, begin("n1"), FIRST, SECOND, FINISH)
    _, runs = nodes({"n1": good, "n2": bad})
    assert "a sample has at least one repetition" in runs["n2"].conditions.during[0].said
    assert runs["n1"].conditions == Conditions()


def test_a_node_takes_no_other_runs_place(nodes):
    """Its run gets an id here, whatever it says, and the session's label and group."""
    twice = {name: nodes.says(HELLO, begin(name), FIRST, SECOND, FINISH) for name in ("n1", "n2")}
    _, runs = nodes(twice)
    assert len({found.id for found in runs.values()} | {run().id}) == 3
    assert {found.label for found in runs.values()} == {"f"}


@given(st.binary(max_size=80) | st.binary(max_size=40).map(lambda x: MARK + x))
def test_any_line_is_an_answer_or_a_reason(line):
    told = _read(line)
    assert isinstance(told, Answer) or len(told.reason.splitlines()) == 1


def test_a_node_that_has_ended_is_sent_no_more_signals(nodes, monkeypatch):
    """Its number may by then be another process's."""
    sent = []
    killpg = os.killpg
    monkeypatch.setattr(os, "killpg", lambda group, by: sent.append(by) or killpg(group, by))
    nodes({"n1": nodes.says(HELLO, begin("n1"), FIRST, SECOND, FINISH)})
    assert set(sent) <= {0}


def test_what_a_node_refuses_is_its_sentence(nodes):
    request = Request(asked=Asked(patterns=("no.such",)), group=GROUP)
    members, _ = nodes({"n1": 'exec "$@"'}, request=request)
    assert members["n1"].lost.startswith("can't measure: no benchmark is called 'no.such'")


def running(words):
    """Processes with these words in their command line."""
    lines = {process.pid: process.info["cmdline"] for process in psutil.process_iter(["cmdline"])}
    return [pid for pid, line in lines.items() if line and words in " ".join(line)]


@contextmanager
def long_run(tmp_path, mark):
    """`stend run --hosts` on two hosts, for minutes, once both have brought something."""
    shell = tmp_path / "shell"
    shell.write_text(f'#!/bin/sh\nexec sh -c "$2 {mark}"\n')
    shell.chmod(0o755)
    (tmp_path / "hosts").write_text("n1\nn2\n")
    env = os.environ | {
        "STEND_REMOTE_SHELL": str(shell),
        "STEND_STORE": str(tmp_path / "runs.db"),
    }
    words = ["run", "clock.error", "--set", "timer=CLOCK_MONOTONIC", "--full", "--hosts"]
    process = subprocess.Popen(
        [sys.executable, "-m", "stend", *words, str(tmp_path / "hosts")],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while process.poll() is None and not both_began(env["STEND_STORE"]):
            time.sleep(0.1)
        yield process
    finally:
        process.kill()
        process.communicate()


def both_began(store):
    with Store.open(store) as runs:
        return len(runs.find()) == 2


def gone(words, within=PATIENCE):
    end = time.monotonic() + within
    while running(words) and time.monotonic() < end:
        time.sleep(0.1)
    return not running(words)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_came_and_leaves_nothing_running(tmp_path, number):
    mark = f"mark-{tmp_path.name}"
    with long_run(tmp_path, mark) as process:
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode in {130, -number}
        assert "Stopped. What was measured is stored" in said
    assert not running(mark)
    with Store.open(str(tmp_path / "runs.db")) as store:
        found = [store.load(one.id) for one in store.find()]
    assert all(one.finished for one in found)
    assert {one.cases[-1].status for one in found} == {Status.INTERRUPTED}


def test_nodes_end_by_themselves_when_the_caller_is_killed(tmp_path):
    mark = f"mark-{tmp_path.name}"
    with long_run(tmp_path, mark) as process:
        assert running(mark)
        process.kill()
        process.communicate()
        assert gone(mark)


def test_a_node_has_stend_where_this_machine_has_it():
    assert COMMAND[0] == sys.executable
