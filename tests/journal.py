"""A pytest plugin: `--stage NAME` writes each test's outcome and seconds to a file.

The file is build/tests/NAME.json; `tests/stages.py report` reads it.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest

KEPT = Path(__file__).parents[1] / "build/tests"
"""Of the stages since `make test` began."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--stage", help="the name by which build/tests keeps what this run did")


def pytest_configure(config: pytest.Config) -> None:
    """Keep a journal where one is asked for; of several processes the first does."""
    if config.getoption("--stage") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Journal(config.getoption("--stage")))


def stages() -> dict[str, dict[str, Any]]:
    """Everything that was kept, by stage."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(KEPT.glob("*.json"))}


class Journal:
    """Collects what the tests report, and writes it at their end."""

    def __init__(self, stage: str) -> None:
        """Begin."""
        self._stage = stage
        self._begun = time.monotonic()
        self._tests: dict[str, list[Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One of a test's three phases ended; the first that went otherwise is its outcome."""
        kept = self._tests.setdefault(report.nodeid, ["passed", 0.0])
        kept[1] = round(kept[1] + report.duration, 3)
        if report.outcome != "passed" and kept[0] == "passed":
            kept[0] = report.outcome

    def pytest_sessionfinish(self) -> None:
        """Write it."""
        keep(self._stage, time.monotonic() - self._begun, self._tests)


def keep(stage: str, seconds: float, tests: dict[str, list[Any]] | None = None) -> None:
    """Write what a stage did where the others are."""
    KEPT.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"seconds": round(seconds, 1), "tests": tests or {}})
    (KEPT / f"{stage}.json").write_text(text)
