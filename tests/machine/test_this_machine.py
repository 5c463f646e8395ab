"""On the machine that runs the tests: the same facts as the system's own programs tell."""

import json
import os
import platform
import subprocess
import sys

import pytest

from needed import needs
from stend.machine import available_memory, conditions_now, inspect
from stend.machine.sysfs_topology import SysfsTopology
from stend.machine.topology import by_hwloc
from stend.machine.tree import Tree


@pytest.fixture(scope="module")
def here():
    return inspect()


def said(*command, package="util-linux"):
    needs(command[0], package)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def lscpu():
    fields = json.loads(said("lscpu", "-J"))["lscpu"]
    flat = fields + [c for f in fields for c in f.get("children", [])]
    return {f["field"].rstrip(":"): f["data"] for f in flat}


def test_usable_and_online_cpus_are_those_of_nproc_and_getconf(here):
    assert len(here.usable) == int(said("nproc", package="coreutils"))
    assert here.usable == tuple(sorted(os.sched_getaffinity(0)))
    assert here.threads == int(said("getconf", "_NPROCESSORS_ONLN", package="libc-bin"))


def test_page_size_is_that_of_getconf(here):
    assert here.page_bytes == int(said("getconf", "PAGE_SIZE", package="libc-bin"))


def test_the_processor_is_the_one_lscpu_names(here, lscpu):
    assert here.architecture == lscpu["Architecture"] == platform.machine()
    if here.cpu_vendor and "Vendor ID" in lscpu:
        assert here.cpu_vendor == lscpu["Vendor ID"]
    if "Thread(s) per core" in lscpu and lscpu["Thread(s) per core"].isdigit():
        assert here.smt == (int(lscpu["Thread(s) per core"]) > 1)


def test_caches_are_those_getconf_names(here):
    for level, name in ((1, "LEVEL1_DCACHE_SIZE"), (2, "LEVEL2_CACHE_SIZE")):
        told = said("getconf", name, package="libc-bin").strip()
        sizes = {c.bytes for c in here.caches if c.level == level and c.kind != "instruction"}
        if told.isdigit() and int(told) and sizes:
            assert int(told) in sizes


def test_memory_is_that_of_free(here):
    total = int(said("free", "-b", package="procps").splitlines()[1].split()[1])
    assert here.memory_bytes == total
    assert 0 < available_memory() <= total


def test_the_kernel_is_that_of_uname(here):
    assert here.kernel == f"Linux {platform.release()}"
    assert here.host == platform.node()


def test_everything_unknown_here_has_a_reason(here):
    assert all(here.unknown.values())
    assert here.cpu_model
    assert here.versions["python"].endswith(platform.python_version())


def test_conditions_here_are_sentences_with_advice():
    for one in conditions_now():
        assert one.said.endswith(".")
        assert one.advice
        assert one.start is None


def printed(script: str, told: dict[str, str]) -> str:
    """What another process prints that is told this by its environment."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | told
    command = [sys.executable, "-c", script]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_clocks_and_isa_come_from_the_compiled_part(here):
    from stend.native import clock, isa

    assert here.isa == tuple(isa.features())
    assert [c.name for c in here.clocks] == [s.name for s in clock.sources()]
    assert all(c.available or c.reason for c in here.clocks)


def test_without_the_compiled_part_its_facts_are_unknown_with_the_way_to_build_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "stend._native", None)
    monkeypatch.delitem(sys.modules, "stend.native", raising=False)
    by_hwloc.cache_clear()
    found = inspect()
    assert found.isa == found.clocks == ()
    assert "pip install" in found.unknown["isa"]
    assert found.unknown["clocks"] == found.unknown["isa"]
    assert found.cores


@pytest.mark.parametrize("hwloc", ["can't be loaded", "another machine"])
def test_where_hwloc_cannot_tell_the_kernels_files_do(hwloc, here, tmp_path):
    (tmp_path / "libhwloc.so.15").touch()
    told = {
        "can't be loaded": {"LD_LIBRARY_PATH": str(tmp_path)},
        "another machine": {"HWLOC_SYNTHETIC": "node:4 core:2 pu:1"},
    }
    script = (
        "from stend.machine import inspect; found = inspect();"
        "print(found.unknown['versions.hwloc'], found.cores, len(found.numa))"
    )
    said = printed(script, told[hwloc])
    assert hwloc in said
    assert said.endswith(f" {here.cores} {len(here.numa)}\n")


def test_an_unknown_name_in_the_disabled_extensions_makes_isa_unknown():
    # the compiled part reads the variable once a process
    script = "from stend.machine import inspect; print(inspect().unknown['isa'])"
    assert "no-such-thing" in printed(script, {"STEND_DISABLE_ISA": "no-such-thing"})


def test_hwloc_and_sysfs_see_this_machine_alike(here):
    by_sysfs = SysfsTopology(Tree())
    assert by_hwloc().packages() == by_sysfs.packages() == here.packages
    assert by_hwloc().cores() == by_sysfs.cores() == here.cores
    assert by_hwloc().caches() == by_sysfs.caches() == here.caches


def test_a_calibrated_clock_has_its_frequency_with_an_uncertainty():
    clocks = [c for c in inspect(calibrate=0.01).clocks if c.available]
    assert clocks
    for clock in clocks:
        assert clock.hz > 0
        assert clock.hz_uncertainty >= 0
        assert clock.resolution > 0
        assert clock.overhead >= 0
