"""The tests' own times: every stage and the slowest tests are shown, and a failure stays one."""

import sys

import journal
import stages


def test_the_report_shows_each_stage_and_the_slowest_tests_first():
    tests = {f"test_{i}": ["passed", float(i)] for i in range(60)}
    kept = {"build": {"seconds": 90.0, "tests": {}}, "alone": {"seconds": 7.5, "tests": tests}}
    lines = [line.split() for line in stages.report(kept).splitlines()]
    assert lines[:2] == [["90.0", "s", "build"], ["7.5", "s", "alone"]]
    assert [line[-1] for line in lines[4:]] == [f"test_{i}" for i in range(59, 9, -1)]


def test_a_stage_that_fails_is_kept_and_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "KEPT", tmp_path)
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    assert stages.main("run", "native", "--", *command) == 3
    assert list(journal.stages()) == ["native"]
