"""Machines sampled beside a load, over remote shells that work, and over those that do not."""

import math
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from patience import PATIENCE, comes_true
from stend.errors import BadValue, MeasuringError, SetupError
from stend.record.columns import from_json, to_json
from stend.record.loads import HostSamples
from stend.storage import remote
from stend.storage.host_sampler import Sampler
from storage.shells import HERE, alive, kill, pids, remote_shell

SHELLS = [words for words in ("sh", "dash", "bash", "busybox sh", "mksh", "ksh", "zsh", "yash")
          if shutil.which(words.split()[0])]  # fmt: skip
LOGINS = [*SHELLS, *filter(shutil.which, ("tcsh", "csh", "fish"))]
NOTED = f'echo $$ >>"$(dirname "$0")/pids"; {HERE}'
SOON = 0.05


@pytest.fixture
def over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Have `ssh` be this line of sh; afterwards nothing that it started is left."""

    def set_to(line: str) -> None:
        monkeypatch.setenv("STEND_REMOTE_SHELL", str(remote_shell(tmp_path, line)))

    yield set_to
    assert comes_true(lambda: not any(map(alive, pids(tmp_path))))


def sampled(rows: int = 3, remotes: tuple[str, ...] = ("n1",)) -> tuple[HostSamples, ...]:
    """What there is when each machine has that many rows that are no gaps."""
    with Sampler(remotes, interval=SOON) as beside:
        assert comes_true(
            lambda: all(len(known(each.memory_used)) >= rows for each in beside.records())
        )
    return beside.records()


def known(column) -> list[float]:
    return [value for value in column if value == value]


def test_this_machine_is_sampled_without_others() -> None:
    (here,) = sampled(remotes=())
    assert not here.remote
    assert here.offset is None
    assert here.cpus
    assert here.memory_bytes
    assert all(0 < used < here.memory_bytes for used in known(here.memory_used))
    assert math.isnan(here.user[0])
    assert from_json(to_json(here), HostSamples) == here


def test_another_machine_gives_the_same_columns(over) -> None:
    over(NOTED)
    here, there = sampled(rows=8)
    assert there.host == "n1"
    assert there.remote
    assert (there.cpus, there.memory_bytes) == (here.cpus, here.memory_bytes)
    assert list(there.at) == sorted(set(there.at))


def test_the_clock_of_another_machine_is_compared_with_ours(over) -> None:
    over(NOTED)
    there = sampled()[1]
    assert there.offset is not None
    assert there.uncertainty is not None
    assert abs(there.offset) <= there.uncertainty  # it is the same clock


@pytest.mark.parametrize("shell", SHELLS)
def test_every_posix_shell_answers(shell: str, over) -> None:
    over(f'eval "set -- $*"; exec {shell} -c "$4"')  # exec sh -c LOOP
    there = sampled(rows=2)[1]
    assert there.cpus
    assert there.offset is not None


@pytest.mark.parametrize("shell", LOGINS)
def test_every_login_shell_hands_the_loop_on_as_it_is(shell: str, over) -> None:
    over(f'exec {shell} -c "$*"')
    assert sampled(rows=2)[1].memory_bytes


@pytest.mark.parametrize(
    "line",
    [
        f'echo "Welcome to n1"; printf "no end of line"; {HERE}',
        f'yes "a banner" | head -n 999; {HERE}',
        'sh -c "$*" | sed -u "s/$/\\r/"',
        '{ tee /dev/stderr 2>&3 | sh -c "$*"; } 3>&1',  # what it is told comes back
        f'echo "a warning" >&2; {HERE}',
        f"printf '\\000\\377stend-begin-1'; {HERE}",
    ],
)
def test_a_host_may_say_other_things_before_and_between(line: str, over) -> None:
    over(line)
    assert sampled(rows=2)[1].memory_bytes


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("echo 'ssh: no route to n1' >&2; exit 255", "no route to n1"),
        ("exit 0", "connection ended"),
        ("exec yes", "sent more than a reading"),
        ("exec cat /dev/zero", "sent more than a reading"),
        ("yes 'a complaint' >&2 & exec sleep 60", "sent more than a reading"),
        ("exec cat", "no answer in 0 s"),
        ("exec sleep 60", "no answer in 0 s"),
        (
            "while read -r i a; do echo; echo stend-begin-$i; echo stend-end-$i; done",
            "that can be read",
        ),
    ],
)
def test_a_host_that_can_not_be_sampled_is_one_sentence_before_anything_begins(
    line: str, said: str, over, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = 0.4 if said.startswith("no answer") else PATIENCE
    monkeypatch.setattr(remote, "CONNECTING", patience)
    monkeypatch.setattr("stend.storage.host_sampler.CONNECTING", patience)
    over(f'echo $$ >>"$(dirname "$0")/pids"; {line}')
    with pytest.raises(MeasuringError, match=said) as raised, Sampler(["n1"]):
        pass
    assert "n1" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_every_host_that_can_not_be_sampled_is_named(over) -> None:
    over(f"[ $host != n2 ] && exit 9; {NOTED}")
    with pytest.raises(MeasuringError, match=r"n1 .*n3 "), Sampler(["n1", "n2", "n3"]):
        pass


def test_without_a_remote_shell_nothing_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEND_REMOTE_SHELL", "/no/such/shell")
    with pytest.raises(SetupError):
        Sampler(["n1"])


@pytest.mark.parametrize("host", ["-oProxyCommand=id", "", "a b", "n1;id", "n\n1", "$(id)"])
def test_what_a_shell_could_take_for_something_else_is_no_host(host: str) -> None:
    with pytest.raises(BadValue):
        Sampler([host])


def test_a_host_is_watched_once() -> None:
    with pytest.raises(BadValue, match="twice"):
        Sampler(["n1", "n2", "n1"])


def test_a_lost_connection_is_a_gap_and_is_made_anew(
    over, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PAUSES", (0.2,))
    over(NOTED)
    with Sampler(["n1"], interval=SOON) as beside:
        assert comes_true(lambda: len(known(beside.records()[1].user)) >= 1)
        kill(pids(tmp_path)[-1])
        assert comes_true(lambda: math.isnan(beside.latest()["n1"]))
        lost = time.monotonic_ns()
        assert comes_true(lambda: known(beside.between(lost, 1 << 62)[1].user))
    there = beside.records()[1]
    first = next(row for row, value in enumerate(there.memory_used) if value != value)
    again = next(
        row for row in range(first, len(there.at)) if not math.isnan(there.memory_used[row])
    )
    assert math.isnan(there.user[again])  # what happened in the gap belongs to no second
    (said,) = (words for words in beside.said() if "n1" in words)
    assert "lost once" in said


def test_a_host_that_stops_answering_is_given_up_and_sought_anew(
    over, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SILENT", 0.3)
    monkeypatch.setattr(remote, "PAUSES", (0.0,))
    # Answers three times, then only listens; the next connection is sound.
    over(f"""
        if [ -e {tmp_path}/again ]; then {NOTED}; fi; : >{tmp_path}/again
        for i in 1 2 3; do read -r l; echo "$l"; done | {{ sh -c "$*"; exec sleep 60; }}""")
    with Sampler(["n1"], interval=SOON) as beside:
        assert comes_true(lambda: pids(tmp_path))
        found = time.monotonic_ns()
        assert comes_true(lambda: known(beside.between(found, 1 << 62)[1].user))
    assert "no answer in 0 s" in " ".join(beside.said())


def test_a_host_that_stays_away_is_sought_ever_more_rarely(
    over, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PAUSES", (0.0, 0.0, 60.0))
    over(f"[ -e {tmp_path}/away ] && {{ echo n1 is off. >&2; exit 1; }}; {NOTED}")
    with Sampler(["n1"], interval=SOON) as beside:
        (tmp_path / "away").touch()
        kill(*pids(tmp_path))
        assert comes_true(lambda: "lost 3 times" in " ".join(beside.said()))
        rows = len(beside.records()[1].at)
        assert comes_true(lambda: len(beside.records()[1].at) > rows + 5)
    assert beside.said()[-1].endswith("was lost 3 times, the last time by this: n1 is off.")


def test_every_sample_that_was_due_has_its_row(over) -> None:
    over(NOTED)
    interval = 0.1
    with Sampler(["n1"], interval=interval) as beside:
        assert comes_true(lambda: len(beside.records()[0].at) >= 15)
    for machine in beside.records():
        due = (machine.at[-1] - machine.at[0]) / 1e9 / interval
        assert abs(len(machine.at) - 1 - due) < 1.9  # on absolute deadlines none is lost


def test_asking_while_it_samples_disturbs_nothing(over) -> None:
    over(NOTED)
    with Sampler(["n1"], interval=0.002) as beside:
        lengths = [len(beside.records()[0].at) for _ in range(300)]
        assert set(beside.latest()) == {beside.records()[0].host, "n1"}
    assert lengths == sorted(lengths)


PROGRAM = """
import time
from stend.storage.host_sampler import Sampler
with Sampler(["n1"], interval=0.05) as beside:
    while not beside.records()[1].at: time.sleep(0.01)
    print("sampling", flush=True)
    time.sleep(60)
"""


def test_a_killed_stend_leaves_no_loop_behind(over, tmp_path: Path) -> None:
    over(NOTED)
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == "sampling\n"
        assert alive(pids(tmp_path)[0])
    finally:
        program.kill()
        program.communicate()
    assert comes_true(lambda: not alive(pids(tmp_path)[0]))
