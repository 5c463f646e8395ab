"""Tests give the same answer however they are started."""

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATUS = "import conftest, subprocess; subprocess.run(['cat', '/proc/self/status'])"


def test_what_tests_start_heeds_ctrl_c_though_the_tests_were_started_in_the_background() -> None:
    python = shlex.join([sys.executable, "-c", STATUS])
    started = subprocess.run(
        ["sh", "-c", f"trap '' INT QUIT HUP; exec {python}"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (ignored,) = [line.split()[1] for line in started.stdout.splitlines() if "SigIgn" in line]
    assert int(ignored, 16) & 0b111 == 0, ignored  # signals 1 to 3: HUP, INT, QUIT
