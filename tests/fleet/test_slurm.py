"""Slurm is the real engine: three nodes, each in namespaces of its own: one slow, one lost."""

import json
import os
import signal
import time

import pytest

from fleet.engine import STEND, Engine, engine
from needed import needs
from patience import PATIENCE
from stend.record import Status
from stend.store import Store

QUICK = ("--seconds", "0.05")
SALLOC = ("salloc", "-Q", "-N3", "--no-kill")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    for program, package in (("slurmctld", "slurmctld"), ("slurmd", "slurmd"), ("munged", "munge"),
                             ("salloc", "slurm-client"), ("ip", "iproute2")):  # fmt: skip
        needs(program, package)
    if os.geteuid() != 0:
        pytest.skip("making network namespaces needs root")
    with engine(tmp_path_factory.mktemp("slurm")) as running:
        yield running


def runs_of_last_session(cluster: Engine):
    """By host, from the store itself."""
    with Store.open(cluster.env["STEND_STORE"]) as store:
        group = store.load("last").group
        found = [store.load(one.id) for one in store.find(group=group)]
    return {run.machine.host: run for run in found}


def test_the_nodes_of_an_allocation_are_measured_and_the_slow_one_is_named(cluster):
    done = cluster.run(*SALLOC, *STEND, "run", "--hosts", "slurm", "fake", *QUICK)
    assert done.returncode == 0, done.stderr
    assert "n3: fake.told is 50% above" in done.stdout
    found = runs_of_last_session(cluster)
    assert set(found) == {"n1", "n2", "n3"}
    assert all(len(run.cases[0].samples) >= 3 for run in found.values())
    told = json.loads(cluster.stend("outliers", "--json").stdout)
    (apart,) = told["fleet"]["apart"]
    assert (apart["who"], apart["better"], apart["among"]) == ("n3", False, 2)
    assert apart["ratio"] == pytest.approx(1.5, abs=0.1)
    assert apart["p"] < 0.001
    assert cluster.stend("outliers", "--fail-on", "slower").returncode == 1
    assert cluster.stend("outliers", "--fail-on", "faster").returncode == 0


def test_hosts_of_a_file_are_reached_by_the_remote_shell_and_one_that_is_not_there_is_named(
    cluster,
):
    hosts = cluster.folder / "hosts"
    hosts.write_text("n1 slots=2\nn2:2\nn3\nn9 # broken\n")
    done = cluster.stend("run", "--hosts", str(hosts), "fake", *QUICK)
    assert done.returncode == 5
    assert "n9 can't be reached (enter: connect to host n9: No route to host)" in done.stderr
    found = runs_of_last_session(cluster)
    assert set(found) == {"n1", "n2", "n3", "n9"}
    assert found["n9"].cases == ()
    assert "n3: fake.told is 50% above" in done.stdout
    assert cluster.stend("outliers", "--fail-on", "faster").returncode == 5


MESSAGES = ("mpi.pingpong", "--set", "bytes=8", "--variant", "openmpi", "--seconds", "0.05")


@pytest.fixture
def two_cpus():
    needs("mpirun.openmpi", "openmpi-bin")
    needs("mpicxx.openmpi", "libopenmpi-dev")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("two nodes that exchange messages need a CPU each")


@pytest.mark.usefixtures("two_cpus")
@pytest.mark.parametrize("by", ["slurm", "a hostfile"])
def test_messages_between_two_nodes_are_a_run_of_their_own(cluster, by):
    hosts = cluster.folder / "two"
    hosts.write_text("n1\nn2\n")
    start = ("salloc", "-Q", "-w", "n1,n2") if by == "slurm" else ()
    word = "slurm" if by == "slurm" else str(hosts)
    done = cluster.run(*start, *STEND, "run", "--hosts", word, *MESSAGES)
    assert done.returncode == 0, done.stderr
    found = runs_of_last_session(cluster)
    assert set(found) == {"n1", "n2", "ctl"}
    (between,) = found["ctl"].cases
    assert between.parameters == {"bytes": 8, "place": "nodes", "hosts": "n1+n2"}
    assert between.status is Status.MEASURED
    assert "that takes three nodes" in " ".join(done.stdout.split())


def test_a_node_that_goes_down_keeps_what_it_measured_and_the_others_go_on(cluster):
    process = cluster.popen(
        *SALLOC, *STEND, "run", "--hosts", "slurm", "clock.error", "fake", "--set",
        "timer=CLOCK_MONOTONIC,CLOCK_REALTIME,CLOCK_BOOTTIME", "--seconds", "0.3",
        stdout=-1, stderr=-1,
    )  # fmt: skip
    wait_for_a_sample_of(cluster, "n2", process)
    stepd = cluster.run("pgrep", "-f", "slurmstepd: .*").stdout.split()
    assert len(stepd) >= 3
    kill_all_on(cluster, "n2")
    cluster.run("scontrol", "update", "nodename=n2", "state=down", "reason=test")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 5, said
    found = runs_of_last_session(cluster)
    assert set(found) == {"n1", "n2", "n3"}
    assert found["n2"].cases
    (lost,) = found["n2"].conditions.during
    assert lost.said.startswith("n2 was lost")
    for host in ("n1", "n3"):
        assert len(found[host].cases) == 4
        assert found[host].finished


def wait_for_a_sample_of(cluster, host, process):
    while process.poll() is None:
        with Store.open(cluster.env["STEND_STORE"]) as store:
            newest = store.find(host=host, limit=1)
            if newest and newest[0].finished is None and newest[0].cases:
                return
        time.sleep(0.1)
    raise AssertionError(process.communicate()[1])


def kill_all_on(cluster, host):
    """All processes in the node's network but its namespace's keeper: the power fails."""
    pids = cluster.run("ip", "netns", "pids", host).stdout.split()
    assert pids
    cluster.run("kill", "-9", *pids)


def test_ctrl_c_leaves_nothing_running_on_the_nodes(cluster):
    cluster.run("scontrol", "update", "nodename=n2", "state=resume")
    process = cluster.popen(
        "salloc", "-Q", "-w", "n1,n3", *STEND, "run", "--hosts", "slurm", "clock.error", "--set",
        "timer=CLOCK_MONOTONIC", "--full", stdout=-1, stderr=-1, start_new_session=True,
    )  # fmt: skip
    wait_for_a_sample_of(cluster, "n3", process)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert "Stopped. What was measured is stored" in said
    assert cluster.run("pgrep", "-f", "stend.fleet.node").stdout == ""
    assert all(run.finished for run in runs_of_last_session(cluster).values())
