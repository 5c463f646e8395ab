"""What disturbs a measurement now: every kind, on machines made to have it."""

import os
import signal
import subprocess
import sys

import pytest

from machine.made_trees import made, write
from patience import PATIENCE, comes_true
from stend.machine import conditions, conditions_now
from stend.machine.conditions import CONDITIONS
from stend.machine.disturbances import ADVICE
from stend.machine.tree import Tree

CPU = "/sys/devices/system/cpu"

QUIET = {
    "/proc/cpuinfo": "processor : 0\nflags : fpu\n\nprocessor : 1\nflags : fpu\n",
    "/proc/loadavg": "0.05 0.10 0.09 1/93 4711\n",
    "/proc/stat": "cpu  1000 0 100 9000 50 0 0 0 0 0\n",
    "/proc/meminfo": "MemTotal: 1048576 kB\nMemAvailable: 900000 kB\n"
    "SwapTotal: 524288 kB\nSwapFree: 524288 kB\n",
    "/proc/vmstat": "pswpin 10\npswpout 20\n",
    "/proc/self/status": "Cpus_allowed_list:\t0-1\n",
    f"{CPU}/online": "0-1\n",
    f"{CPU}/smt/active": "0\n",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "performance\n",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance\n",
    f"{CPU}/intel_pstate/no_turbo": "1\n",
    f"{CPU}/cpu0/thermal_throttle/core_throttle_count": "0\n",
    "/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "/sys/class/power_supply/BAT0/status": "Charging\n",
}

CGROUP = {
    "/proc/self/cgroup": "0::/\n",
    "/proc/self/mountinfo": "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    "/sys/fs/cgroup/cgroup.controllers": "cpu memory\n",
    "/sys/fs/cgroup/cpu.max": "150000 100000\n",
    "/sys/fs/cgroup/cpu.stat": "nr_throttled 12\n",
}


def seen(folder, files, later=None):
    """Kind → sentence, on a quiet machine with other files, and others after the first look."""
    tree = made(folder, QUIET | files, architecture="x86_64")
    found = conditions_now(tree, between=lambda: write(folder, later or {}))
    return {d.kind: d.said for d in found}


def test_a_quiet_machine_has_no_disturbance(tmp_path):
    assert seen(tmp_path, {}) == {}


@pytest.mark.parametrize(
    ("files", "kind", "value"),
    [
        ({"/proc/loadavg": "3.50 1.00 0.50 4/99 5\n"}, "load", "3.50"),
        ({"/proc/cpuinfo": "processor : 0\nflags : fpu hypervisor\n"}, "hypervisor", "hypervisor"),
        ({f"{CPU}/cpu1/cpufreq/scaling_governor": "schedutil\n"}, "governor", "schedutil on 1"),
        ({f"{CPU}/intel_pstate/no_turbo": "0\n"}, "turbo", "Turbo is on"),
        ({f"{CPU}/cpu0/thermal_throttle/core_throttle_count": "132\n"}, "throttling", "132 times"),
        ({"/proc/stat": "cpu  1000 0 100 9000 50 0 0 300 0 0\n"}, "steal", "2.9% since boot"),
        ({f"{CPU}/smt/active": "1\n"}, "smt", "SMT"),
        (
            {"/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n"},
            "huge pages",
            "always on",
        ),
        (
            {"/sys/kernel/mm/transparent_hugepage/enabled": "always madvise [never]\n"},
            "huge pages",
            "off",
        ),
        ({"/sys/class/power_supply/BAT0/status": "Discharging\n"}, "battery", "BAT0"),
        (
            {"/sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n"},
            "clock",
            "hpet",
        ),
        (CGROUP, "quota", "1.5 cores of the 2 it sees, and was stopped 12 times"),
        (
            {
                "/proc/meminfo": "MemTotal: 1048576 kB\nMemAvailable: 52428 kB\n"
                "SwapTotal: 0 kB\nSwapFree: 0 kB\n"
            },
            "memory",
            "51 MiB of 1.0 GiB",
        ),
        (
            {
                "/proc/meminfo": "MemTotal: 1048576 kB\nMemAvailable: 900000 kB\n"
                "SwapTotal: 524288 kB\nSwapFree: 262144 kB\n"
            },
            "swap",
            "holds 256 MiB",
        ),
    ],
)
def test_each_kind_is_found_with_the_value_seen(files, kind, value, tmp_path):
    found = seen(tmp_path, files)
    assert list(found) == [kind]
    assert value in found[kind]


def test_what_happens_between_the_looks_is_seen(tmp_path, monkeypatch):
    seconds = iter([100.0, 100.1])
    monkeypatch.setattr(conditions.time, "monotonic", lambda: next(seconds))
    stat = "{} (c c) R 1 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 1 0 9 0 0\n"
    found = seen(
        tmp_path,
        {"/proc/7/stat": stat.format(7, 100), "/proc/8/stat": stat.format(8, 50)},
        {
            "/proc/7/stat": stat.format(7, 108),
            "/proc/8/stat": stat.format(8, 51),
            "/proc/stat": "cpu  1009 0 100 9010 50 0 0 1 0 0\n",
            "/proc/vmstat": "pswpin 10\npswpout 25\n",
            f"{CPU}/cpu0/thermal_throttle/core_throttle_count": "3\n",
        },
    )
    assert list(found) == ["load", "processes", "steal", "throttling", "swap"]
    assert "keep 0.9 of 2 hardware threads busy" in found["load"]
    assert "c c (pid 7, user " in found["processes"]
    assert ", 0.8 cores)" in found["processes"]
    assert "pid 8" not in found["processes"]
    assert "took 5% of the CPU time just now" in found["steal"]
    assert "3 times since boot, 3 of them just now" in found["throttling"]
    assert "5 pages moved" in found["swap"]


def test_every_kind_has_advice_and_ends_its_sentences(tmp_path):
    assert {c.kind for c in CONDITIONS} <= ADVICE.keys()
    assert all(text.endswith(".") for text in ADVICE.values())
    files = CGROUP | {f"{CPU}/smt/active": "1\n", "/proc/loadavg": "9.00 1.00 0.50 4/99 5\n"}
    assert all(said.endswith(".") for said in seen(tmp_path, files).values())


def test_this_process_and_what_it_started_are_not_others():
    spin = "while True: pass"
    with subprocess.Popen([sys.executable, "-c", spin]) as child:
        try:
            found = conditions_now()
        finally:
            child.kill()
    said = " ".join(d.said for d in found if d.kind == "processes")
    assert f"pid {child.pid}," not in said


def test_a_child_that_is_handed_to_another_parent_is_a_stranger():
    spin = "import os,sys,time\nif os.fork(): os._exit(0)\nprint(os.getpid(), flush=True)\n"
    spin += f"end = time.monotonic() + {PATIENCE}\nwhile time.monotonic() < end: pass"
    starter = subprocess.Popen([sys.executable, "-c", spin], stdout=subprocess.PIPE, text=True)
    starter.wait()
    stranger = int(starter.stdout.readline())
    before = conditions.Look(Tree())
    try:
        assert comes_true(lambda: stranger in others(before))
    finally:
        os.kill(stranger, signal.SIGKILL)
        starter.stdout.close()


def others(before):
    """Processes that are not ours and ran since."""
    scene = conditions.Scene(before, conditions.Look(Tree()))
    return {busy.process.pid for busy in scene.others}
