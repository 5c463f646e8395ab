"""A pytest plugin: each test's outcome and seconds in a file, and tests that are left to do.

`--stage NAME` writes build/tests/NAME.json, which `tests/stages.py report` reads. `--rest` leaves
out what the stages of the first gate passed.
"""

import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import budgets
import needed

KEPT = Path(__file__).parents[1] / "build/tests"
"""Of the stages since `make test` began."""
FIRST = "first"
"""The stage of the first gate."""
EMPTY: dict[str, Any] = {"tests": {}, "skips": {}}
"""Of a stage: outcome and seconds of each test, and how many were skipped for which reason."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--stage", help="the name by which build/tests keeps what this run did")
    parser.addoption("--rest", action="store_true", help="leave out what `make test` passed")


def pytest_configure(config: pytest.Config) -> None:
    """Keep a journal where one is asked for; of several processes the first does."""
    if config.getoption("--stage") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Journal(config.getoption("--stage")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the first gate passed, and let nothing of the rest be skipped in CI."""
    if not config.getoption("--rest"):
        return
    needed.skipping = not os.environ.get("CI")
    done = passed()
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
    items[:] = [item for item in items if item.nodeid not in done]


def passed() -> set[str]:
    """Names of the tests that the first gate passed."""
    tests = stages().get(FIRST, EMPTY)["tests"]
    return {name for name, (outcome, _) in tests.items() if outcome == "passed"}


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
        self._skips: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One of a test's three phases ended; the first that went otherwise is its outcome."""
        kept = self._tests.setdefault(report.nodeid, ["passed", 0.0])
        kept[1] = round(kept[1] + report.duration, 3)
        if report.outcome != "passed" and kept[0] == "passed":
            kept[0] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            self._skips[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_sessionfinish(self) -> None:
        """Write it."""
        keep(
            self._stage,
            time.monotonic() - self._begun,
            self._slowness,
            tests=self._tests,
            skips=self._skips,
        )


def keep(stage: str, seconds: float, slowness: float, **more: dict[str, Any]) -> None:
    """Write what a stage did where the others are; slowness is the machine's at its beginning."""
    KEPT.mkdir(parents=True, exist_ok=True)
    slowness = max(slowness, budgets.slowness())
    kept = {"seconds": round(seconds, 1), "slowness": round(slowness, 2)}
    (KEPT / f"{stage}.json").write_text(json.dumps(EMPTY | kept | more))
