"""What takes bytes of strangers touches no memory but its own, and does nothing undefined."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from needed import missing

HERE = Path(__file__).parent


@pytest.mark.parametrize("tool", ["asan", "valgrind"])
def test_what_takes_strangers_bytes_is_clean(tool: str) -> None:
    tools = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [str(HERE / "sanitized.sh"), tool]
    made = subprocess.run(command, capture_output=True, text=True, env=os.environ | tools)
    if made.returncode == 77:
        missing(made.stdout.strip())
    assert made.returncode == 0, made.stdout + made.stderr
    assert "messages, each two ways" in made.stdout
    assert ("ONNX files, good and bad" in made.stdout) == (tool == "asan")
