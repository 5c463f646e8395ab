"""Complete job files of one run of fio: `fio FILE` repeats the run anywhere.

Jobs and targets are shared out so that each target gets as many jobs as any other, and none is
read through the cache that another job filled:

- Targets and jobs are parted into as many groups as both can be (their greatest common divisor),
  each a section: 16 jobs on 8 targets are 8 groups of two jobs on one target, 2 jobs on 8 targets
  2 groups of one job on four, 16 jobs on 12 targets 4 groups of four jobs on three.
- Of a sequential workload, each job of a group has a slice of its own of each of its targets.
- Of a random one, each job goes anywhere in the region.

Where a workload's jobs are of each target (`jobs_per`), each target is a section with all of them,
as most people write job files: clones of a sequential job then go over the same region.

Options and their meaning are of fio's HOWTO; what it doesn't say was tried on fio 3.33: a name
ends at `;` and `#`, `$` may be replaced in it, and several lines `filename=` are several files.
"""

import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.errors import BadValue
from stend.record.text import printable
from stend.storage.fio.schema import in_bytes
from stend.storage.fio.workload import Workload

NULL = "null"
"""The engine that does nothing."""
HANDED = "/dev/fd/"
"""How the name begins of a file that fio inherits open; its path is the job's description."""
MIB = 1 << 20
SECTOR = 512
LARGEST_MAPS = 64 << 20
"""Bytes of all jobs' maps together; 512 GiB in blocks of 4 KiB have 16 MiB a job."""
LONGEST_PATH = 4000
"""Bytes: fio takes values of 4,096, colons and backslashes included."""
_UNMADE = {"allow_file_create": "0"}
"""A mistyped target is an error, and not a new file: what is to be made is there before fio."""
_FILL_DEPTH = 8
"""Requests of 1 MiB under way to each target while it is filled."""


@dataclass(frozen=True, slots=True)
class JobTarget:
    """What fio is to open."""

    path: str
    """Absolute, for fio runs in a folder of its own; of the null engine any name."""
    bytes: int


@dataclass(frozen=True, slots=True)
class Group:
    """Jobs that share targets: one section."""

    targets: tuple[JobTarget, ...]
    jobs: int


def job_file(
    workload: Workload,
    targets: Sequence[JobTarget],
    *,
    seconds: float,
    phase: str,
    seed: int,
    profile: str = "",
    rate_iops: float | None = None,
    log_average_ms: int | None = None,
    invalidate: bool = True,
) -> str:
    """Write the job file of one run of a workload.

    Args:
        workload: what is to be done.
        targets: what it is done to, at least one.
        seconds: how long.
        phase: what the run is for, told in a comment.
        seed: from which fio's random numbers come; another one for each run, or an array's cache
            may still hold the very blocks that the run before asked for.
        profile: where the workload is from, told in a comment.
        rate_iops: operations a second of all jobs together, rounded down to whole ones a job and
            a direction, but not to none; None: no limit.
        log_average_ms: fio also writes logs, `NAME_bw.1.log` and so on into the folder in which
            it runs, averaged over so many ms.
        invalidate: fio drops the targets' pages from the page cache first.

    Raises:
        BadValue: fio can't be told that path, or the targets are too small for the workload.
    """
    options = {
        **_how(workload),
        **_random(workload, targets),
        "time_based": "1",
        "runtime": f"{round(seconds * 1000)}ms",
        **_UNMADE,
        **_seeded(seed),
        **_reported(),
        **_logged(workload.name, log_average_ms),
        **({} if invalidate else {"invalidate": "0"}),
        **({} if rate_iops is None else {"rate_iops": _rate(workload, rate_iops, len(targets))}),
        **workload.options,
    }
    head = (
        f"{phase} of {workload.name}" + (f", profile {printable(profile)}" if profile else ""),
        f"{in_bytes(workload.block)} blocks, {workload.size} of each target",
        _outstanding(workload, len(targets)),
        "repeat, where all targets are there as they were: fio THIS_FILE",
    )
    groups = groups_of(workload, targets)
    sections = [
        (_numbered(workload.name, number, len(groups)), _share(workload, group))
        for number, group in enumerate(groups, 1)
    ]
    return _written(head, options, sections)


