"""Columns of a machine that is sampled, on made rates: which rows, which disks, what is a gap."""

import math

import pytest

from stend.machine.sampling import IDLE, UNKNOWN, UNTOLD, CpuShares, DiskRates, Memory, Rates
from stend.record.loads import HostSamples
from stend.storage import host_sampler
from stend.storage.host_sampler import Sampled

SHARES = CpuShares(0.4, 0.2, 0.1, 0.05, 0.0)
BUSY = DiskRates(10.0, 20.0, 30.0, 40.0, 0.5)


def second(at: int, **disks: DiskRates) -> Rates:
    return Rates(at - 1, at, SHARES, Memory(100, 60, 30), disks)


def first(at: int, *names: str) -> Rates:
    return Rates(at, at, UNTOLD, Memory(100, 60, 30), dict.fromkeys(names, UNKNOWN))


def whole(machine: Sampled) -> HostSamples:
    return machine.record(0, 1 << 62)


def reads(machine: Sampled, name: str) -> list[float | None]:
    columns = {disk.name: disk.reads for disk in whole(machine).disks}
    return [None if value != value else value for value in columns[name]]


def test_a_row_is_what_was_sampled() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(second(1, sda=BUSY))
    record = whole(machine)
    assert (record.user[0], record.system[0], record.interrupts[0]) == SHARES[:3]
    assert (record.waiting[0], record.steal[0]) == SHARES[3:]
    assert (record.memory_used[0], record.memory_cached[0]) == (60, 30)
    assert tuple(getattr(record.disks[0], kind)[0] for kind in DiskRates._fields) == BUSY


def test_the_share_of_the_moment_is_what_was_used() -> None:
    machine = Sampled("n1", remote=True)
    assert math.isnan(machine.busy)
    machine.add(second(1))
    assert machine.busy == pytest.approx(0.7)
    machine.gap(2)
    assert math.isnan(machine.busy)


def test_a_gap_is_a_row_without_values() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(second(1, sda=BUSY))
    machine.gap(2)
    machine.add(second(3, sda=BUSY))
    record = whole(machine)
    assert list(record.at) == [1, 2, 3]
    assert math.isnan(record.user[1])
    assert math.isnan(record.memory_used[1])
    assert reads(machine, "sda") == [10, None, 10]
    assert machine.gaps == 1


def test_only_what_lies_wholly_between_two_times_is_given() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(first(1))
    for at in (2, 3, 4):
        machine.add(second(at))
    machine.gap(5)
    machine.add(first(6))
    assert list(machine.record(2, 4).at) == [3, 4]
    assert list(machine.record(1, 1).at) == [1]
    assert list(machine.record(4, 6).at) == [5, 6]
    assert list(machine.record(7, 9).at) == list(machine.record(3, 2).at) == []


def test_gaps_that_a_late_sample_ran_over_follow_it() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(second(40))
    for due in (20, 30):
        machine.gap(due)
    machine.add(first(50))
    assert list(machine.record(1, 60).at) == [40, 41, 42, 50]
    assert machine.gaps == 2


def test_a_disk_that_begins_to_work_was_idle_before() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(first(1, "sda"))
    machine.add(second(2, sda=IDLE))
    machine.gap(3)
    machine.add(first(4, "sda"))
    machine.add(second(5, sda=IDLE))
    machine.add(second(6, sda=BUSY))
    assert reads(machine, "sda") == [None, 0, None, None, 0, 10]


def test_a_disk_that_appears_meanwhile_is_unknown_before() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(second(1))
    machine.add(second(2, sdb=IDLE))
    machine.add(second(3, sdb=BUSY))
    assert reads(machine, "sdb") == [None, 0, 10]


def test_a_disk_that_vanishes_is_unknown_from_then_on() -> None:
    machine = Sampled("n1", remote=True)
    machine.add(second(1, sdb=BUSY))
    machine.add(second(2))
    machine.add(second(3, sdb=IDLE))
    assert reads(machine, "sdb") == [10, None, 0]


def test_disks_without_work_partitions_and_files_dressed_up_are_left_out() -> None:
    machine = Sampled("n1", remote=True)
    others = {"sda1": BUSY, "sdb": IDLE, "sdc": UNKNOWN, "loop0": BUSY, "ram1": BUSY, "zram0": BUSY}
    machine.add(second(1, sda=BUSY, **others))
    assert [disk.name for disk in whole(machine).disks] == ["sda"]


def test_disks_that_are_wanted_are_kept_whatever_they_are_and_do() -> None:
    machine = Sampled("n1", remote=False, wanted=["loop0", "sda1", "sdx"])
    machine.add(second(1, sda=IDLE, sda1=IDLE, loop0=IDLE))
    assert [disk.name for disk in whole(machine).disks] == ["loop0", "sda1"]


def test_no_more_disks_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_sampler, "MOST_DISKS", 3)
    machine = Sampled("n1", remote=True)
    for at in range(1, 9):
        machine.add(second(at, **{f"made{at}x": BUSY}))
    assert len(whole(machine).disks) == 3
