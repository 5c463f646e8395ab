"""A pytest plugin: each test's outcome in a file, and the choice of tests that are left to do.

`--stage NAME` writes build/tests/NAME.json, which `tests/stages.py report` reads. `--rest` leaves
out what the first gate passed; with CI=true a test whose program is missing fails.
"""

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import budgets
import needed

KEPT = Path(__file__).parents[1] / "build/tests"
"""Of the stages since `make test` began."""
FIRST = "first"
"""The stage of the first gate."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--stage", help="the name by which build/tests keeps what this run did")
    parser.addoption(
        "--rest",
        action="store_true",
        help="leave out what `make test` passed; with CI=true a missing program is a failure",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep a journal if one is asked for; of xdist's processes only the controller does."""
    if config.getoption("--stage") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Journal(config.getoption("--stage")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the first gate passed; in CI let a missing program be a failure."""
    if not config.getoption("--rest"):
        return
    needed.skipping = os.environ.get("CI") != "true"
    done = passed()
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
    items[:] = [item for item in items if item.nodeid not in done]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI's second gate fail an engine's test that skips, since it knows nothing of `needed`."""
    report = yield
    if report.skipped and not needed.skipping and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if needed.INSTALL in reason:
            report.outcome = "failed"
            report.longrepr = f"With CI=true no program may be missing: {reason}"
    return report


def passed() -> set[str]:
    """Names of the tests that the first gate passed."""
    tests = stages().get(FIRST, {"tests": {}})["tests"]
    return {name for name, (outcome, *_) in tests.items() if outcome == "passed"}


def stages() -> dict[str, dict[str, Any]]:
    """Everything that was kept, by stage, in the order in which they ended."""
    files = sorted(KEPT.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return {path.stem: json.loads(path.read_text()) for path in files}


class Journal:
    """Collects what the tests report, and writes it at their end."""

    def __init__(self, stage: str) -> None:
        """Begin."""
        self._stage = stage
        self._slowness = budgets.slowness()
        self._begun = time.monotonic()
        self._tests: dict[str, list[Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one of a test's three phases: it passed if all did, and the last one ended."""
        kept = self._tests.setdefault(report.nodeid, ["", 0.0, ""])
        kept[1] = round(kept[1] + report.duration, 3)
        if not kept[0] and (report.outcome != "passed" or report.when == "teardown"):
            kept[0] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            kept[2] = report.longrepr[2].removeprefix("Skipped: ")

    def pytest_sessionfinish(self) -> None:
        """Write it."""
        seconds = time.monotonic() - self._begun
        keep(self._stage, seconds, max(self._slowness, budgets.slowness()), self._tests)


def keep(
    stage: str, seconds: float, slowness: float, tests: dict[str, list[Any]] | None = None
) -> None:
    """Write a stage's record; of each test the outcome, seconds and reason for a skip."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = {"seconds": round(seconds, 1), "slowness": round(slowness, 2), "tests": tests or {}}
    part = KEPT / f"{stage}.part"
    part.write_text(json.dumps(kept))
    part.rename(KEPT / f"{stage}.json")
