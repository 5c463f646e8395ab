"""A full disk is one sentence, and what was stored before stays readable."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from needed import needs


@pytest.fixture(scope="module")
def happened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    unshare = needs("unshare", "util-linux")
    if subprocess.run([unshare, "-m", "true"], capture_output=True).returncode:
        pytest.skip("a small disk can only be mounted by root, in a namespace of its own")
    script = Path(__file__).parent / "full_disk.py"
    folder = str(tmp_path_factory.mktemp("disk"))
    command = [unshare, "-m", sys.executable, str(script), folder]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_a_full_disk_is_one_sentence_for_every_writer(happened: dict[str, Any]) -> None:
    assert sorted(happened["said"]) == ["append", "backup", "new store", "run file"]
    assert all("No space is left" in said for said in happened["said"].values())


def test_what_was_stored_before_the_disk_was_full_stays_readable(happened: dict[str, Any]) -> None:
    assert happened["appended"] > 10
    assert happened["readable"] == happened["appended"]
    assert happened["readable_again"] == happened["appended"]


def test_a_file_that_found_no_space_leaves_nothing(happened: dict[str, Any]) -> None:
    assert [name for name in happened["files"] if "run.json" in name] == []
    assert [name for name in happened["files"] if "backup" in name or "part" in name] == []


def test_the_store_works_again_once_there_is_space(happened: dict[str, Any]) -> None:
    assert happened["appended_after"] == 1
