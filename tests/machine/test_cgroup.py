"""A container's limits, by control groups of both versions, made by hand."""

import pytest

from machine.made_trees import made
from stend.machine import available_memory, cgroup, inspect
from stend.machine.tree import Unreadable

MEMINFO = {"/proc/meminfo": "MemTotal: 8192 kB\nMemFree: 4096 kB\nMemAvailable: 6144 kB\n"}

UNIFIED = {
    "/proc/self/cgroup": "0::/jobs/one\n",
    "/proc/self/mountinfo": "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    "/sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n",
    "/sys/fs/cgroup/jobs/memory.max": "2097152\n",
    "/sys/fs/cgroup/jobs/memory.current": "1048576\n",
    "/sys/fs/cgroup/jobs/memory.stat": "anon 1\ninactive_file 524288\nactive_file 3\n",
    "/sys/fs/cgroup/jobs/one/memory.max": "max\n",
    "/sys/fs/cgroup/jobs/one/memory.current": "1000\n",
    "/sys/fs/cgroup/jobs/cpu.max": "max 100000\n",
    "/sys/fs/cgroup/jobs/one/cpu.max": "150000 100000\n",
    "/sys/fs/cgroup/jobs/one/cpu.stat": "usage_usec 5\nnr_periods 9\nnr_throttled 7\n",
    "/sys/fs/cgroup/jobs/one/pids.max": "512\n",
}

NO_LIMIT_1 = "9223372036854771712\n"

FIRST = {
    "/proc/self/cgroup": "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n2:pids:/\n0::/\n",
    "/proc/self/mountinfo": (
        "31 1 0:27 /docker/abc /sys/fs/cgroup/memory rw master:1 - cgroup cgroup rw,memory\n"
        "32 1 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "33 1 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
        "34 1 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    ),
    "/sys/fs/cgroup/memory/memory.limit_in_bytes": "4194304\n",
    "/sys/fs/cgroup/memory/memory.usage_in_bytes": "1048576\n",
    "/sys/fs/cgroup/memory/memory.stat": "total_inactive_file 0\n",
    "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "50000\n",
    "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000\n",
    "/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us": "-1\n",
    "/sys/fs/cgroup/pids/pids.max": "max\n",
}


def test_version_2_takes_the_smallest_limit_on_the_way_up(tmp_path):
    tree = made(tmp_path, UNIFIED | MEMINFO)
    assert cgroup.memory_limit(tree) == 2097152
    assert cgroup.cpu_limit(tree) == 1.5
    assert cgroup.process_limit(tree) == 512
    assert cgroup.quota_throttled(tree) == 7


def test_available_memory_is_what_the_group_leaves_with_idle_file_pages(tmp_path):
    assert available_memory(made(tmp_path, UNIFIED | MEMINFO)) == 2097152 - 1048576 + 524288


def test_a_limit_above_the_memory_leaves_the_kernels_estimate(tmp_path):
    roomy = UNIFIED | MEMINFO | {"/sys/fs/cgroup/jobs/memory.max": str(1 << 40)}
    assert available_memory(made(tmp_path, roomy)) == 6144 << 10


def test_a_group_over_its_limit_leaves_nothing(tmp_path):
    full = UNIFIED | MEMINFO | {"/sys/fs/cgroup/jobs/memory.current": str(1 << 40)}
    assert available_memory(made(tmp_path, full)) == 0


def test_version_1_reads_the_part_of_the_hierarchy_that_the_container_sees(tmp_path):
    tree = made(tmp_path, FIRST | MEMINFO)
    assert cgroup.own_group(tree, "memory").folders == ("/sys/fs/cgroup/memory",)
    assert cgroup.memory_limit(tree) == 4194304
    assert available_memory(tree) == 3145728
    assert cgroup.cpu_limit(tree) == 0.5
    assert cgroup.process_limit(tree) is None


def test_no_limit_of_version_1_is_no_limit(tmp_path):
    files = FIRST | MEMINFO | {"/sys/fs/cgroup/memory/memory.limit_in_bytes": NO_LIMIT_1}
    tree = made(tmp_path, files)
    assert cgroup.memory_limit(tree) is None
    assert available_memory(tree) == 6144 << 10
    assert "memory_limit" not in inspect(tree).unknown


def test_a_host_path_that_the_mount_does_not_show_means_the_mount_itself(tmp_path):
    tree = made(tmp_path, UNIFIED | {"/proc/self/cgroup": "0::/../../elsewhere\n"})
    assert cgroup.own_group(tree, "memory").folders == ("/sys/fs/cgroup",)


def test_a_period_of_nothing_is_unknown(tmp_path):
    tree = made(tmp_path, UNIFIED | {"/sys/fs/cgroup/jobs/one/cpu.max": "1000 0\n"})
    with pytest.raises(Unreadable, match="period is 0"):
        cgroup.cpu_limit(tree)


def test_a_controller_that_nobody_has_is_unknown(tmp_path):
    tree = made(tmp_path, UNIFIED)
    with pytest.raises(Unreadable, match="no group of the controller freezer"):
        cgroup.own_group(tree, "freezer")
