"""Ranks of every MPI there is, for real: what they measure, where they sit, and how they fail."""

import contextlib
import dataclasses
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

import mpi_programs
from needed import missing
from patience import PATIENCE
from stend import native
from stend.benchmarks import registry
from stend.benchmarks.definition import Case
from stend.benchmarks.runner import Rule
from stend.errors import Crashed, TimedOut
from stend.processes import mpi
from stend.record import Status
from stend.running.job import Job, Program
from stend.running.launch import launch
from stend.running.task import Task

NAMES = ("openmpi", "mpich")
OPERATIONS = [name for name in registry.load()[0] if name.startswith("mpi.")]
ON_PAIRS = {"place": "socket", "hosts": ""}
ON_ALL = {"ranks": 2, "hosts": ""}
PARAMETERS = {
    "mpi.barrier": ON_ALL,
    "mpi.message_rate": {"bytes": 8, "window": 64, **ON_PAIRS},
} | {
    f"mpi.{name}": {"bytes": 40, **ON_ALL} for name in ("bcast", "allreduce", "alltoall", "gather")
}
LONG, NEVER = 1 << 24, -1.0
"""Bytes of a message and the target of a rule with which measuring lasts as long as it may: no
interval is so narrow, and 16,384 repetitions, which are enough for any rule, take a minute."""
FAULTS = Path(__file__).with_name("message_faults.c")


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory):
    """Programs of this test alone, so that its ranks are known by their path."""
    with pytest.MonkeyPatch.context() as patch:
        mpi_programs.cache(tmp_path_factory, patch)
        yield
        assert ranks() == []


def site(name: str) -> mpi.Mpi:
    (found,) = (each for each in mpi.libraries() if each.name == name)
    if not found.available:
        missing(found.reason)
    if len(os.sched_getaffinity(0)) < 2:
        missing("there are no two CPUs for two ranks")
    return found


def job(operation: str, name: str, **changed):
    site(name)
    given = PARAMETERS.get(operation, {"bytes": 8, **ON_PAIRS}) | changed
    return registry.load()[0][operation].make(Case(operation, given, name))


def measured(job, seconds: float = 0.05, target: float = 0.01):
    return job.measure(Rule(seconds=seconds, target=target), process=0)


def ranks() -> list[int]:
    """The processes of this test's programs, but for launchers and zombies."""
    cache = os.environ["XDG_CACHE_HOME"]
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.joinpath("cmdline").read_bytes().startswith(cache.encode()):
                found.append(int(folder.name))
    return found


def gone(seconds: float = 10.0) -> bool:
    """Whether no rank is left, at the latest after so many seconds."""
    deadline = time.monotonic() + seconds
    while ranks() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not ranks()


@contextlib.contextmanager
def hit_while_measured(by: signal.Signals):
    """Send a signal to the last rank, a moment after they are first asked to measure."""
    asked = threading.Event()
    collect = Program.collect

    def asking(*words):
        asked.set()
        return collect(*words)

    def hit() -> None:
        assert asked.wait(PATIENCE)
        time.sleep(0.2)
        os.kill(max(ranks()), by)

    thread = threading.Thread(target=hit)
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Program, "collect", asking)
            yield
    finally:
        thread.join()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_is_measured_and_proved(operation: str, name: str) -> None:
    sample, detail = measured(job(operation, name))
    assert sample.proof.right
    assert sample.batch == 1 or operation in ("mpi.put", "mpi.get")
    for rank in (0, 1):
        own = sample.also[f"rank {rank} s"]
        assert len(own) == len(sample.ticks)
        assert all(seconds > 0 for seconds in own)
    assert "rank 0 on" in detail["about"]
    assert gone()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [0, 1, 7, 13, 100, 70_001, 3_000_001])
def test_messages_of_odd_sizes_arrive(size: int, name: str) -> None:
    sample, _ = measured(job("mpi.pingpong", name, bytes=size), seconds=0.02)
    assert sample.proof.right


