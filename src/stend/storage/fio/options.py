"""Options of fio: which a workload may set by fio's own names, and their text as numbers.

fio tells each option by its main name (`bs` for `blocksize`), and none that was given without a
value (`norandommap`, `time_based`).

A list of what is allowed, not of what is forbidden: fio has options that execute programs, write
files, switch the scheduler or lead to other targets, and each version brings more. In it is what
people tune when they test storage: how requests are formed, distributed, queued and flushed, what
is written, and on which CPUs the jobs run. Names and meanings are those of fio's HOWTO.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stend.storage.fio.schema import Kind, Place, matching, truth, whole, word

Options = Mapping[str, str]

_SIZE = re.compile(r"(\d+|0x[0-9a-f]+)\s*(?:([kmgtp])(i?))?b?", re.IGNORECASE)
_POWERS = {None: 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_TIME = re.compile(r"(\d+)\s*(d|h|m|s|ms|us)?", re.IGNORECASE)
_SECONDS = {"d": 86400, "h": 3600, "m": 60, None: 1, "s": 1, "ms": 1e-3, "us": 1e-6}


def size(text: str, base: int = 1024) -> int | None:
    """Bytes of `4k`, `4096`, `4096B` or `0x1000`.

    HOWTO, kb_base: unless told otherwise fio takes `4k` for 4096, and `4KiB` for 4000; with a
    base of 1000 it takes both as the standards do.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found or len(found[1]) > 15:
        return None
    prefix = found[2].lower() if found[2] else None
    other = 1000 if base == 1024 else 1024
    factor: int = (other if found[3] else base) ** _POWERS[prefix]
    return int(found[1], 16 if found[1][:2].lower() == "0x" else 10) * factor


def seconds(text: str) -> float | None:
    """Seconds of `10`, `10s` or `5m`."""
    found = _TIME.fullmatch(text.strip())
    if not found or len(found[1]) > 9:
        return None
    return int(found[1]) * _SECONDS[found[2].lower() if found[2] else None]


def whole_number(text: str) -> int | None:
    """A whole number of at most nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def is_set(options: Options, name: str) -> bool:
    """Whether an option that is on or off is on; one without a value is."""
    return options.get(name, "0") not in ("0", "false")


def base_of(options: Options) -> int:
    """How many bytes fio takes a `k` for."""
    return 1000 if options.get("kb_base") == "1000" else 1024


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
    return {name: _value_text(table.need(name, ALLOWED[name].kind)) for name in table.values}


def _value_text(value: object) -> str:
    return f"{int(value)}" if isinstance(value, bool) else f"{value}"
