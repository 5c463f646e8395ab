"""A machine's state second by second: readings of its /proc, and rates between two of them.

The texts are this machine's, by `Here`, or another's, which sampling_script.py has sent.
"""

import math
import os
import re
import time
from collections.abc import Mapping
from typing import NamedTuple

from stend.machine.tree import Unreadable, cpu_list

STAT = "/proc/stat"
MEMINFO = "/proc/meminfo"
DISKSTATS = "/proc/diskstats"
UPTIME = "/proc/uptime"
ONLINE = "/sys/devices/system/cpu/online"

SECTOR = 512
"""Bytes: /proc/diskstats counts in these whatever the device's sector is (Linux
Documentation/admin-guide/iostats.rst)."""

LONGEST = 1 << 20
"""Bytes of a reading; /proc/diskstats of 8,000 devices."""

_MEMORY = re.compile(r"^(MemTotal|MemFree|MemAvailable|Buffers|Cached):\s+(\d{1,15}) kB", re.M)
_UPTIME = re.compile(r"(\d{1,12}\.\d{1,9})\s")
_SURE = 0.02
"""Seconds: twice what /proc/uptime rounds to. Where two readings are less sure by our clock, the
machine's own tells the time between them."""


class CpuTicks(NamedTuple):
    """Since boot, over all CPUs (proc(5), /proc/stat); the unit cancels out."""

    user: int
    """With nice; guests' are in it."""
    system: int
    interrupts: int
    """Hard and soft."""
    waiting: int
    steal: int
    idle: int


class Memory(NamedTuple):
    """Bytes (proc(5), /proc/meminfo)."""

    total: int
    used: int
    cached: int
    """Pages of files (those of tmpfs too) and of block devices."""


class Reading(NamedTuple):
    """One look at a machine; None for what it does not tell."""

    at: int
    """Our CLOCK_MONOTONIC, ns."""
    unsure: float
    """Of `at`, s, either way."""
    uptime: float | None
    """By the machine's own clock, s."""
    cpu: CpuTicks | None
    memory: Memory | None
    disks: Mapping[str, str]
    """The counters of each block device, as the kernel wrote them."""


class DiskRates(NamedTuple):
    """What a block device did between two readings: requests/s, requests/s, B/s, B/s, share."""

    reads: float
    writes: float
    read: float
    written: float
    busy: float


class CpuShares(NamedTuple):
    """Of all CPU time between two readings."""

    user: float
    system: float
    interrupts: float
    waiting: float
    steal: float


class Rates(NamedTuple):
    """What a machine did between two readings; NaN is unknown."""

    since: int
    at: int
    cpu: CpuShares
    memory: Memory | None
    """At the second one."""
    disks: Mapping[str, DiskRates]
    """Those that were there both times."""


UNKNOWN = DiskRates(*[math.nan] * 5)
IDLE = DiskRates(*[0.0] * 5)
UNTOLD = CpuShares(*[math.nan] * 5)


def reading(texts: Mapping[str, str], at: int, unsure: float = 0.0) -> Reading:
    """What the texts of /proc, each by its path, tell of a machine at that time."""
    uptime = _UPTIME.match(texts.get(UPTIME, ""))
    return Reading(
        at=at,
        unsure=unsure,
        uptime=float(uptime[1]) if uptime else None,
        cpu=cpu_ticks(texts.get(STAT, "")),
        memory=memory(texts.get(MEMINFO, "")),
        disks=disks(texts.get(DISKSTATS, "")),
    )


def cpu_ticks(text: str) -> CpuTicks | None:
    """The times of the first line of /proc/stat: `cpu  user nice system idle iowait irq …`."""
    words = text.partition("\n")[0].split()
    ticks = _counts(words[1:9])
    if words[:1] != ["cpu"] or ticks is None or len(ticks) < 4:
        return None
    ticks += [0] * (8 - len(ticks))  # kernels before 2.6.11 had fewer
    user, nice, system, idle, waiting, hard, soft, steal = ticks
    return CpuTicks(user + nice, system, hard + soft, waiting, steal, idle)


def memory(text: str) -> Memory | None:
    """How much of it is used, from the beginning of /proc/meminfo."""
    found = {name: int(kilobytes) << 10 for name, kilobytes in _MEMORY.findall(text)}
    if not found.keys() >= {"MemTotal", "MemFree", "Buffers", "Cached"}:
        return None
    cached = found["Buffers"] + found["Cached"]
    # Before Linux 3.14 nothing better was told of what can be freed.
    available = found.get("MemAvailable", found["MemFree"] + cached)
    return Memory(found["MemTotal"], max(0, found["MemTotal"] - available), cached)


