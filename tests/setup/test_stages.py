"""The tests' own times: what is shown, what is left to do, and which budgets are broken."""

import math
import shutil
import sys

import pytest

import budgets
import journal
import stages

SHORTER = "Make the slowest tests shorter."


def stage(seconds, slowness=1.0, **tests):
    kept = {name: [*told, ""][:3] for name, told in tests.items()}
    return {"seconds": seconds, "slowness": slowness, "tests": kept}


def broken(kept, everything=False, alone=math.inf):
    return budgets.broken(kept, everything, lambda test: alone)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "KEPT", tmp_path)
    monkeypatch.setattr(budgets, "slowness", lambda: 1.5)


def test_the_report_shows_each_stage_and_the_slowest_tests_first():
    tests = {f"test_{i}": ("passed", float(i)) for i in range(60)}
    shown = stages.report({"build": stage(90.0), "native": stage(7.5, **tests)})
    lines = [line.split() for line in shown.splitlines()]
    assert lines[:2] == [["90.0", "s", "build"], ["7.5", "s", "native"]]
    assert lines[2] == ["97.5", "s", "in", "all"]
    assert [line[-1] for line in lines[5:]] == [f"test_{i}" for i in range(59, 9, -1)]


def test_the_report_counts_by_its_reason_what_was_skipped_to_the_end():
    browser, fio = ("skipped", 0.1, "no browser"), ("skipped", 0.1, "no fio")
    kept = {
        "first": stage(1.0, a=browser, b=browser, c=fio, d=fio, e=fio),
        "services": stage(1.0, a=("passed", 2.0), b=browser, c=fio, d=fio),
    }
    assert stages.report(kept).splitlines()[-3:] == [
        "Skipped tests:", "       3  no fio", "       1  no browser",
    ]  # fmt: skip


@pytest.mark.usefixtures("kept")
def test_a_stage_that_fails_is_kept_and_fails():
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    assert stages.main("run", "native", *command) == 3
    assert journal.stages()["native"]["slowness"] == 1.5


@pytest.mark.usefixtures("kept")
def test_what_the_first_gate_passed_is_not_left_to_do():
    first = {"a": ["passed", 1.0, ""], "b": ["skipped", 0.0, "no fio"], "c": ["", 0.0, ""]}
    journal.keep("first", 1.0, 1.0, tests=first)
    journal.keep("services", 1.0, 1.0, tests={"b": ["passed", 1.0, ""]})
    assert journal.passed() == {"a"}


def test_the_first_gate_has_ten_minutes_and_the_rest_its_own():
    kept = {"build": stage(200.0), "first": stage(400.0), "services": stage(900.0)}
    assert broken(kept) == []
    kept["native"] = stage(1.0)
    (sentence,) = broken(kept)
    assert sentence == "`make test` took 601 s; the limit on this machine is 600 s. " + SHORTER


def test_a_machine_with_all_programs_has_half_an_hour_for_both_gates():
    kept = {"first": stage(1300.0), "services": stage(500.0)}
    assert broken(kept, everything=True) == []
    kept["full"] = stage(1.0)
    (sentence,) = broken(kept, everything=True)
    told = "`make test-all` took 1801 s; the limit on this machine is 1800 s. "
    assert sentence == told + SHORTER


def test_a_machine_that_is_slower_has_more_time():
    kept = {"build": stage(500.0), "first": stage(600.0, 2.0, test_a=("passed", 39.0))}
    assert broken(kept) == []


def test_a_test_has_twenty_seconds_or_a_reason(monkeypatch):
    kept = {"first": stage(60.0, a_test=("passed", 21.0), b_test=("passed", 19.0))}
    (sentence,) = broken(kept)
    assert sentence.startswith("a_test took 21 s; the limit on this machine is 20 s")
    assert broken(kept, alone=19.0) == []
    monkeypatch.setattr(budgets, "LONGER", {"a_te": "it waits for a machine to boot"})
    assert broken(kept) == []


def test_a_fixed_work_tells_how_slow_the_machine_is(monkeypatch):
    monkeypatch.setattr(budgets, "REFERENCE", 1e-3)
    assert budgets.slowness() > 100
    monkeypatch.setattr(budgets, "REFERENCE", 1e9)
    assert budgets.slowness() == 1


@pytest.mark.usefixtures("kept")
def test_a_broken_budget_is_told_and_in_ci_a_failure(capsys, monkeypatch):
    journal.keep("first", 3000.0, 1.0, tests={"no_test.py::a": ["passed", 31.0, ""]})
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(shutil, "which", lambda program: None)
    assert stages.main("report") == 0
    said = capsys.readouterr().out
    assert "`make test` took 3000 s" in said
    assert "no_test.py::a took 31 s; the limit on this machine is 20 s" in said
    monkeypatch.setenv("CI", "true")
    assert stages.main("report") == 1


def phases(*outcomes):
    """What pytest tells of a test: set up, called, torn down."""
    whens = ("setup", "call", "teardown")
    told = zip(whens, outcomes, strict=False)
    return [
        pytest.TestReport("a", ("a.py", 1, "a"), {}, outcome, ("a.py", 1, "Skipped: no fio"), when)
        for when, outcome in told
    ]


@pytest.mark.parametrize(
    ("outcomes", "kept"),
    [
        (("passed", "passed", "passed"), "passed"),
        (("passed",), ""),  # interrupted
        (("passed", "failed", "passed"), "failed"),
        (("passed", "passed", "failed"), "failed"),
        (("skipped", "passed"), "skipped"),
    ],
)
def test_a_test_passed_when_all_of_it_did(outcomes, kept, tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "KEPT", tmp_path)
    monkeypatch.setattr(budgets, "slowness", lambda: 1.0)
    written = journal.Journal("first")
    for report in phases(*outcomes):
        written.pytest_runtest_logreport(report)
    written.pytest_sessionfinish()
    assert journal.stages()["first"]["tests"]["a"][0] == kept
