"""Four memory nodes, in a virtual machine: what is bound to one lies there and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from needed import missing

HERE = Path(__file__).parent


def test_memory_is_bound_copied_and_waited_for_on_every_pair_of_four_nodes() -> None:
    tools = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [str(HERE / "several_nodes.sh")]
    made = subprocess.run(command, capture_output=True, text=True, env=os.environ | tools)
    if made.returncode == 77:
        missing(made.stdout.strip())
    if made.returncode == 75:  # also where CI is set: a mirror's bad hour is no fault of ours
        pytest.skip(made.stdout.strip())
    assert made.returncode == 0, made.stdout + made.stderr
    assert "1 -> 3\n  Every word" in made.stdout.replace("\r", "")