def disks(text: str) -> dict[str, str]:
    """The counters of each line of /proc/diskstats, `major minor name counters`, by name."""
    found = {}
    for line in text.splitlines():
        words = line.split(None, 3)
        if len(words) == 4 and len(words[2]) <= 64 and words[2].isprintable():
            found[words[2]] = words[3]
    return found


def online(text: str) -> int | None:
    """How many CPUs the list of those that are online has."""
    try:
        return len(cpu_list(text.strip(), ONLINE))
    except Unreadable:
        return None


def is_part(name: str, names: Mapping[str, object]) -> bool:
    """Whether the device is a partition of another one of `names`.

    A partition is called as its disk, then `p` if that ends in a digit, then its number (Linux
    block/partitions/core.c).
    """
    disk = name.rstrip("0123456789")
    if disk == name:
        return False
    return disk in names or (disk[-1:] == "p" and disk[-2:-1].isdigit() and disk[:-1] in names)


def rates(before: Reading, after: Reading) -> Rates:
    """What happened between two readings of a machine."""
    elapsed = _elapsed(before, after)
    return Rates(
        since=before.at,
        at=after.at,
        cpu=_shares(before.cpu, after.cpu),
        memory=after.memory,
        disks={
            name: _disk_rates(before.disks[name], counters, elapsed)
            for name, counters in after.disks.items()
            if name in before.disks
        },
    )


def _elapsed(before: Reading, after: Reading) -> float:
    unsure = before.unsure + after.unsure
    if unsure > _SURE and before.uptime is not None and after.uptime is not None:
        return after.uptime - before.uptime
    return (after.at - before.at) / 1e9


def _shares(before: CpuTicks | None, after: CpuTicks | None) -> CpuShares:
    if before is None or after is None:
        return UNTOLD
    spent = CpuTicks(*(now - then for now, then in zip(after, before, strict=True)))
    # What a CPU did while idle may be counted back a little (proc(5): iowait is not reliable).
    spent = spent._replace(waiting=max(0, spent.waiting), idle=max(0, spent.idle))
    total = sum(spent)
    if min(spent) < 0 or total == 0:  # it was started anew, or nothing was counted yet
        return UNTOLD
    return CpuShares(*(ticks / total for ticks in spent[:5]))


def _disk_rates(before: str, after: str, elapsed: float) -> DiskRates:
    if not elapsed > 0:
        return UNKNOWN
    if before == after:
        return IDLE
    then, now = _counters(before), _counters(after)
    if then is None or now is None:
        return UNKNOWN
    more = [b - a for a, b in zip(then, now, strict=True)]
    if min(more) < 0:  # wrapped around, or another device by now
        return UNKNOWN
    reads, read, writes, written, busy = more
    return DiskRates(
        reads / elapsed,
        writes / elapsed,
        read * SECTOR / elapsed,
        written * SECTOR / elapsed,
        # Old kernels account a request when it ends, so a second may seem to have more than one.
        min(1.0, busy / 1e3 / elapsed),
    )


def _counters(text: str) -> list[int] | None:
    """Reads, sectors read, writes, sectors written and busy ms, of 11 to 17 counters.

    A partition has only four in Linux before 2.6.25.
    """
    words = text.split(None, 10)
    return _counts([words[index] for index in (0, 2, 4, 6, 9)]) if len(words) > 9 else None


def _counts(words: list[str]) -> list[int] | None:
    """Whole numbers, all of which an unsigned 64-bit counter holds."""
    try:
        counts = [int(word) for word in words]
    except ValueError:
        return None
    return counts if all(0 <= count < 2**64 for count in counts) else None


class Here:
    """This machine's files, kept open: one reading is a system call for each."""

    def __init__(self) -> None:
        self._files = {path: _opened(path) for path in (STAT, MEMINFO, DISKSTATS)}

    def read(self) -> Reading:
        """The machine now."""
        begun = time.monotonic_ns()
        texts = {path: _text(file, path == DISKSTATS) for path, file in self._files.items()}
        ended = time.monotonic_ns()
        return reading(texts, (begun + ended) // 2)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            if file is not None:
                os.close(file)


def cpus_here() -> int | None:
    """How many CPUs of this machine are online."""
    file = _opened(ONLINE)
    if file is None:
        return None
    try:
        return online(_text(file, whole=False))
    finally:
        os.close(file)


def _opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _text(file: int | None, whole: bool) -> str:
    """The file's text or, where that is enough, the beginning of it."""
    if file is None:
        return ""
    text = b""
    try:
        while len(text) < LONGEST and (part := os.pread(file, 65536 if whole else 4096, len(text))):
            text += part
            if not whole:
                break
    except OSError:
        return ""
    return text.decode(errors="replace")