def fill_job(targets: Sequence[JobTarget], *, seed: int = 0, direct: bool = True) -> str:
    """Write the job file that writes every sector of the targets once, and syncs them.

    What was never written is read from no disk: file systems and arrays answer with zeros at
    once. The data is random and ever new: what compresses or repeats, an array may not store.

    Args:
        targets: what is written, from the beginning to the end.
        seed: of the random data.
        direct: past the page cache.

    Raises:
        BadValue: fio can't be told that path.
    """
    options = {
        "ioengine": "libaio" if direct else "psync",
        "direct": f"{int(direct)}",
        "rw": "write",
        "iodepth": f"{_FILL_DEPTH if direct else 1}",
        "refill_buffers": "1",
        "end_fsync": "1",
        **_UNMADE,
        **_seeded(seed),
        **_reported(),
    }
    head = ("every sector of the targets, written in sequence",)
    parts = [part for target in targets for part in _parts(target)]
    sections = [
        (_numbered("fill", number, len(parts)), part) for number, part in enumerate(parts, 1)
    ]
    return _written(head, options, sections)


def share_out(targets: Sequence[JobTarget], jobs: int) -> tuple[Group, ...]:
    """Part targets and jobs into groups that are alike."""
    count = math.gcd(len(targets), jobs)
    return tuple(Group(tuple(targets[first::count]), jobs // count) for first in range(count))


def groups_of(workload: Workload, targets: Sequence[JobTarget]) -> tuple[Group, ...]:
    """Part the targets as the workload says whose its jobs are."""
    if workload.jobs_per == "target":
        return tuple(Group((target,), workload.jobs) for target in targets)
    return share_out(targets, workload.jobs)


def region(workload: Workload, target: JobTarget) -> int:
    """How many bytes of a target the workload may touch, from its beginning: whole blocks.

    Raises:
        BadValue: the target is smaller than that.
    """
    if workload.size.endswith("%"):
        asked = target.bytes * int(workload.size[:-1]) // 100
    else:
        asked = int(workload.size)
    if asked > target.bytes:  # fio would delete a file that is too short, and make it anew
        raise BadValue(
            f"{workload.name} needs {in_bytes(asked)} of each target, but "
            f"{printable(target.path)} has {in_bytes(target.bytes)}; give a larger target, or "
            'another size in the profile, such as size = "100%".'
        )
    return asked // workload.block * workload.block


def refuse_small(workload: Workload, targets: Sequence[JobTarget]) -> None:
    """Refuse before anything is written what could not be run after it.

    Raises:
        BadValue: a target is too small for the workload.
    """
    for group in groups_of(workload, targets):
        _slices(workload, group)


def _slices(workload: Workload, group: Group) -> tuple[int, int]:
    """Into how many slices a target is parted, and how large each is.

    Where the targets differ, the smallest decides: fio has one offset.
    """
    smallest = min(group.targets, key=lambda target: region(workload, target))
    slices = 1 if workload.random or workload.overlaps else group.jobs
    each = region(workload, smallest) // workload.block // slices * workload.block
    if not each:
        raise BadValue(
            f"{workload.name} needs {slices} blocks of {in_bytes(workload.block)} of each "
            f"target, but {workload.size} of {printable(smallest.path)} is "
            f"{in_bytes(region(workload, smallest))}; give a larger target, or fewer jobs."
        )
    return slices, each


def _share(workload: Workload, group: Group) -> list[tuple[str, str]]:
    """What a section says."""
    slices, each = _slices(workload, group)
    share = [("numjobs", f"{group.jobs}"), ("size", f"{each * len(group.targets)}")]
    if slices > 1:
        share.append(("offset_increment", f"{each}"))
    if workload.engine == NULL:  # it opens nothing, and so knows no sizes
        share.append(("filesize", f"{each * slices}"))
    names = [t.path if workload.engine == NULL else escaped(t.path) for t in group.targets]
    return [("filename", name) for name in names] + share


def _parts(target: JobTarget) -> Iterator[list[tuple[str, str]]]:
    """Whole MiB, then what is left in the largest blocks that fit: fio skips a last part block."""
    whole, rest = target.bytes // MIB * MIB, target.bytes % MIB // SECTOR * SECTOR
    for offset, count in ((0, whole), (whole, rest)):
        block = math.gcd(count, MIB)
        if count:
            yield [
                ("filename", escaped(target.path)),
                ("bs", f"{block}"),
                ("offset", f"{offset}"),
                ("size", f"{count}"),
            ]


def escaped(path: str) -> str:
    """Give a path as a job file may name it.

    Raises:
        BadValue: it can't: it is relative, or has a character that fio gives a meaning.
    """
    found = re.search(r"[;#$\x00-\x1f\x7f\ud800-\udfff]|\\$|\s$", path)
    if found:
        raise BadValue(
            f"fio can't take the path {printable(path)!r}: it has the character {found[0]!r} at "
            f"{found.start()}; rename it, or the folder that it is in."
        )
    if not path.startswith("/") or len(path.encode()) > LONGEST_PATH:
        raise BadValue(
            f"{printable(path)[:200]} is not an absolute path of at most {LONGEST_PATH} bytes; "
            "name the target by one."
        )
    return path.replace(":", "\\:")


def _how(workload: Workload) -> dict[str, str]:
    how = {
        "ioengine": workload.engine,
        "direct": f"{int(workload.direct)}",
        "rw": workload.rw,
        "bs": f"{workload.block}",
        "iodepth": f"{workload.depth}",
    }
    if workload.read_percent is not None:
        how["rwmixread"] = f"{workload.read_percent}"
    return how


def _random(workload: Workload, targets: Sequence[JobTarget]) -> dict[str, str]:
    """Do without the map of blocks that a job has had where it would take memory from the machine.

    Each job has one, of a bit a block, so that no block comes twice in a pass. Sixteen jobs on
    100 TiB took 50 GB: the kernel killed them. Of so large a region a run touches a part anyway.
    """
    if not workload.random:
        return {}
    maps = sum(
        group.jobs * sum(region(workload, target) // workload.block for target in group.targets)
        for group in groups_of(workload, targets)
    )
    return {"norandommap": "1"} if maps // 8 > LARGEST_MAPS else {}


def _seeded(seed: int) -> dict[str, str]:
    """Spread seeds far apart, and have every job heed its own.

    fio multiplies the seed by the number of the job: with seeds of 1 and 2, the first job of the
    second run would ask for the blocks that the second of the first run had asked for. And
    without randrepeat=0 the first job of fio 3.33 asks for the same blocks whatever the seed is.
    """
    return {"randrepeat": "0", "randseed": f"{random.Random(seed).randrange(1, 1 << 31)}"}


def _reported() -> dict[str, str]:
    """Percentiles and bins of the whole latency: clat leaves out what submission took."""
    return {"group_reporting": "1", "lat_percentiles": "1", "clat_percentiles": "0"}


def _logged(name: str, average_ms: int | None) -> dict[str, str]:
    if average_ms is None:
        return {}
    logs = {f"write_{log}_log": name for log in ("bw", "iops", "lat")}
    return {"log_avg_msec": f"{average_ms}", **logs}


def _rate(workload: Workload, asked: float, targets: int) -> str:
    """What one job may do each way, in fio's order: reads, then writes."""
    jobs = workload.processes(targets)
    if workload.read_percent is None:
        return f"{max(1, int(asked / jobs))}"
    reads = asked * workload.read_percent / 100
    return ",".join(f"{max(1, int(way / jobs))}" for way in (reads, asked - reads))


def _outstanding(workload: Workload, targets: int) -> str:
    """How many requests are under way at once, and whose."""
    jobs, over = _counted(workload.jobs, "job"), _counted(targets, "target")
    shared = "on each of" if workload.jobs_per == "target" else "shared out over"
    total = _counted(workload.depth * workload.processes(targets), "request")
    return f"{total} outstanding: depth {workload.depth}, {jobs} {shared} {over}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _numbered(name: str, number: int, count: int) -> str:
    return name if count == 1 else f"{name}.{number}"


def _written(
    head: Sequence[str],
    options: dict[str, str],
    sections: Sequence[tuple[str, Sequence[tuple[str, str]]]],
) -> str:
    lines = [f"# stend: {line}" for line in head]
    lines += ["[global]", *(f"{name}={value}" for name, value in options.items())]
    for name, share in sections:
        lines += ["", f"[{name}]", *(f"{key}={value}" for key, value in share)]
    return "\n".join(lines) + "\n"
