"""What a case may take of the memory, and that defaults keep to it in the smallest containers."""

import msgspec
import pytest

from made import machine
from stend.benchmarks import registry
from stend.benchmarks.needs import PROCESSES, memory_lacks, most_memory
from stend.record import Machine
from stend.running.plan import Choice, plan

MB = 10**6


@pytest.mark.parametrize("there", [300 * MB, 500 * MB, 4000 * MB])
def test_what_a_case_takes_leaves_room_for_stend_itself(there):
    most = most_memory(Machine(memory_available=there))
    assert most is not None
    assert most + PROCESSES <= there
    assert most <= 0.9 * there
    assert memory_lacks("it", most, Machine(memory_available=there), "n=N") is None
    said = memory_lacks("it", most + 1, Machine(memory_available=there), "n=N")
    assert f"of the {there / 1e9:g} GB available" in said


def test_less_memory_than_stend_itself_takes_leaves_none():
    assert most_memory(Machine(memory_available=PROCESSES // 2)) == 0


@pytest.mark.parametrize("there", [300 * MB, 1000 * MB, 3000 * MB])
@pytest.mark.parametrize("name", ["memory", "stream", "linpack.sweep"])
def test_no_default_of_a_full_run_is_refused_for_want_of_memory(name, there):
    small = msgspec.structs.replace(machine(), memory_available=there, usable=tuple(range(64)))
    for case in plan(registry.find([name]), small, Choice(size="full")):
        assert "may take" not in (case.skip or "")
