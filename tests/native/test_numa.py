"""Copying and chasing on memory nodes through the bindings: this machine's, proved; no other's."""

from pathlib import Path

import pytest

from stend.native import Kernel, Unavailable, bandwidth, clock, nodes, sampler

COPIES = [v.name for v in bandwidth.copy_variants() if v.available]
NODES = [n for n in range(16) if Path(f"/sys/devices/system/node/node{n}").is_dir()] or [0]
PAIRS = [(node, memory) for node in NODES for memory in NODES]

pytestmark = pytest.mark.usefixtures("affinity_is_given_back")


def proof_of(kernel: Kernel, batch: int) -> str:
    """What it said after five repetitions; where a node has no CPUs or memory, that is told."""
    kernel.prepare()
    assert sampler.Sampler(kernel, clock.default()).collect(batch, 5, 10.0).right
    proof = kernel.prove()
    assert proof.right
    return proof.said


@pytest.mark.parametrize(("node", "memory"), PAIRS)
@pytest.mark.parametrize("variant", COPIES)
def test_every_copy_is_proved_and_so_is_where_it_was(node: int, memory: int, variant: str) -> None:
    block = 3_000_000 // 64 * 64
    try:
        said = proof_of(nodes.copy(block, node, memory, variant), 2)
    except Unavailable as lacking:
        pytest.skip(str(lacking))
    assert f"Every word of {2 * block} bytes" in said
    assert f"10 executions of {bandwidth.passes(2 * block, 1)} passes" in said
    assert f" lie on node {node}; of the target, all " in said
    assert said.endswith(f" lie on node {memory}.")


@pytest.mark.parametrize(("node", "memory"), PAIRS)
def test_every_load_is_proved_and_so_is_where_it_was(node: int, memory: int) -> None:
    try:
        kernel = nodes.latency(3 << 20, node, memory)
        said = proof_of(kernel, 1001)
    except Unavailable as lacking:
        pytest.skip(str(lacking))
    assert "all 49151 lines" in said
    assert "5005 loads ended" in said
    assert said.endswith(f" lie on node {memory}.")
    assert kernel.about.startswith(("in huge pages", "in normal pages: "))


def test_a_node_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(Unavailable, match=r"no memory node 999 .*; there are [0-9, ]+\.$"):
        nodes.copy(4096, NODES[0], 999, "plain")


def test_what_cannot_be_is_one_sentence() -> None:
    with pytest.raises(ValueError, match="larger multiple"):
        nodes.copy(100, NODES[0], NODES[0], "plain")
    with pytest.raises(ValueError, match="multiple of 64"):
        nodes.latency(100, NODES[0], NODES[0])
    with pytest.raises(MemoryError, match="does not fit"):
        nodes.copy(1 << 50, NODES[0], NODES[0], "plain").prepare()
