"""Whatever /proc and /sys hold, an inspection ends with facts and reasons, never an error."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from machine.recorded import recorded
from stend.machine import conditions_now, inspect
from stend.machine.cpu_time import parsed
from stend.machine.processes import process
from stend.machine.tree import Tree
from stend.machine.watch import Instruments
from stend.record import Machine, from_json, to_json

NAME = "firecracker-guest"

BROKEN = {
    "empty": b"",
    "blank": b"\n \n",
    "no text": bytes(range(256)),
    "a huge number": b"9" * 5000,
    "a negative number": b"-1\n",
    "words": b"max: x kB\ncpu a b c d\n",
    "brackets": b"[](){}[x\n",
}


def everything(tree):
    """Inspect, look at the conditions, read the instruments; what came out is a record."""
    found = inspect(tree)
    conditions_now(tree, between=lambda: None)
    instruments = Instruments(tree)
    reading = instruments.read()
    instruments.close()
    assert reading.mhz is None or math.isfinite(reading.mhz)
    assert from_json(to_json(found), Machine) == found
    return found


def files(tree):
    return sorted(path for path in tree.root.rglob("*") if path.is_file())


@pytest.fixture
def tree(tmp_path):
    return recorded(NAME, tmp_path)


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_machine_whose_every_file_is_broken_is_unknown(tree, content):
    for path in files(tree):
        path.write_bytes(content)
    found = everything(tree)
    assert {"cpu_model", "memory_bytes", "caches", "usable"} <= found.unknown.keys()


def test_a_machine_without_any_file_is_unknown(tmp_path):
    found = everything(Tree(tmp_path))
    assert found.cpu_model is None
    assert found.unknown["cpu_model"] == "there is no /proc/cpuinfo"


def test_a_machine_that_may_not_be_read_is_unknown(tree, monkeypatch):
    import os

    real = os.open

    def refuse(path, *rest):
        if str(path).startswith(str(tree.root)):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    found = everything(tree)
    assert found.unknown["memory_bytes"] == "/proc/meminfo may not be read by this user"


def test_a_machine_whose_files_are_folders_is_unknown(tree):
    for path in files(tree):
        path.unlink()
        path.mkdir()
    assert "cpu_model" in everything(tree).unknown


@pytest.fixture(scope="module")
def shared():
    with tempfile.TemporaryDirectory() as folder:
        yield recorded(NAME, Path(folder))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data(), content=st.binary(max_size=300) | st.text().map(str.encode))
def test_random_bytes_in_any_file_never_raise(shared, data, content):
    path = data.draw(st.sampled_from(files(shared)))
    before = path.read_bytes()
    cut = data.draw(st.integers(0, len(before)))
    path.write_bytes(data.draw(st.sampled_from([content, before[:cut] + content])))
    try:
        everything(shared.again())
    finally:
        path.write_bytes(before)


@given(st.text())
def test_any_line_is_a_process_or_none(text):
    assert process(text) is None or process(text).pid is not None
    assert parsed(text) is None or parsed(text).total is not None


def test_a_process_may_have_parentheses_and_spaces_in_its_name():
    line = "42 (a (b) c) R 7 42 42 0 -1 4194560 100 0 0 0 150 50 20 10 20 0 1 0 99 0 0"
    found = process(line)
    assert (found.pid, found.parent, found.name) == (42, 7, "a (b) c")
    assert (found.seconds, found.reaped) == (pytest.approx(2.0), pytest.approx(0.3))
