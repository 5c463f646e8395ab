"""What is read of other people's machines, against what lscpu and hwloc print for them."""

import functools
import tempfile
from pathlib import Path

import pytest

from machine.recorded import MACHINES, TREES, packed, recorded
from stend.machine import available_memory, conditions_now, inspect
from stend.machine.hwloc_topology import HwlocTopology
from stend.machine.sysfs_topology import SysfsTopology
from stend.machine.tree import Unreadable
from stend.record import Cache, Disk, Machine, from_json, to_json


@functools.cache
def read(name):
    """What is told of the recorded machine `name`."""
    with tempfile.TemporaryDirectory() as folder:
        return inspect(recorded(name, Path(folder)))


def caches(machine):
    """(level, kind, KiB, how many) of each."""
    return [(c.level, c.kind[0], c.bytes >> 10, c.count) for c in machine.caches]


SHAPES = {
    # packages, cores, threads, SMT
    "amd-four-sockets": (4, 48, 48, False),
    "amd-two-sockets": (2, 48, 96, True),
    "arm-server": (2, 128, 128, False),
    "arm-two-kinds": (1, 20, 20, False),
    "firecracker-guest": (1, 2, 2, False),
    "intel-hybrid": (1, 14, 20, True),
    "loongson": (1, 4, 4, False),
    "power7": (4, 4, 16, True),
    "riscv-board": (1, 4, 4, False),
}

PROCESSORS = {
    "amd-four-sockets": ("AuthenticAMD", "AMD Engineering Sample"),
    "amd-two-sockets": ("AuthenticAMD", "AMD EPYC 7451 24-Core Processor"),
    "arm-server": ("HiSilicon", "TaiShan-v110"),
    "arm-two-kinds": ("Arm", "Cortex-A725 + Cortex-X925"),
    "elbrus": ("E8C-SWTX", "E8C"),
    "firecracker-guest": ("GenuineIntel", "Intel(R) Xeon(R) Processor"),
    "intel-hybrid": ("GenuineIntel", "13th Gen Intel(R) Core(TM) i7-1370P"),
    "loongson": (None, "Loongson-3A5000-HV"),
    "power7": (None, "POWER7 (architected), altivec supported"),
    "riscv-board": ("SiFive", "sifive,u74-mc"),
    "s390": ("IBM/S390", "IBM type 2817"),
}

LAST_CACHE_MB = {
    "amd-four-sockets": 8 * 5118 / 1024,
    "amd-two-sockets": 16 * 8,
    "arm-server": 4 * 32,
    "arm-two-kinds": 16 + 8,
    "elbrus": 16,
    "intel-hybrid": 24,
    "loongson": 16,
    "power7": 4 * 32 / 1024,
    "riscv-board": 2,
}


@pytest.mark.parametrize("name", SHAPES)
def test_packages_cores_and_threads_are_those_lscpu_counts(name):
    m = read(name)
    assert (m.packages, m.cores, m.threads, m.smt) == SHAPES[name]


@pytest.mark.parametrize("name", PROCESSORS)
def test_every_architecture_names_its_processor(name):
    m = read(name)
    assert (m.cpu_vendor, m.cpu_model) == PROCESSORS[name]


@pytest.mark.parametrize("name", LAST_CACHE_MB)
def test_the_last_cache_is_the_sum_of_all_its_copies(name):
    assert read(name).last_cache == LAST_CACHE_MB[name] * (1 << 20)


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_not_known_has_a_reason_and_what_is_known_has_none(name):
    m = read(name)
    limits = {"memory_limit", "cpu_limit", "process_limit"}  # None is an answer: no limit
    for field in m.__struct_fields__:
        if field != "unknown" and field not in limits:
            known = getattr(m, field) not in (None, (), {})
            assert known != (field in m.unknown), field
    assert all(reason and reason == reason.strip() for reason in m.unknown.values())


@pytest.mark.parametrize("name", MACHINES)
def test_a_recorded_machine_survives_its_own_file(name):
    m = read(name)
    assert from_json(to_json(m), Machine) == m


@pytest.mark.parametrize("name", ["amd-four-sockets", "intel-hybrid"])
def test_hwloc_and_sysfs_see_the_same_machine(name, tmp_path):
    by_hwloc = HwlocTopology((TREES / f"{name}.xml").read_text())
    by_sysfs = SysfsTopology(recorded(name, tmp_path))
    assert by_hwloc.packages() == by_sysfs.packages()
    assert by_hwloc.cores() == by_sysfs.cores()
    assert by_hwloc.caches() == by_sysfs.caches()
    assert [(n.index, n.bytes, n.cpus) for n in by_hwloc.numa()] == [
        (n.index, n.bytes, n.cpus) for n in by_sysfs.numa()
    ]


def test_hwloc_and_sysfs_see_the_same_distances_between_sparse_nodes(tmp_path):
    by_hwloc = HwlocTopology((TREES / "amd-four-sockets.xml").read_text()).numa()
    assert by_hwloc == SysfsTopology(recorded("amd-four-sockets", tmp_path)).numa()
    assert [n.index for n in by_hwloc] == [0, 1, 2, 33, 34, 45, 72, 73]
    assert by_hwloc[1].distances == (16, 10, 22, 16, 16, 22, 22, 16)
    assert by_hwloc[3].cpus == (18, 19, 20, 21, 22, 23)


