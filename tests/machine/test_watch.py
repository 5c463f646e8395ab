"""The watch: what it makes of two readings, where it finds spells, and that it blames others."""

import math
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from machine.made_trees import made, write
from stend.machine import Watch, disturbed
from stend.machine.cpu_time import CpuTime, OwnTime
from stend.machine.disturbances import spells
from stend.machine.processes import processes
from stend.machine.tree import Tree
from stend.machine.watch import Instruments, Reading, row
from stend.record import Conditions, Disturbance, Integers, Numbers, Watched, from_json, to_json


def reading(at, total=0.0, idle=0.0, steal=0.0, own=0.0, **also):
    fields = {"mhz": None, "throttles": None, "stops": None} | also
    return Reading(at=round(at * 1e9), times=CpuTime(total, idle, steal), own=own, **fields)


def watched(**columns):
    """Looks every 100 ms from 1 s on; a column that is not given is calm."""
    n = len(next(iter(columns.values())))
    calm = {"steal": [0.0] * n, "others": [0.0] * n, "mhz": [math.nan] * n}
    numbers = {name: Numbers(values) for name, values in (calm | columns).items()}
    return Watched(at=Integers(10**9 + i * 10**8 for i in range(n)), **numbers)


def test_a_look_tells_what_others_did_since_the_one_before():
    found = row(
        reading(1.0, total=10, idle=5, steal=1, own=2, throttles=3, stops=7),
        reading(1.5, total=11, idle=5.4, steal=1.1, own=2.2, throttles=5, stops=7, mhz=2000),
    )
    assert found.at == 1_500_000_000
    assert found.steal == pytest.approx(0.1)
    assert found.others == pytest.approx((1 - 0.4 - 0.1 - 0.2) / 0.5)
    assert (found.mhz, found.throttles, found.stops) == (2000, 2, 0)


def test_what_was_not_counted_is_no_number():
    found = row(reading(1.0), Reading(2 * 10**9, None, 0.0, None, None, None))
    assert all(math.isnan(value) for value in found[1:])


def test_others_are_never_negative():
    found = row(reading(1.0), reading(2.0, total=2, idle=1, own=1.5))
    assert found.others == 0


def test_a_spell_begins_with_the_look_before_the_first_disturbed_one():
    (spell,) = spells(watched(others=[math.nan, 0, 0, 1.0, 1.4, 0, 0]))
    assert spell.kind == "load"
    assert (spell.start, spell.end) == (1_200_000_000, 1_400_000_000)
    assert spell.said == "Other programs kept 1.2 cores busy."
    assert spell.advice


def test_a_short_calm_does_not_end_a_spell_and_a_long_one_does():
    close, far = [0, 0.1, 0, 0.1, 0], [0, 0.1, 0, 0, 0.1, 0]
    assert len(spells(watched(steal=close))) == 1
    assert [(d.start, d.end) for d in spells(watched(steal=far))] == [
        (1_000_000_000, 1_100_000_000),
        (1_300_000_000, 1_400_000_000),
    ]


def test_each_column_has_its_kind_and_its_value():
    found = spells(
        watched(
            steal=[0, 0.05, 0, 0, 0, 0],
            mhz=[3000, 3000, 1500, 3000, 3000, 3000],
            throttles=[0, 0, 0, 2, 0, 0],
            stops=[0, 0, 0, 0, 3, 0],
        )
    )
    assert [(d.kind, d.said) for d in found] == [
        ("steal", "The hypervisor took 5% of the CPU time."),
        ("frequency", "The frequency fell to 1500 MHz; its median is 3000 MHz."),
        ("throttling", "Heat slowed the processor down 2 times."),
        ("quota", "The CPU quota stopped the container 3 times."),
    ]


def test_a_calm_run_has_no_spells():
    assert spells(watched(mhz=[2000.0] * 9)) == ()
    assert spells(watched(steal=[])) == ()


def test_instruments_read_what_the_machine_counts(tmp_path):
    cpu = "/sys/devices/system/cpu"
    tree = made(
        tmp_path,
        {
            "/proc/stat": "cpu  100 0 50 800 40 5 5 30 0 0\ncpu0 1 2 3\n",
            "/proc/cpuinfo": "processor : 0\n",
            f"{cpu}/online": "0-7\n",
            "/proc/self/status": "Cpus_allowed_list: 0-7\n",
            f"{cpu}/cpu0/cpufreq/scaling_cur_freq": "2000000\n",
            f"{cpu}/cpu4/cpufreq/scaling_cur_freq": "3000000\n",
            f"{cpu}/cpu2/thermal_throttle/package_throttle_count": "9\n",
        },
    )
    instruments = Instruments(tree)
    first = instruments.read()
    write(tmp_path, {f"{cpu}/cpu0/cpufreq/scaling_cur_freq": "1000000\n"})
    second = instruments.read()
    instruments.close()
    assert first.times == pytest.approx(CpuTime(total=10.3, idle=8.4, steal=0.3, interrupts=0.1))
    assert (first.mhz, second.mhz) == (2500, 2000)
    assert (first.throttles, first.stops) == (9, None)
    assert instruments.read().times is None


