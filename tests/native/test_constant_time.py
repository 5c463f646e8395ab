"""No branch and no address depends on key or data in the variants that say so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from needed import missing

HERE = Path(__file__).parent


@pytest.mark.parametrize("tool", ["valgrind", "msan"])
def test_what_is_said_to_be_constant_time_is(tool: str) -> None:
    tools = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [str(HERE / "constant_time.sh"), tool]
    made = subprocess.run(command, capture_output=True, text=True, env=os.environ | tools)
    if made.returncode == 77:
        missing(made.stdout.strip())
    assert made.returncode == 0, made.stdout + made.stderr
