"""How many threads can be made: each limit by hand, and some as this system keeps them."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from machine.made_trees import made
from stend.machine import inspect

LIMITS = (
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max stack size            8388608              unlimited            bytes     \n"
    "Max processes             {processes}                unlimited                processes \n"
    "Max address space         {space}            unlimited            bytes     \n"
)
USER = (
    "Uid:\t1000\t0\t1000\t1000\nVmSize:\t  1024 kB\nThreads:\t{threads}\nCapEff:\t{capabilities}\n"
)
ORDINARY = {
    "/proc/self/status": USER.format(threads=1, capabilities="0" * 16),
    "/proc/self/uid_map": "         0          0 4294967295\n",
    "/proc/self/limits": LIMITS.format(processes="unlimited", space="unlimited"),
    "/proc/self/maps": "a mapping\n" * 30,
    "/proc/loadavg": "0.1 0.2 0.3 2/100 4711\n",
    "/proc/sys/kernel/threads-max": "100000\n",
    "/proc/sys/kernel/pid_max": "4194304\n",
    "/proc/sys/vm/max_map_count": "1048576\n",
    "/proc/sys/vm/overcommit_memory": "0\n",
    "/proc/meminfo": "MemTotal: 8192 kB\nCommitLimit: 90000 kB\nCommitted_AS: 5000 kB\n",
}
SAME_USER = {
    "/proc/41/status": USER.format(threads=40, capabilities="0" * 16),
    "/proc/42/status": "Uid:\t1001\t1000\t1000\t1000\nThreads:\t900\n",
    "/proc/43/status": USER.format(threads=2, capabilities="0" * 16),
}
FEW = {"/proc/self/limits": LIMITS.format(processes="500", space="unlimited")}
GROUPS = {
    "/proc/self/cgroup": "0::/jobs/one\n",
    "/proc/self/mountinfo": "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    "/sys/fs/cgroup/cgroup.controllers": "pids\n",
    "/sys/fs/cgroup/jobs/one/pids.max": "max\n",
    "/sys/fs/cgroup/jobs/one/pids.current": "5\n",
    "/sys/fs/cgroup/jobs/pids.max": "400\n",
    "/sys/fs/cgroup/jobs/pids.current": "150\n",
}
FIRST_GROUPS = {
    "/proc/self/cgroup": "8:pids:/job\n0::/\n",
    "/proc/self/mountinfo": "31 1 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n",
    "/sys/fs/cgroup/pids/job/pids.max": "99\n",
    "/sys/fs/cgroup/pids/job/pids.current": "4\n",
}


@pytest.mark.parametrize(
    ("files", "free", "said"),
    [
        ({}, 100000 - 100, "kernel.threads-max is 100000, of which 100 are in use; "),
        ({"/proc/sys/kernel/pid_max": "32768\n"}, 32768 - 300 - 100, "kernel.pid_max is 32768, "),
        ({"/proc/sys/vm/max_map_count": "65530\n"}, 32750, "each thread takes 2; `sysctl vm.max_"),
        (SAME_USER | FEW, 500 - 42, "RLIMIT_NPROC is 500, of which this user's threads take 42; "),
        (GROUPS, 250, "/sys/fs/cgroup/jobs/pids.max is 400, of which 150 are in use; "),
        (FIRST_GROUPS, 95, "/sys/fs/cgroup/pids/job/pids.max is 99, of which 4 are in use; "),
        (
            {"/proc/self/limits": LIMITS.format(processes=9**9, space=(1 << 20) + 10 * (8 << 20))},
            10,
            "RLIMIT_AS is 84934656 B and each thread's stack takes 8388608; ",
        ),
        ({"/proc/sys/vm/overcommit_memory": "2\n"}, 10, "vm.overcommit_memory is 2, 87040000 B "),
    ],
)
def test_the_tightest_limit_counts_and_is_named(
    files: dict[str, str], free: int, said: str, tmp_path: Path
) -> None:
    machine = inspect(made(tmp_path, ORDINARY | files))
    assert machine.threads_free == free
    assert machine.threads_limit
    assert said in machine.threads_limit


@pytest.mark.parametrize(
    "exempt",
    [
        USER.format(threads=1, capabilities="0000000001000000"),  # CAP_SYS_RESOURCE
        USER.format(threads=1, capabilities="0000000000200000"),  # CAP_SYS_ADMIN
        "Uid:\t0\t0\t0\t0\nThreads:\t1\nCapEff:\t0000000000000000\n",
    ],
)
def test_root_and_its_like_have_no_limit_of_their_own(exempt: str, tmp_path: Path) -> None:
    files = ORDINARY | SAME_USER | FEW | {"/proc/self/status": exempt}
    assert "RLIMIT_NPROC" not in str(inspect(made(tmp_path, files)).threads_limit)


def test_root_of_a_container_with_users_of_its_own_has_one(tmp_path: Path) -> None:
    root = "Uid:\t0\t0\t0\t0\nThreads:\t7\nCapEff:\t000001ffffffffff\n"
    files = FEW | {
        "/proc/self/status": root,
        "/proc/9/status": root,
        "/proc/self/uid_map": "0 100000 65536\n",
    }
    assert inspect(made(tmp_path, ORDINARY | files)).threads_free == 500 - 7


def test_a_full_limit_leaves_none(tmp_path: Path) -> None:
    full = {"/sys/fs/cgroup/jobs/pids.current": "401\n"}
    assert inspect(made(tmp_path, ORDINARY | GROUPS | full)).threads_free == 0


def test_a_container_with_numbers_of_its_own_is_not_held_to_the_hosts_count(tmp_path: Path) -> None:
    own = {"/proc/sys/kernel/pid_max": "32768\n", "/proc/loadavg": "9 9 9 3/90000 1\n"}
    assert inspect(made(tmp_path, ORDINARY | own)).threads_free == 10000


def test_a_machine_that_tells_no_limit_is_unknown_with_a_reason(tmp_path: Path) -> None:
    machine = inspect(made(tmp_path, {"/proc/loadavg": "garbage\n"}))
    assert machine.threads_free is machine.threads_limit is None
    assert "tells a limit of threads" in machine.unknown["threads_free"]


COUNTS = """
import os, sys, threading
from stend.machine import inspect
machine, over, made = inspect(), threading.Event(), []
threading.stack_size(8 << 20)
try:
    while len(made) < 3000:
        made.append(threading.Thread(target=over.wait, daemon=True))
        made[-1].start()
