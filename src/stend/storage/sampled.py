"""The columns of one machine that is sampled: rates and gaps in, the record of a stretch out."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection

from stend.columns import Integers, Numbers
from stend.loads import Beside, DiskCourse
from stend.machine.sampling import IDLE, UNKNOWN, UNTOLD, CpuShares, DiskRates, Rates, is_part

MOST_DISKS = 512
"""Block devices of one machine whose columns are kept."""

_KINDS = (*CpuShares._fields, "memory_used", "memory_cached")
_DRESSED = ("loop", "ram", "zram")
"""Devices that only dress up a file or memory."""


class Sampled:
    """One machine's columns, which grow by a row a sample or gap.

    Of block devices those are kept that did something, and `wanted` ones in any case; of others
    neither partitions nor what only dresses up a file or memory.
    """

    def __init__(self, host: str, remote: bool, wanted: Collection[str] = ()) -> None:
        self.host = host
        self.remote = remote
        self.offset: float | None = None
        self.uncertainty: float | None = None
        self.cpus: int | None = None
        self.memory_bytes: int | None = None
        self.gaps = 0
        self._wanted = frozenset(wanted)
        self._since = Integers()
        self._at = Integers()
        self._columns = {kind: Numbers() for kind in _KINDS}
        self._disks: dict[str, tuple[Numbers, ...]] = {}
        self._there: dict[str, int] = {}
        """The row since which a device is there."""

    def __len__(self) -> int:
        return len(self._at)

    def gap(self, at: int) -> None:
        """Note that a sample was due and is not there.

        Where the sample before came so late that this one was due already, the row follows it
        at once: rows are in order of time.
        """
        if self._at:
            at = max(at, self._at[-1] + 1)
        self.gaps += 1
        self._append(Rates(at, at, UNTOLD, None, {}))

    def add(self, rates: Rates) -> None:
        """Add what happened since the sample before."""
        self._there = {name: self._there.get(name, len(self)) for name in rates.disks}
        for name, done in rates.disks.items():
            if name not in self._disks and self._is_kept(name, done, rates):
                self._disks[name] = self._backwards(self._there[name])
        self._append(rates)

    def _append(self, rates: Rates) -> None:
        self._since.append(rates.since)
        self._at.append(rates.at)
        memory = rates.memory
        kept = (memory.used, memory.cached) if memory else (math.nan, math.nan)
        for column, value in zip(self._columns.values(), (*rates.cpu, *kept), strict=True):
            column.append(value)
        for name, columns in self._disks.items():
            for column, value in zip(columns, rates.disks.get(name, UNKNOWN), strict=True):
                column.append(value)

    @property
    def busy(self) -> float:
        """Share of its CPU time that was used between the last two samples; NaN: unknown."""
        used = [self._columns[kind] for kind in ("user", "system", "interrupts")]
        return sum(column[-1] for column in used) if self._at else math.nan

    def record(self, begin: int, end: int) -> Beside:
        """What lies wholly between two times (CLOCK_MONOTONIC, ns)."""
        first = bisect_left(self._since, begin)
        last = max(first, bisect_right(self._at, end))
        part = slice(first, last)
        return Beside(
            host=self.host,
            remote=self.remote,
            offset=self.offset,
            uncertainty=self.uncertainty,
            cpus=self.cpus,
            memory_bytes=self.memory_bytes,
            at=Integers(self._at[part].tobytes()),
            **{kind: _cut(column, part) for kind, column in self._columns.items()},
            disks=tuple(
                DiskCourse(name=name, **{
                    kind: _cut(column, part)
                    for kind, column in zip(DiskRates._fields, columns, strict=True)
                })
                for name, columns in sorted(self._disks.items())
            ),
        )  # fmt: skip

    def _is_kept(self, name: str, done: DiskRates, rates: Rates) -> bool:
        if name in self._wanted:
            return True
        if done in (IDLE, UNKNOWN) or len(self._disks) >= MOST_DISKS:
            return False
        return not name.startswith(_DRESSED) and not is_part(name, rates.disks)

    def _backwards(self, since: int) -> tuple[Numbers, ...]:
        """Columns of a device that did nothing as long as it was there and could be seen."""
        known = self._columns["user"]
        value = [
            0.0 if row >= since and known[row] == known[row] else math.nan
            for row in range(len(self))
        ]
        return tuple(Numbers(value) for _ in DiskRates._fields)


def _cut(column: Numbers, part: slice) -> Numbers:
    return Numbers(column[part].tobytes())
