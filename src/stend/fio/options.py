"""Options of fio that a workload may set by fio's own names, beside what a profile has keys for.

A list of what is allowed, not of what is forbidden: fio has options that execute programs, write
files, switch the scheduler or lead to other targets, and each version brings more. In it is what
people tune when they test storage: how requests are formed, distributed, queued and flushed, what
is written, and on which CPUs the jobs run. Names and meanings are those of fio's HOWTO.
"""

from dataclasses import dataclass
from typing import Any

from stend.fio.schema import Kind, Place, matching, truth, whole, word

_CPUS = r"[0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?)*"
_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,6})?"
_SKEW = rf"(?:zipf|pareto|normal):{_NUMBER}(?::{_NUMBER})?"
_YES: Kind[bool] = Kind("true, or leave it out", lambda x: True if x is True else None)
"""fio knows these by being there or not."""


@dataclass(frozen=True, slots=True)
class Option:
    """What an option may be, and with which engines there is such an option."""

    kind: Kind[Any]
    engines: tuple[str, ...] = ()
    """Empty: all have it."""


ALLOWED: dict[str, Option] = {
    # how requests are queued
    "iodepth_batch": Option(whole(0, 65536)),
    "iodepth_batch_complete_min": Option(whole(0, 65536)),
    "iodepth_batch_complete_max": Option(whole(0, 65536)),
    "iodepth_low": Option(whole(1, 65536)),
    "userspace_reap": Option(_YES, ("libaio",)),
    "nowait": Option(truth, ("libaio", "io_uring")),
    "hipri": Option(_YES, ("io_uring",)),
    "fixedbufs": Option(_YES, ("io_uring",)),
    "registerfiles": Option(_YES, ("io_uring",)),
    "sqthread_poll": Option(_YES, ("io_uring",)),
    "sqthread_poll_cpu": Option(whole(0, 65535), ("io_uring",)),
    "prio": Option(whole(0, 7)),
    "prioclass": Option(whole(0, 3)),
    # when they come, where they go
    "rate_process": Option(word(("linear", "poisson"))),
    "thinktime": Option(whole(0, 10**9)),
    "thinktime_blocks": Option(whole(1, 10**9)),
    "random_distribution": Option(
        matching(rf"random|{_SKEW}", '"random", "zipf:1.2", "pareto:0.9" or "normal:20"')
    ),
    "random_generator": Option(word(("tausworthe", "lfsr", "tausworthe64"))),
    "norandommap": Option(_YES),
    "percentage_random": Option(whole(0, 100)),
    # what is written, and when it has to be safe
    "fsync": Option(whole(0, 10**9)),
    "fdatasync": Option(whole(0, 10**9)),
    "sync": Option(word(("none", "sync", "dsync"))),
    "write_hint": Option(word(("none", "short", "medium", "long", "extreme"))),
    "refill_buffers": Option(_YES),
    "scramble_buffers": Option(truth),
    "zero_buffers": Option(_YES),
    "buffer_compress_percentage": Option(whole(0, 100)),
    "buffer_compress_chunk": Option(whole(512, 1 << 30)),
    "dedupe_percentage": Option(whole(0, 100)),
    # which memory and CPUs the jobs use
    "mem": Option(word(("malloc", "shm", "shmhuge", "mmap"))),
    "iomem_align": Option(whole(0, 1 << 30)),
    "cpus_allowed": Option(matching(_CPUS, 'CPUs like "0-3,8"')),
    "cpus_allowed_policy": Option(word(("shared", "split"))),
    "numa_cpu_nodes": Option(matching(rf"all|{_CPUS}", '"all" or nodes like "0,1"')),
    "numa_mem_policy": Option(
        matching(
            rf"default|local|prefer:[0-9]{{1,4}}|(?:bind|interleave):{_CPUS}",
            '"default", "local", "prefer:0", "bind:0-1" or "interleave:0,1"',
        )
    ),
}


def read_options(place: Place, value: object, engine: str) -> dict[str, str]:
    """Give the options as fio is to get them.

    Raises:
        BadValue: an option is not allowed, has a wrong value, or the engine lacks it.
    """
    table = place.table(value, ALLOWED, {})
    for name in table.values:
        needed = ALLOWED[name].engines
        if needed and engine not in needed:
            raise (place / name).refused(
                f'is an option of the engine {" and ".join(needed)}, and the engine is "{engine}"; '
                "leave it out"
            )
    return {name: _told(table.need(name, ALLOWED[name].kind)) for name in table.values}


def _told(value: object) -> str:
    return f"{int(value)}" if isinstance(value, bool) else f"{value}"