except RuntimeError:
    made.pop()
sys.stdout.write(f"{machine.threads_free} {len(made)} {machine.threads_limit}\\n")
sys.stdout.flush()
over.set()
for one in made: one.join()
"""


def told_and_made(before: Callable[[], None]) -> tuple[int, int, str]:
    """What a process says that it can make under a limit, how many it makes, the limit's name."""
    environment = os.environ | {
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", COUNTS],
        preexec_fn=before,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told, count, said = done.stdout.split(maxsplit=2)
    return int(told), int(count), said


def test_so_many_threads_fit_into_an_address_space() -> None:
    space = 4 << 30
    told, count, said = told_and_made(lambda: resource.setrlimit(resource.RLIMIT_AS, (space, -1)))
    assert "RLIMIT_AS" in said
    assert 0.9 * told <= count <= told


def test_so_many_threads_fit_under_a_users_limit() -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become a user that nobody else is")

    def become_another() -> None:
        """A real user that nobody else is, without the capabilities that no limit holds."""
        for capability in (21, 24):  # CAP_SYS_ADMIN, CAP_SYS_RESOURCE
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
        resource.setrlimit(resource.RLIMIT_NPROC, (200, 200))
        os.setresuid(54321, 0, 0)

    told, count, said = told_and_made(become_another)
    assert "RLIMIT_NPROC is 200" in said
    assert abs(count - told) <= 1


@pytest.fixture
def group() -> Iterator[Path]:
    """A control group of our own in which 120 processes and threads may be."""
    for parent in (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup")):
        folder = parent / f"stend-test-{os.getpid()}"
        try:
            folder.mkdir()
            if (folder / "pids.max").exists():
                (folder / "pids.max").write_text("120")
                yield folder
                return
        except OSError:
            continue
        finally:
            if folder.exists():
                folder.rmdir()
    pytest.skip("no control group can be made here: that takes root and the controller pids")


def test_so_many_threads_fit_into_a_control_group(group: Path) -> None:
    told, count, said = told_and_made(lambda: void((group / "cgroup.procs").write_text("0")))
    assert f"{group}/pids.max is 120, of which 1 are in use" in said
    assert abs(count - told) <= 1


def void(_: object) -> None:
    """For what is done in passing."""