def test_hardware_threads_of_a_core_and_cores_of_a_socket_are_known():
    of_two_threads = tuple((i, i + 1) for i in range(0, 12, 2))
    of_one = tuple((i,) for i in range(12, 20))
    assert read("intel-hybrid").sockets == ((*of_two_threads, *of_one),)
    assert read("power7").sockets[1:3] == (((4, 5, 6, 7),), ((8, 9, 10, 11),))
    assert [len(cores) for cores in read("amd-four-sockets").sockets] == [12, 12, 12, 12]
    assert read("amd-two-sockets").sockets[1][-1] == (47, 95)
    assert "topology" in read("elbrus").unknown["sockets"]


def test_of_a_nodes_memory_what_is_free_and_half_of_its_caches_may_be_used():
    nodes = read("amd-four-sockets").numa
    assert nodes[1].available == (16498452 + (5136 + 3436 + 2284) // 2) << 10
    assert all(0 < n.available < n.bytes for n in (*nodes, *read("arm-server").numa))
    assert {n.available for n in read("power7").numa} == {None}


@pytest.mark.parametrize("xml", ["", "<", "<topology/>", "no xml", "<a>\0</a>"])
def test_what_is_not_hwlocs_xml_is_unreadable(xml):
    with pytest.raises(Unreadable, match="hwloc"):
        HwlocTopology(xml)


def test_two_kinds_of_core_have_their_own_caches():
    assert caches(read("intel-hybrid")) == [
        (1, "d", 48, 6), (1, "d", 32, 8), (1, "i", 64, 8), (1, "i", 32, 6),
        (2, "u", 2048, 2), (2, "u", 1280, 6), (3, "u", 24576, 1),
    ]  # fmt: skip


def test_an_arm_server_has_its_numa_nodes():
    m = read("arm-server")
    assert [n.cpus for n in m.numa] == [tuple(range(i, i + 32)) for i in (0, 32, 64, 96)]
    assert [n.distances[0] for n in m.numa] == [10, 16, 32, 33]
    assert m.memory_bytes == 527031224 << 10
    assert m.virtualisation == "none"
    assert m.kernel == "Linux 5.15.0-rc1-00005-g4c1b4a4d90b6-dirty"
    assert m.page_bytes == 4096


def test_an_old_kernel_tells_shared_caches_by_masks_only():
    m = read("power7")
    assert caches(m) == [(1, "d", 32, 4), (1, "i", 32, 4)]
    assert m.numa[0].cpus == tuple(range(16))


def test_elbrus_lists_its_caches_in_cpuinfo():
    m = read("elbrus")
    assert m.cpu_family == "family 4 model 7 revision 2"
    assert m.caches == (
        Cache(level=1, kind="data", bytes=64 << 10, line_bytes=32, ways=4),
        Cache(level=1, kind="instruction", bytes=128 << 10, line_bytes=256, ways=4),
        Cache(level=2, kind="unified", bytes=512 << 10, line_bytes=64, ways=4),
        Cache(level=3, kind="unified", bytes=16 << 20, line_bytes=64, ways=16),
    )


def test_a_virtual_machine_is_known_for_one():
    m = read("firecracker-guest")
    assert m.virtualisation == "KVM"
    assert m.os == "Debian GNU/Linux 12 (bookworm)"
    assert m.clock_source == "tsc"
    assert m.usable == (0, 1)
    assert (m.memory_limit, m.cpu_limit, m.process_limit) == (None, None, None)
    assert "memory_limit" not in m.unknown
    assert m.disks == (Disk(name="vda", bytes=256 << 30, rotational=True, scheduler="mq-deadline"),)
    assert m.mitigations["retbleed"] == "Mitigation: Enhanced IBRS"
    assert m.huge_pages == "transparent madvise; 1 GiB: 0 of 0 free; 2 MiB: 0 of 0 free"


def test_available_memory_is_what_the_kernel_estimates(tmp_path):
    tree = recorded("firecracker-guest", tmp_path)
    kilobytes = tree.pairs("/proc/meminfo")["MemAvailable"].split()[0]
    assert available_memory(tree) == int(kilobytes) << 10
    assert available_memory(recorded("elbrus", tmp_path / "other")) is None


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("amd-four-sockets", []),
        ("amd-two-sockets", ["turbo", "smt"]),
        ("intel-hybrid", ["governor", "turbo", "smt"]),
        ("firecracker-guest", ["load", "hypervisor"]),
    ],
)
def test_conditions_of_recorded_machines(name, kinds, tmp_path):
    found = conditions_now(recorded(name, tmp_path), between=lambda: None)
    assert [d.kind for d in found] == kinds


def test_packing_a_machine_and_unpacking_it_changes_nothing(tmp_path):
    tree = recorded("riscv-board", tmp_path / "first")
    paths = ["/" + str(p.relative_to(tree.root)) for p in tree.root.rglob("*") if p.is_file()]
    text = packed(tree, sorted(paths))
    assert text == (TREES / "riscv-board.txt").read_text()
    assert Path(TREES / "README.md").read_text().count("\n| ") == len(MACHINES) + 2
