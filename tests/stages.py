"""Times of the tests' stages.

python tests/stages.py run NAME -- COMMAND...    run a command and keep how long it took
python tests/stages.py report                    show all stages and the slowest fifty tests
"""

import subprocess
import sys
import time
from typing import Any

import journal

SHOWN = 50


def report(stages: dict[str, dict[str, Any]]) -> str:
    """Give the stages and the slowest tests, as text."""
    lines = [f"{stage['seconds']:8.1f} s  {name}" for name, stage in stages.items()]
    tests = sorted(
        (seconds, name)
        for stage in stages.values()
        for name, (_, seconds) in stage["tests"].items()
    )
    lines += ["", f"The slowest {SHOWN} tests:"]
    lines += [f"{seconds:8.1f} s  {name}" for seconds, name in tests[: -SHOWN - 1 : -1]]
    return "\n".join(lines)


def main(verb: str, *words: str) -> int:
    """Do what is asked for."""
    if verb == "report":
        print(report(journal.stages()))
        return 0
    stage, _, *command = words
    begun = time.monotonic()
    code = subprocess.run(command, check=False).returncode
    journal.keep(stage, time.monotonic() - begun)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
