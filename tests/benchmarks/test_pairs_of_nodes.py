"""Which pairs of memory nodes are measured on which machine, and why the others are not.

The machines are imagined by hwloc, or recorded from real ones.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from machine.recorded import recorded
from made import machine
from needed import missing
from stend.benchmarks import registry
from stend.machine import inspect
from stend.machine.hwloc_topology import HwlocTopology
from stend.record import Machine, NumaNode
from stend.running.plan import Choice, Planned, plan

GB = 10**9


def imagined(description: str, monkeypatch: pytest.MonkeyPatch, **facts: object) -> Machine:
    """The machine that hwloc makes of its own synthetic description."""
    from stend.native import Unavailable, topology

    monkeypatch.setenv("HWLOC_SYNTHETIC", description)
    monkeypatch.setenv("HWLOC_THISSYSTEM", "1")  # else it is not taken for this machine's
    try:
        shape = HwlocTopology(topology.xml())
    except Unavailable as absent:
        missing(str(absent))
    usable = tuple(range(shape.threads()))
    whole = replace(machine(), numa=shape.numa(), usable=usable, memory_available=64 * GB)
    return replace(whole, **facts)


def planned(name: str, there: Machine, size: str = "quick") -> list[Planned]:
    """The cases of one variant each."""
    cases = plan(registry.find([name]), there, Choice(size=size))  # type: ignore[arg-type]
    return [c for c in cases if c.case.variant == cases[0].case.variant]


def pairs(cases: list[Planned]) -> list[tuple[int, int]]:
    return [(c.case.node, c.case.memory) for c in cases]


BOTH = pytest.mark.parametrize("name", ["numa.copy", "numa.latency"])


@BOTH
@pytest.mark.parametrize("size", ["quick", "full"])
@pytest.mark.parametrize(
    ("description", "nodes"),
    [("node:4 core:2 pu:1", 4), ("pack:2 [numa(memory=8589934592)] core:2 pu:2", 2)],
)
def test_every_pair_is_measured_both_ways(name, size, description, nodes, monkeypatch):
    cases = planned(name, imagined(description, monkeypatch), size)
    assert pairs(cases) == [(i, j) for i in range(nodes) for j in range(nodes)]
    assert [c.skip for c in cases] == [None] * len(cases)


@BOTH
def test_one_node_is_a_matrix_of_one(name, monkeypatch):
    assert pairs(planned(name, imagined("core:2 pu:1", monkeypatch))) == [(0, 0)]
    unknown = Machine(usable=(0, 1))
    assert [(c.case.node, c.case.memory, c.skip) for c in planned(name, unknown)] == [(0, 0, None)]


@BOTH
def test_a_quick_run_over_many_nodes_takes_the_loops_and_the_first_row_and_column(
    name, monkeypatch
):
    there = imagined("node:16 pu:2", monkeypatch)
    quick = pairs(planned(name, there))
    assert set(quick) == {(i, j) for i in range(16) for j in range(16) if i == j or 0 in (i, j)}
    assert len(pairs(planned(name, there, "full"))) == 256


@BOTH
def test_a_recorded_server_is_planned_by_its_own_numbers(name, tmp_path: Path):
    there = inspect(recorded("amd-four-sockets", tmp_path))
    numbers = [n.index for n in there.numa]
    assert len(numbers) == 8
    assert len(planned(name, there)) == 8 + 7 + 7
    assert {m for _, m in pairs(planned(name, there))} == set(numbers)


@BOTH
def test_memory_without_cpus_is_only_written_to_or_waited_for(name, monkeypatch):
    there = imagined("node:2 core:2 pu:1", monkeypatch)
    there = replace(there, numa=(*there.numa, NumaNode(index=2, bytes=8 * GB, cpus=())))
    assert pairs(planned(name, there)) == [(i, j) for i in (0, 1) for j in (0, 1, 2)]
    asked = Choice(settings={"node": ["2", "0"], "memory": ["2"]})
    of_memory, of_cpus = plan(registry.find([name]), there, asked)
    assert of_memory.skip == "memory node 2 has no CPUs; use another one as node."
    assert of_cpus.skip is None


def test_cpus_without_memory_only_wait_for_others(monkeypatch):
    there = imagined("node:2 core:2 pu:1", monkeypatch)
    there = replace(there, numa=(replace(there.numa[0], bytes=0), there.numa[1]))
    assert pairs(planned("numa.latency", there)) == [(0, 1), (1, 1)]
    assert pairs(planned("numa.copy", there)) == [(1, 1)]
    asked = Choice(settings={"node": ["0"], "memory": ["1", "0"]}, size="full")
    reasons = {c.skip for c in plan(registry.find(["numa.latency"]), there, asked)}
    assert reasons == {None, "node 0 has no memory; use another one."}


@BOTH
def test_cpus_that_may_not_be_used_leave_their_node_as_memory(name, monkeypatch):
    there = imagined("node:2 core:2 pu:1", monkeypatch, usable=(0, 1))
    assert pairs(planned(name, there)) == [(0, 0), (0, 1)]
    asked = Choice(settings={"node": ["1", "0", "7"], "memory": ["0"]})
    refused, taken, unknown = plan(registry.find([name]), there, asked)
    assert refused.skip == ("this process may not use any CPU of memory node 1; allow it one.")
    assert taken.skip is None
    assert unknown.skip == "there is no memory node 7; use --set node=N with one of 0, 1."


def test_a_full_node_is_not_bound_to(monkeypatch):
    """The kernel would kill a process whose node has no page left, though others have."""
    there = imagined("node:2 core:2 pu:1", monkeypatch)
    full = replace(there.numa[1], available=GB // 2)
    there = replace(there, numa=(there.numa[0], full))
    skips = {pair: c.skip for c in planned("numa.copy", there) for pair in pairs([c])}
    assert skips[0, 0] is None
    for pair in ((0, 1), (1, 0)):
        assert "a block on memory node 1: 0.5 GB, more than the 0.43" in skips[pair]
    assert "two blocks on memory node 1: 1 GB" in skips[1, 1]


@BOTH
@pytest.mark.parametrize("there", [300_000_000, GB, 3 * GB, 64 * GB])
def test_no_default_is_refused_for_want_of_memory(name, there, monkeypatch):
    small = imagined("node:2 core:2 pu:1", monkeypatch, memory_available=there)
    for size in ("quick", "full"):
        assert [c.skip for c in planned(name, small, size)] == [None] * 4


def test_blocks_are_golenkovs_where_there_is_room(monkeypatch):
    there = imagined("node:4 core:2 pu:1", monkeypatch, memory_available=8 * GB)
    assert {c.case.block for c in planned("numa.copy", there)} == {500_000_000}
    there = imagined("node:4 core:2 pu:1", monkeypatch, memory_available=2 * GB)
    (block,) = {c.case.block for c in planned("numa.copy", there)}
    assert 90_000_000 < block <= 125_000_000