def test_a_ping_pong_is_half_of_a_round_trip_without_the_clocks_own_time() -> None:
    sample, _ = measured(job("mpi.pingpong", "openmpi"))
    taken_off = {
        round(ticks - 2e9 * value) for ticks, value in zip(sample.ticks, sample.values, strict=True)
    }
    assert len(taken_off) == 1
    assert sample.also["rank 0 s"] == sample.values


def with_fault(fault: str, made: Job, name: str, folder: Path) -> Job:
    library = folder / "faults.so"
    compiler = site(name).wrapper.replace("mpicxx", "mpicc")
    subprocess.run([compiler, "-shared", "-fPIC", str(FAULTS), "-o", library], check=True)
    between = {"LD_PRELOAD": str(library), "FAULT": fault}
    return dataclasses.replace(made, environment=made.environment | between)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("fault", "operation"), [("flip", "pingpong"), ("stale", "pingpong"),
                                                  ("allreduce", "allreduce")])  # fmt: skip
@pytest.mark.parametrize("size", [8, 100_000])
def test_a_message_that_arrives_wrong_is_no_measurement(
    fault: str, operation: str, size: int, name: str, tmp_path: Path
) -> None:
    made = job(f"mpi.{operation}", name, bytes=size)
    # the fault begins with the 20th message, and ends the measuring
    sample, _ = measured(with_fault(fault, made, name, tmp_path), seconds=20, target=NEVER)
    assert not sample.proof.right
    assert "check failed" in sample.proof.said
    assert gone()


@pytest.mark.parametrize("name", NAMES)
def test_a_barrier_that_lets_all_through_is_no_measurement(name: str, tmp_path: Path) -> None:
    sample, _ = measured(with_fault("barrier", job("mpi.barrier", name), name, tmp_path))
    assert not sample.proof.right
    assert gone()


@pytest.mark.parametrize("name", NAMES)
def test_two_ranks_of_a_socket_sit_on_two_cpus_of_it(name: str) -> None:
    sample, detail = measured(job("mpi.pingpong", name))
    where = detail["about"].split("; ")[1]
    first, second = (part.split(" on ")[1] for part in where.split(", "))
    assert first != second
    assert first.split()[-2:] == second.split()[-2:]  # socket 0
    assert len(set(sample.core)) == 1


def with_words(made, **changed: str):
    """The job with other words for its program: what the plan would have refused."""
    *launcher, program, operation, size, window, place = made.command
    words = {"operation": operation, "size": size, "window": window, "place": place} | changed
    return dataclasses.replace(made, command=(*launcher, program, *words.values()))


@pytest.mark.parametrize("name", NAMES)
def test_a_placement_that_can_not_happen_is_said(name: str) -> None:
    made = job("mpi.pingpong", name)
    with pytest.raises(native.Unavailable, match="takes for one node; place=nodes needs two"):
        measured(with_words(made, place="nodes"))
    if _sockets() == 1:
        with pytest.raises(native.Unavailable, match="one socket"):
            measured(with_words(made, place="sockets"))
    one = dataclasses.replace(made, command=("taskset", "-c", _a_cpu(), *made.command))
    with pytest.raises(native.Unavailable, match=r"^No socket of .* has two CPUs"):
        measured(one)


def _sockets() -> int | None:
    from stend.machine import inspect

    return inspect().packages


def _a_cpu() -> str:
    return str(min(os.sched_getaffinity(0)))


@pytest.mark.parametrize("name", NAMES)
def test_more_ranks_than_cpus_are_refused_by_the_ranks_too(name: str) -> None:
    many = len(os.sched_getaffinity(0)) + 1
    with pytest.raises(native.Unavailable, match="too few to give each one of its own"):
        measured(job("mpi.barrier", name, ranks=many))
    assert gone()


@pytest.mark.parametrize("name", NAMES)
def test_a_rank_that_is_killed_is_a_crash_that_leaves_nothing(name: str) -> None:
    made = job("mpi.pingpong", name, bytes=LONG)
    with hit_while_measured(signal.SIGKILL), pytest.raises(Crashed) as ended:
        measured(made, seconds=30.0, target=NEVER)
    # The launcher sees the signal, or the other rank sees first that its peer's memory is gone.
    assert re.search("signal 9|exited with code 9|No such process", str(ended.value))
    assert gone()


