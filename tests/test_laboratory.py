"""The conductor as programs call it: benchmarks and programs measured, runs stored and loaded."""

from pathlib import Path

import pytest

import stend
from stend.errors import BadValue, UnknownName, UsageError
from stend.record.run_file import write_run_file


class Watching:
    """An observer that remembers what it is told."""

    def __init__(self) -> None:
        self.cases: list[str] = []
        self.shares: list[float] = []

    def begun(self, planned):
        self.planned = len(planned)

    def program(self, command):
        self.cases.append(command[0])

    def case(self, case):
        self.cases.append(str(case.planned.case))

    def reached(self, case):
        self.shares.append(case.share)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = str(tmp_path / "runs.db")
    monkeypatch.setenv("STEND_STORE", path)
    return path


def test_a_run_is_measured_stored_and_given(store):
    watching = Watching()
    run = stend.run(
        "clock.overhead",
        settings={"timer": "CLOCK_MONOTONIC"},
        size="check",
        label="mine",
        observer=watching,
    )
    (case,) = run.cases
    assert (case.benchmark, case.status.value, run.label) == ("clock.overhead", "checked", "mine")
    assert (watching.planned, watching.shares[-1]) == (1, 1.0)
    assert watching.cases == [case.name]
    assert stend.load("mine") == stend.load("last") == run


def test_a_run_goes_to_the_store_that_is_named(store, tmp_path):
    other = str(tmp_path / "other.db")
    run = stend.run("clock.resolution", size="check", store=other)
    assert stend.load("last", other) == run
    assert not Path(store).exists()


def test_two_programs_are_measured_in_turn(store):
    watching = Watching()
    run = stend.time(["true"], versus=["sh", "-c", "true"], pairs=20, observer=watching)
    assert [case.side for case in run.cases] == ["A", "B"]
    assert watching.shares[-1] == 1.0
    assert sorted(watching.shares) == watching.shares


def test_a_run_file_and_a_published_run_are_loaded(store, tmp_path):
    run = stend.time(["true"], seconds=0.05)
    write_run_file(run, tmp_path / "a.json")
    assert stend.load(str(tmp_path / "a.json")) == run
    assert stend.load("published:elbrus-16c").cases


def test_what_can_not_be_measured_is_refused_before_a_store_is_made(store):
    with pytest.raises(UnknownName, match="no benchmark is called"):
        stend.run("nothing.at.all")
    with pytest.raises(BadValue, match="was not found"):
        stend.time(["no-such-program"])
    for command in ("sort a.txt", []):
        with pytest.raises(BadValue, match="list of words"):
            stend.time(command)
    with pytest.raises(BadValue, match="pairs needs versus"):
        stend.time(["true"], pairs=20)
    with pytest.raises(BadValue, match="seconds is for one command"):
        stend.time(["true"], versus=["true"], seconds=1)
    with pytest.raises(BadValue, match="pairs needs versus"):
        stend.run("clock", pairs=20)
    with pytest.raises(UsageError, match="last"):
        stend.run("clock", label="last")
    with pytest.raises(BadValue, match="are too few to tell"):
        stend.time(["true"], versus=["true"], pairs=2)
    assert not Path(store).exists()
