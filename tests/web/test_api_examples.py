"""The examples of docs/server.md that ask the API do what they are for."""

import json
import os
import re
import subprocess

import pytest

from documents import ROOT, blocks
from made import machine, run
from needed import needs
from stend.record.run_file import read_run_file
from stend.store import Right
from web.asking import IDS, stocked
from web.served import served

COMMANDS = [
    command
    for block in blocks(ROOT / "docs/server.md")
    if block.language == "sh" and "/api/v1" in block.text
    for command in re.split(r"\n(?=\S)", block.text.strip())
]


@pytest.fixture(scope="module")
def environment(shared, tmp_path_factory):
    stocked(shared).add(run(id="d" * 32, machine=machine(host="bench7")))
    _, token = shared.access.add("bench8", Right.WRITE, None, "a test")
    with served(shared) as site:
        yield tmp_path_factory.mktemp("api"), {
            "SERVER": site.url, "TOKEN": token, "RUN": IDS[1][:8],
        }  # fmt: skip


def test_every_example_is_answered(environment):
    needs("curl", "curl")
    folder, words = environment
    for command in COMMANDS:
        done = subprocess.run(
            ["bash", "-c", command.replace("curl ", "curl -sS --fail-with-body ")],
            env={**os.environ, **words}, cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, command + done.stdout + done.stderr
        assert not done.stdout or json.loads(done.stdout)
    assert len(COMMANDS) == 9
    assert read_run_file(folder / "run.json").id == IDS[1]
