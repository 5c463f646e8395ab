"""Children that heed no signal, are stopped or leave others behind: nobody of them is left."""

import os
import signal
import subprocess
import sys
import time

import pytest

from patience import comes_true
from stend.processes.child import Child, Ladder

TERM: Ladder = ((signal.SIGTERM, 0.2),)
LONG: Ladder = ((signal.SIGTERM, 100.0),)


def child(script: str, ladder: Ladder = TERM) -> Child:
    """A shell that has printed a line by now."""
    made = Child(["sh", "-c", script], stderr=subprocess.DEVNULL, ladder=ladder)
    assert made.output.readline()
    return made


def gone(group: int) -> bool:
    """Whether nobody of it is left; init buries who is killed a little later."""

    def empty() -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        return False

    return comes_true(empty)


@pytest.mark.parametrize(
    "script",
    [
        "sleep 987 & echo; wait",
        "trap '' TERM; sleep 987 & echo; wait",
        "sleep 987 & echo; kill -STOP $$",
        "trap '' TERM; sleep 987 & echo; exit",
    ],
    ids=["heeds", "ignores", "stopped", "has ended"],
)
def test_a_child_ends_with_what_it_started(script: str) -> None:
    with child(script) as ended:
        pass
    assert ended.returncode is not None
    assert gone(ended.pid)


def test_a_child_that_ends_in_time_is_not_killed() -> None:
    with child("trap 'exit 7' TERM; echo; while :; do sleep 0.01; done", LONG) as ended:
        pass
    assert ended.returncode == 7


def test_ctrl_c_while_a_child_is_being_ended_kills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    deaf = child("trap '' TERM; echo; sleep 987", LONG)
    monkeypatch.setattr(time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        deaf.end()
    monkeypatch.undo()
    assert deaf.returncode == -signal.SIGKILL
    assert gone(deaf.pid)


def test_a_child_that_was_ended_is_sent_no_more_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its number may by then be another process's."""
    ended = child("echo")
    ended.end()
    monkeypatch.setattr(os, "killpg", lambda group, number: pytest.fail("one was sent"))
    ended.end()


def test_a_child_without_a_group_of_its_own_ends_with_this_process() -> None:
    script = (
        "import os; from stend.processes.child import Child\n"
        "print(Child(['sleep', '987'], own_group=False).pid, flush=True); os._exit(0)"
    )
    done = Child([sys.executable, "-c", script]).result(200.0)
    pid = int(done.stdout)

    def ended() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    assert comes_true(ended)


def test_a_pipe_for_the_answer_is_closed_even_if_nothing_starts() -> None:
    read, write = os.pipe()
    with pytest.raises(FileNotFoundError):
        Child(["/nowhere/program"], answer=write)
    with os.fdopen(read, "rb") as answer:
        assert answer.read() == b""


def test_what_comes_of_a_child_ends_with_it_though_another_holds_the_pipe() -> None:
    with Child(["sh", "-c", "sleep 987 & echo all"]) as quick:
        assert b"".join(quick.chunks(quick.output, 200.0)) == b"all\n"


def test_a_program_that_takes_too_long_is_ended_with_what_it_started() -> None:
    with pytest.raises(subprocess.TimeoutExpired, match="timed out after 1 seconds") as late:
        Child(["sh", "-c", "echo $$; sleep 987 & wait"]).result(1)
    assert gone(int(late.value.output))
