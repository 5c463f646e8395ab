"""Readings of a machine by texts of its kernel, and what two of them say happened in between."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine.recorded import MACHINES, TREES
from stend.machine.sampling import (
    DISKSTATS,
    MEMINFO,
    STAT,
    UNKNOWN,
    UPTIME,
    CpuTicks,
    Here,
    cpu_ticks,
    disks,
    is_part,
    memory,
    online,
    rates,
    reading,
)
from stend.machine.sampling_script import answer, request, time_of_day

SECOND = 10**9
DISK = "   8       0 sda 10 5 {read} 40 20 5 {written} 80 0 {busy} 120"


def stat(*ticks: int) -> str:
    return f"cpu  {' '.join(map(str, ticks))}\ncpu0 1 2 3 4\n"


def between(before: dict[str, str], after: dict[str, str], seconds: float = 1.0):
    return rates(reading(before, 0), reading(after, int(seconds * SECOND)))


def disk_between(before: str, after: str, seconds: float = 1.0):
    return between({DISKSTATS: before}, {DISKSTATS: after}, seconds).disks


@pytest.mark.parametrize("name", MACHINES)
def test_recorded_machines_are_read(name: str) -> None:
    files = (TREES / f"{name}.txt").read_text().split("\n== ")[1:]
    texts = {path: text for path, _, text in (file.partition("\n") for file in files)}
    found = reading(texts, 0)
    assert (found.cpu is not None) == (STAT in texts)
    assert (found.memory is not None) == (MEMINFO in texts)
    if found.memory:
        assert 0 < found.memory.used < found.memory.total
        assert found.memory.cached < found.memory.total


def test_cpu_time_is_told_by_kind_as_shares_of_all_of_it() -> None:
    # user nice system idle iowait irq softirq steal guest guest_nice; guests' is within user
    cpu = between({STAT: stat(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)},
                  {STAT: stat(20, 10, 15, 30, 5, 4, 6, 10, 20, 10)}).cpu  # fmt: skip
    assert cpu == (0.30, 0.15, 0.10, 0.05, 0.10)


def test_a_kernel_that_tells_four_kinds_only_has_the_others_at_zero() -> None:
    cpu = between({STAT: "cpu 0 0 0 0\n"}, {STAT: "cpu 10 0 30 60\n"}).cpu
    assert cpu == (0.1, 0.3, 0.0, 0.0, 0.0)


def test_waiting_that_is_counted_back_a_little_is_none() -> None:
    cpu = between({STAT: stat(0, 0, 0, 0, 9, 0, 0, 0)}, {STAT: stat(50, 0, 0, 50, 8, 0, 0, 0)}).cpu
    assert cpu == (0.5, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("after", [stat(1, 0, 0, 50, 0, 0, 0, 0), stat(9, 0, 0, 9, 0, 0, 0, 0), ""])
def test_a_counter_that_was_reset_or_stands_still_tells_nothing(after: str) -> None:
    cpu = between({STAT: stat(9, 0, 0, 9, 0, 0, 0, 0)}, {STAT: after}).cpu
    assert all(map(math.isnan, cpu))


@pytest.mark.parametrize(
    "line",
    ["", "cpu", "cpu 1 2 3", "cpu a b c d", "cpu0 1 2 3 4", f"cpu 1 2 3 {2**64}", "cpu \0 1"],
)
def test_what_is_no_line_of_cpu_times_is_none(line: str) -> None:
    assert cpu_ticks(line) is None


def test_only_the_first_line_of_4096_cpus_is_parsed() -> None:
    text = "cpu 4096 0 0 4096\n" + "".join(f"cpu{n} 1 0 0 1\n" for n in range(4096))
    assert cpu_ticks(text) == CpuTicks(4096, 0, 0, 0, 0, 4096)


def test_used_memory_is_what_can_not_be_freed() -> None:
    text = "MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable: 60 kB\nBuffers: 5 kB\nCached: 30 kB\n"
    assert memory(text) == (100 << 10, 40 << 10, 35 << 10)


def test_before_linux_3_14_free_memory_buffers_and_cache_count_as_available() -> None:
    text = "MemTotal: 100 kB\nMemFree: 10 kB\nBuffers: 5 kB\nCached: 30 kB\nSwapCached: 9 kB\n"
    assert memory(text) == (100 << 10, 55 << 10, 35 << 10)


@pytest.mark.parametrize("more", ["", " 1 2 3 4", " 1 2 3 4 5 6", " 1 2 3 4 5 6 7 8 9"])
def test_disks_of_kernels_with_11_15_17_and_20_counters_are_read_alike(more: str) -> None:
    before = "   8       0 sda 10 5 100 40 20 5 200 80 0 1000 120" + more
    after = "   8       0 sda 40 6 1100 50 80 6 2200 90 -1 1500 130" + more.replace("1", "7")
    found = disk_between(before, after, seconds=2.0)["sda"]
    assert found == (15.0, 30.0, 500 * 512.0, 1000 * 512.0, 0.25)


def test_a_disk_is_never_busy_for_more_than_all_the_time() -> None:
    before, after = (DISK.format(read=0, written=0, busy=busy) for busy in (0, 1700))
    assert disk_between(before, after)["sda"].busy == 1.0


def test_a_counter_of_a_disk_that_wrapped_around_tells_nothing() -> None:
    before = DISK.format(read=2**32 - 8, written=0, busy=0)
    assert disk_between(before, DISK.format(read=8, written=0, busy=9)) == {"sda": UNKNOWN}


def test_partitions_of_linux_2_6_with_four_counters_tell_nothing() -> None:
    assert disk_between("8 1 sda1 1 2 3 4\n", "8 1 sda1 2 3 4 5\n") == {"sda1": UNKNOWN}


def test_a_disk_that_was_there_once_only_is_left_out() -> None:
    one = DISK.format(read=0, written=0, busy=0)
    both = one + "\n" + one.replace("sda", "sdb")
    assert disk_between(one, both).keys() == disk_between(both, one).keys() == {"sda"}


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("sda", False), ("sda1", True), ("sda12", True), ("sdab", False), ("sdab3", False),
        ("nvme0n1", False), ("nvme0n1p2", True), ("mmcblk0p1", True), ("mmcblk0boot0", False),
        ("md127", False), ("dm-0", False), ("xvda1", False), ("dasda1", True),
        ("cciss/c0d0p1", True), ("loop0p1", True), ("123", False), ("p1", False),
    ],
)  # fmt: skip
def test_partitions_are_told_from_whole_devices_by_name(name: str, part: bool) -> None:
    names = dict.fromkeys(
        ["sda", "nvme0n1", "mmcblk0", "md127", "dm-0", "dasda", "cciss/c0d0", "loop0"]
    )
    assert is_part(name, names) is part


def test_rates_are_over_the_true_time_between_two_readings() -> None:
    before, after = (DISK.format(read=read, written=0, busy=0) for read in (0, 3000))
    assert disk_between(before, after, seconds=1.5)["sda"].read == 2000 * 512


def test_where_the_way_there_is_long_the_machines_own_clock_tells_the_time_between() -> None:
    texts = [
        {DISKSTATS: DISK.format(read=read, written=0, busy=0), UPTIME: f"{uptime} 9.00\n"}
        for read, uptime in ((0, "7.00"), (3000, "9.00"))
    ]
    for unsure, elapsed in ((0.001, 1.0), (0.5, 2.0)):
        found = rates(reading(texts[0], 0, unsure), reading(texts[1], SECOND, unsure))
        assert found.disks["sda"].read == 3000 * 512 / elapsed


def test_cpus_that_are_online_are_counted() -> None:
    assert [online(text) for text in ("0-3,8\n", "0-4095", "", "none", "0-99999")] == [
        5,
        4096,
        None,
        None,
        None,
    ]


def test_this_machine_is_read() -> None:
    here = Here()
    try:
        first, second = here.read(), here.read()
    finally:
        here.close()
    assert first.at < second.at
    assert first.cpu is not None
    assert second.memory is not None
    assert rates(first, second).disks.keys() == second.disks.keys()


@given(st.fixed_dictionaries({path: st.text() for path in (STAT, MEMINFO, DISKSTATS, UPTIME)}))
def test_no_text_is_too_odd(texts: dict[str, str]) -> None:
    one = reading(texts, 0)
    rates(one, one._replace(at=SECOND))


@given(st.lists(st.integers(-(2**70), 2**70), max_size=20), st.floats(allow_nan=True))
def test_no_counters_are_too_odd(counters: list[int], uptime: float) -> None:
    words = " ".join(map(str, counters))
    texts = {STAT: f"cpu {words}", DISKSTATS: f"8 0 sda {words}", UPTIME: f"{uptime} 1\n"}
    before = {STAT: "cpu 0 0 0 0", DISKSTATS: "8 0 sda 0 0 0 0 0 0 0 0 0 0 0", UPTIME: "0.00 0"}
    found = rates(reading(before, 0, 1.0), reading(texts, SECOND, 1.0))
    assert all(share != share or 0 <= share <= 1 for share in found.cpu)


@given(st.text())
def test_no_text_is_a_device_unless_it_is_a_line_of_one(text: str) -> None:
    assert all(len(name) <= 64 and name.isprintable() for name in disks(text))


WHOLE = b"\nstend-begin-7\n== clock\n1700000000.25\n== /proc/stat\ncpu 1 2 3 4\n\nstend-end-7\n"


def test_an_answer_is_its_texts_by_path() -> None:
    texts = answer(7, WHOLE)
    assert texts == {"clock": "1700000000.25\n", STAT: "cpu 1 2 3 4\n\n"}


@pytest.mark.parametrize("cut", range(len(WHOLE)))
def test_an_answer_without_its_end_is_none_yet(cut: int) -> None:
    assert answer(7, WHOLE[:cut]) is None


@pytest.mark.parametrize("noise", [b"Welcome!", b"stend-begin-7 as I say\n", b"\0\xff\r\n" * 9])
def test_what_a_host_says_around_an_answer_does_not_count(noise: bytes) -> None:
    assert answer(7, noise + WHOLE + noise) == answer(7, WHOLE)
    assert answer(7, noise + WHOLE.replace(b"\n", b"\r\n")) == answer(7, WHOLE)


def test_the_answer_to_an_earlier_request_is_none_to_this_one() -> None:
    assert answer(8, WHOLE) is None


@given(st.binary())
def test_no_bytes_are_too_odd_for_an_answer(heard: bytes) -> None:
    assert answer(7, heard) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1700000000.250000", (1700000000.25, 1e-6)),
        ("1700000000,25", (1700000000.25, 0.01)),
        ("1700000000.%N", (1700000000.0, 1.0)),  # busybox without nanoseconds
        ("1700000000", (1700000000.0, 1.0)),
        ("date: not found", None),
        ("", None),
    ],
)
def test_the_time_of_day_is_as_sure_as_its_digits(
    text: str, told: tuple[float, float] | None
) -> None:
    assert time_of_day({"clock": text}) == told


def test_a_request_is_one_line() -> None:
    assert request(3, date=False, about=False, cat=False) == b"3 \n"
    assert request(4, date=True, about=True, cat=True) == b"4 date about cat\n"