@pytest.mark.parametrize("name", NAMES)
def test_a_rank_that_hangs_is_ended_when_its_time_is_up(name: str) -> None:
    made = dataclasses.replace(job("mpi.pingpong", name, bytes=LONG), answering=1.0)
    with hit_while_measured(signal.SIGSTOP), pytest.raises(TimedOut, match="for an answer"):
        measured(made, seconds=3.0, target=NEVER)
    assert gone()


@pytest.mark.parametrize("name", NAMES)
def test_a_program_that_a_host_lacks_is_told(name: str) -> None:
    made = job("mpi.pingpong", name)
    lacking = (*made.command[:-5], "/nowhere/stend-mpi")
    with pytest.raises(Crashed, match=r"/nowhere/stend-mpi|execut"):
        measured(dataclasses.replace(made, command=lacking))


def test_a_host_that_can_not_be_reached_is_told(tmp_path: Path) -> None:
    made = job("mpi.pingpong", "openmpi", place="nodes", hosts="nosuch1+nosuch2")
    agent = unreachable(tmp_path)
    environment = made.environment | {"OMPI_MCA_plm_rsh_agent": str(agent)}
    with pytest.raises(Crashed, match=r"nosuch\d port 22: No route to host"):
        measured(dataclasses.replace(made, environment=environment))


def test_a_host_that_mpichs_launcher_waits_for_is_told_when_the_time_is_up(tmp_path: Path) -> None:
    made = job("mpi.pingpong", "mpich", place="nodes", hosts="nosuch1+nosuch2")
    agent = {"HYDRA_LAUNCHER": "rsh", "HYDRA_LAUNCHER_EXEC": str(unreachable(tmp_path))}
    waiting = dataclasses.replace(made, environment=made.environment | agent, starting=1.0)
    with pytest.raises(TimedOut, match=r"to be ready.*No route to host"):
        measured(waiting)


def unreachable(folder: Path) -> Path:
    agent = folder / "agent"
    agent.write_text(
        "#!/bin/sh\nwhile case $1 in -*) ;; *) false ;; esac; do shift; done\n"
        'echo "ssh: connect to host $1 port 22: No route to host" >&2; exit 255\n'
    )
    agent.chmod(0o755)
    return agent


def task(name: str, seconds: float, size: int = 1024, target: float = 0.01) -> Task:
    from stend.machine import default_clock

    site(name)
    return Task(
        benchmark="mpi.pingpong",
        module="stend.benchmarks.families.mpi",
        parameters={"bytes": size, **ON_PAIRS},
        variant=name,
        process=0,
        rule=Rule(seconds=seconds, target=target),
        clock=default_clock(),
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_worker_measures_ranks_as_it_does_kernels(name: str) -> None:
    done = launch(task(name, 0.1))
    assert (done.status, done.reason) == (Status.MEASURED, "")
    assert done.sample.clock == "CLOCK_MONOTONIC"
    assert name[:4].lower() in done.detail["command"].lower() + done.detail["about"].lower()


@pytest.mark.parametrize("name", NAMES)
def test_a_worker_whose_time_is_up_leaves_no_rank_behind(name: str) -> None:
    done = launch(task(name, 5.0, LONG, NEVER), patience=-19.0)  # 1 s: 20 are for measuring
    assert done.status is Status.TIMED_OUT
    assert gone()


@pytest.mark.parametrize("name", NAMES)
def test_a_worker_that_is_killed_leaves_no_rank_behind(name: str) -> None:
    def kill_the_worker() -> None:
        deadline = time.monotonic() + PATIENCE
        while len(ranks()) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
            for worker in child.read_text().split():
                if b"stend.running.worker" in Path(f"/proc/{worker}/cmdline").read_bytes():
                    os.kill(int(worker), signal.SIGKILL)

    asked = task(name, 20.0, LONG, NEVER)
    thread = threading.Thread(target=kill_the_worker)
    thread.start()
    done = launch(asked)
    thread.join()
    assert done.status is Status.CRASHED
    assert gone()
