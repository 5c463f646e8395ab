"""Ranks on two hosts, for real over TCP: two network namespaces that the test makes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mpi_programs
from needed import missing, needs
from patience import PATIENCE
from stend.processes import mpi

HERE = Path(__file__).parent
NAMESPACES = ("-n", "-u", "-m", "-p", "-f", "--kill-child", "--mount-proc")
OWN = (*NAMESPACES, "--propagation", "private")


@pytest.fixture(scope="module", params=["openmpi", "mpich"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """What came of every case of between_hosts.py."""
    (site,) = (each for each in mpi.libraries() if each.name == request.param)
    if not site.available:
        missing(site.reason)
    needs("ip", "iproute2")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("two hosts need two CPUs; this machine has one")
    if os.geteuid() or subprocess.run(["unshare", *OWN, "true"]).returncode:
        pytest.skip("making network namespaces needs root")
    command = [sys.executable, str(HERE / "between_hosts.py"), request.param]
    with pytest.MonkeyPatch.context() as patch:
        mpi_programs.cache(tmp_path_factory, patch)
        done = subprocess.run(
            ["unshare", *OWN, str(HERE / "two_hosts.sh"), *command],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("case", ["1 KB", "128 MB", "both ways", "put", "allreduce"])
def test_messages_between_two_hosts_are_measured_and_proved(told, case: str) -> None:
    assert (told[case]["status"], told[case]["reason"]) in (("measured", ""), ("checked", ""))
    assert "rank 0 on n1" in told[case]["about"]
    assert "rank 1 on n2" in told[case]["about"]
    assert {"rank 0 s", "rank 1 s"} <= set(told[case]["medians"])


def test_a_large_message_takes_longer_than_a_small_one(told) -> None:
    small, large = (told[case]["medians"]["rank 0 s"] for case in ("1 KB", "128 MB"))
    assert large > 100 * small


def test_a_host_with_too_few_cpus_is_a_skip_that_names_it(told) -> None:
    assert told["one node"]["status"] == "skipped"
    assert "No socket of n2 has two CPUs" in told["one node"]["reason"]
