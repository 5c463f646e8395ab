"""Four memory nodes, in a virtual machine: what is bound to one lies there and nowhere else."""

import platform

import pytest

from native.scripts import finished

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the virtual machine is x86-64"),
]
NO_KERNEL = 75


def test_memory_is_bound_copied_and_waited_for_on_every_pair_of_four_nodes() -> None:
    done = finished("several_nodes.sh")
    if (
        done.returncode == NO_KERNEL
    ):  # also where CI is set: a mirror's bad hour is no fault of ours
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 -> 3\n  Every word" in done.stdout.replace("\r", "")
