"""Times of the tests' stages.

python tests/stages.py run NAME COMMAND...    run a command and record its time
python tests/stages.py keep NAME SECONDS      record the time of a stage that has ended
python tests/stages.py report                 print the stages, the slowest tests, the skips and
                                              the broken limits; with CI=true these exit with 1
"""

import math
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import budgets
import journal

SHOWN = 50


def report(stages: dict[str, dict[str, Any]]) -> str:
    """Give the stages and the slowest tests, as text."""
    lines = [f"{stage['seconds']:8.1f} s  {name}" for name, stage in stages.items()]
    lines.append(f"{sum(stage['seconds'] for stage in stages.values()):8.1f} s  in all")
    tests = sorted(
        (seconds, name)
        for stage in stages.values()
        for name, (_, seconds, _) in stage["tests"].items()
    )
    lines += ["", f"The slowest tests (at most {SHOWN}):"] * bool(tests)
    lines += [f"{seconds:8.1f} s  {name}" for seconds, name in tests[: -SHOWN - 1 : -1]]
    last = {name: kept for stage in stages.values() for name, kept in stage["tests"].items()}
    skipped = Counter(reason for outcome, _, reason in last.values() if outcome == "skipped")
    lines += ["", "Skipped tests:"] * bool(skipped)
    lines += [f"{count:8}  {reason}" for reason, count in skipped.most_common()]
    return "\n".join(lines)


def alone(test: str) -> float:
    """Give a test's seconds, with pytest's start, while nothing runs beside it; or infinity."""
    begun = time.monotonic()
    failed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", test], check=False
    ).returncode
    return math.inf if failed else time.monotonic() - begun


def run(stage: str, *command: str) -> int:
    """Run a command and record its time."""
    slowness, begun = budgets.slowness(), time.monotonic()
    try:
        code = subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 130
    journal.keep(stage, time.monotonic() - begun, max(slowness, budgets.slowness()))
    return code


def main(verb: str = "", *words: str) -> int:
    """Do what is asked for."""
    if verb == "run":
        return run(*words)
    if verb == "keep":
        journal.keep(words[0], float(words[1]), budgets.slowness())
        return 0
    if verb != "report":
        sys.exit(__doc__)
    kept = journal.stages()
    print(report(kept), flush=True)
    everything = shutil.which("chromium") is not None  # what apt has, it installs together
    found = budgets.broken(kept, everything, alone)
    print("", *found, sep="\n")
    return bool(found) and os.environ.get("CI") == "true"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