def test_frequency_is_read_from_cpuinfo_where_there_is_no_cpufreq(tmp_path):
    cpuinfo = "processor : 0\ncpu MHz\t\t: 2000.5\n\nprocessor : 1\ncpu MHz\t\t: 1000.5\n"
    instruments = Instruments(made(tmp_path, {"/proc/cpuinfo": cpuinfo}))
    assert instruments.read().mhz == 1500.5
    instruments.close()


def spin(seconds):
    return [sys.executable, "-c", f"import time\nwhile time.process_time() < {seconds}: pass"]


def test_time_of_children_is_ours_while_they_run_and_after():
    own = OwnTime(Tree(), os.getpid())
    before = own.seconds()
    with subprocess.Popen(spin(30)) as child:
        while own.seconds() - before < 0.2:  # ends only when the child's time is seen
            time.sleep(0.01)
        child.kill()
    mine = time.process_time()
    after = own.seconds()
    own.close()
    assert after - before >= 0.15  # what was seen stays: the child's ticks are rounded down
    assert after >= mine


def test_time_of_strangers_is_not_ours():
    """A child of another parent burns CPU time meanwhile, and it does not appear in ours."""
    spin = "import os,time\nif os.fork(): os._exit(0)\nprint(os.getpid(), flush=True)\n"
    spin += "while time.process_time() < 0.5: pass\nprint('burnt', flush=True)"
    own = OwnTime(Tree(), os.getpid())
    with subprocess.Popen([sys.executable, "-c", spin], stdout=subprocess.PIPE) as starter:
        starter.stdout.readline()
        starter.wait()
        before, mine = own.seconds(), time.process_time()
        assert starter.stdout.readline() == b"burnt\n"
    assert own.seconds() - before < time.process_time() - mine + 0.1
    own.close()


@pytest.mark.skipif(
    "(kthreadd)" not in Path("/proc/2/stat").read_text(), reason="kernel threads can't be seen here"
)
def test_what_kernel_threads_take_is_ours_under_a_load_of_storage():
    """ksoftirqd and its like took some time since boot; a watch of processes knows none of it."""
    ours, all_of_it = Instruments(Tree()), Instruments(Tree(), kernel=True)
    without, with_them = ours.read().own, all_of_it.read().own
    of_threads = sum(one.seconds for one in processes(Tree()).values() if one.parent == 2)
    interrupts = all_of_it.read().times.interrupts
    ours.close()
    all_of_it.close()
    assert with_them - without >= 0.9 * (of_threads + interrupts) - 0.1


def test_a_watch_has_a_row_a_look_and_survives_its_own_file():
    with Watch(interval=0.01) as watch:
        while len(watch.watched.at) < 5:
            time.sleep(0.01)
    found = watch.watched
    lengths = {len(getattr(found, name)) for name in ("at", "steal", "others", "mhz", "stops")}
    assert lengths == {len(found.at)}
    assert list(found.at) == sorted(found.at)
    assert 0 < found.cost < 1
    conditions = watch.conditions()
    assert conditions.during == watch.during
    assert from_json(to_json(conditions), Conditions) == conditions


def test_a_watch_that_is_dear_looks_less_often(monkeypatch):
    """Each look burns 5 ms of CPU time: at 0.4% of a core there is one in 1.25 s, not in 10 ms."""
    monkeypatch.setattr(Instruments, "read", dear(Instruments.read))
    with Watch(interval=0.01) as watch:
        time.sleep(0.3)
    assert len(watch.watched.at) <= 4


def dear(read):
    def slow(self):
        end = time.thread_time() + 0.005
        while time.thread_time() < end:
            pass
        return read(self)

    return slow


def test_a_watch_ends_with_its_block_also_when_that_fails():
    with pytest.raises(ZeroDivisionError), Watch() as watch:
        1 / 0  # noqa: B018
    assert watch.watched.at
    assert "stend watch" not in {thread.name for thread in threading.enumerate()}


def test_a_watch_on_a_machine_that_tells_nothing_still_watches(tmp_path):
    with Watch(tree=Tree(tmp_path)) as watch:
        pass
    assert all(math.isnan(value) for value in watch.watched.steal)
    assert watch.during == ()


def test_repetitions_that_overlap_a_disturbance_are_marked():
    from made import sample

    made_sample = sample([0.1] * 10)  # from 1 s on, each 0.1 s
    spell = Disturbance(kind="steal", said="…", start=1_250_000_000, end=1_400_000_000)
    always = Disturbance(kind="turbo", said="…")
    marks = disturbed(made_sample, Conditions(before=(always,), during=(spell, always)))
    assert [i for i, marked in enumerate(marks) if marked] == [2, 3]
    assert not disturbed(made_sample, Conditions()).any()
    assert disturbed(sample([]), Conditions(during=(spell,))).shape == (0,)


def test_marks_follow_the_samples_own_clock():
    from made import sample

    ticks = sample([0.1] * 10, hz=5e8)  # the same ticks of a slower clock: 0.2 s each
    spell = Disturbance(kind="steal", said="…", start=2_000_000_000, end=2_100_000_000)
    marks = disturbed(ticks, Conditions(during=(spell,)))
    assert [i for i, marked in enumerate(marks) if marked] == [5]
