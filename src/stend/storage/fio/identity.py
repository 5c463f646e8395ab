"""The parameters that identify what a job of fio does, from its options.

Every option counts unless it is known to change nothing of the load: fio has hundreds, and two
workloads that are taken for one are worse than one that is taken for two. What has fio's own value
is left out, and what a profile of stend has a key for has that name.
"""

import re
from collections.abc import Iterable
from typing import Literal

from stend.record import Scalar
from stend.storage.fio.options import Options, base_of, is_set, size, whole_number

Parameters = dict[str, Scalar]

_PATTERNS = {"readwrite": "rw"}
_MIXED = {"rw", "randrw"}
_WAYS: dict[str, tuple[Literal[0, 1, 2], ...]] = {
    "read": (0,), "randread": (0,), "write": (1,), "randwrite": (1,), "rw": (0, 1),
    "randrw": (0, 1), "trim": (2,), "randtrim": (2,), "trimwrite": (1, 2), "randtrimwrite": (1, 2),
}  # fmt: skip
"""Which of fio's values for reads, writes and trims a pattern heeds."""

_NAMED = frozenset(
    {"rw", "readwrite", "bs", "blocksize", "bssplit", "bsrange", "blocksize_range", "iodepth"}
    | {"numjobs", "ioengine", "direct", "buffered", "size", "rwmixread", "rwmixwrite"}
    | {"offset_increment"}
)
"""What has a name of its own among the parameters, or is told of all jobs together."""

_NO_LOAD = frozenset(
    # names, and where the target is
    {"name", "description", "filename", "directory", "filename_format", "unique_filename"}
    | {"opendir", "hostname", "port"}
    # how long it lasts, what it waits for, when it is given up
    | {"runtime", "timeout", "time_based", "ramp_time", "loops", "stonewall"}
    | {"wait_for_previous", "wait_for", "new_group", "exitall", "exitall_on_error", "exit_what"}
    | {"continue_on_error", "ignore_error", "error_dump", "max_latency"}
    # what is reported of it
    | {"group_reporting", "unified_rw_reporting", "lat_percentiles", "clat_percentiles"}
    | {"slat_percentiles", "percentile_list", "significant_figures", "unit_base", "stats"}
    | {"per_job_logs", "disk_util", "allow_mounted_write", "write_iolog"}
    # random numbers, and files that are made before
    | {"randrepeat", "allrandrepeat", "randseed", "allow_file_create", "create_serialize"}
    | {"create_fsync", "create_on_open", "create_only", "unlink"}
)
_LOGS = re.compile(r"log_.+|write_.+_log")
"""Options that only log."""

_WAITING = frozenset({"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap"})
"""Engines that wait for each request."""
_USUAL = {
    "random_distribution": "random", "percentage_random": "100", "rate_process": "linear",
    "random_generator": "tausworthe", "norandommap": "0", "softrandommap": "0", "offset": "0",
    "fsync": "0", "fdatasync": "0", "end_fsync": "0", "fsync_on_close": "0", "thinktime": "0",
    "verify": "none", "invalidate": "1", "iodepth_batch": "1", "zero_buffers": "0",
    "refill_buffers": "0", "scramble_buffers": "1", "buffer_compress_percentage": "0",
    "dedupe_percentage": "0", "thread": "0", "kb_base": "1024", "startdelay": "0", "nrfiles": "1",
    "mem": "malloc", "rw_sequencer": "sequential", "bs_unaligned": "0", "bs_is_seq_rand": "0",
}  # fmt: skip
"""fio's own values: options with one are as good as not given."""
_NONE = {"verify": {"0"}, "sync": {"0", "none"}, "rate": {"0"}, "rate_iops": {"0"}}
"""Further ways to say so."""


def pattern_of(options: Options) -> str:
    """What fio calls rw: "randread", without what may follow it."""
    name = _pattern_text(options).partition(":")[0]
    return _PATTERNS.get(name, name)


def identity(options: Options) -> Parameters:
    """Give what identifies a job, but for its pattern, how many there are, and its target."""
    pattern = pattern_of(options)
    return {
        **_blocks(options, pattern),
        **_known({"depth": _depth(options)}),
        **_known({"read_percent": _read_percent(pattern, options)}),
        **_known({"engine": _engine(options), "direct": None if _is_direct(options) else 0}),
        **_known({"size": None if (x := options.get("size")) == "100%" else x}),
        **_known({"rw_modifier": _pattern_text(options).partition(":")[2] or None}),
        **dict(sorted(_further(options))),
    }


def has_slices(options: Options) -> bool:
    """Whether each clone of the job begins where the one before it ends."""
    return size(options.get("offset_increment", "0")) != 0


def goes_on(pattern: str) -> bool:
    """Whether requests follow one another, so that clones that begin at one place overlap."""
    return not pattern.startswith("rand")


def directions(pattern: str) -> frozenset[str] | None:
    """Which ways a pattern goes; None: it is none that is known."""
    ways = _WAYS.get(pattern)
    return None if ways is None else frozenset(("read", "write", "trim")[way] for way in ways)


def verifies(options: Options) -> bool:
    """Whether what a job wrote is read back."""
    return options.get("verify", "none") not in ("none", "0") and options.get("do_verify") != "0"


def engine_of(options: Options) -> str:
    """The engine; HOWTO, ioengine: psync is what Linux has by default."""
    return options.get("ioengine", "psync")


def _pattern_text(options: Options) -> str:
    return options.get("rw", options.get("readwrite", "read")).rstrip(",").strip().lower()


def _blocks(options: Options, pattern: str) -> Parameters:
    """`block` where all requests are of one size, else how their sizes were told."""
    for name in ("bssplit", "bsrange", "blocksize_range"):
        if name in options:
            return {"bsrange" if "range" in name else name: _plain(options[name])}
    text = options.get("bs", options.get("blocksize", "4k"))
    sizes = [size(_way(text, way), base_of(options)) for way in _WAYS.get(pattern, (0, 1, 2))]
    known = [one for one in sizes if one is not None]
    if len(known) < len(sizes):
        return {"bs": _plain(text)}
    return {"block": known[0]} if len(set(known)) == 1 else {"bs": ",".join(map(str, known))}


def _way(text: str, way: int) -> str:
    """HOWTO, bs: reads, writes, trims; the last one is of the rest, an empty one fio's own."""
    given = text.split(",")
    return given[min(way, len(given) - 1)].strip() or "4k"


def _engine(options: Options) -> str | None:
    return None if (engine := engine_of(options)) == "libaio" else engine


def _is_direct(options: Options) -> bool:
    return is_set(options, "direct") or options.get("buffered") == "0"


def _depth(options: Options) -> int | None:
    """HOWTO, iodepth: an engine that waits for each request has one, whatever was asked for."""
    waits = engine_of(options) in _WAITING
    return 1 if waits else whole_number(options.get("iodepth", "1"))


def _read_percent(pattern: str, options: Options) -> int | None:
    if pattern not in _MIXED:
        return None
    writes = whole_number(options.get("rwmixwrite", "")) if "rwmixread" not in options else None
    return 100 - writes if writes is not None else whole_number(options.get("rwmixread", "50"))


def _further(options: Options) -> Iterable[tuple[str, Scalar]]:
    for name, value in options.items():
        if name in _NAMED or name in _NO_LOAD or _LOGS.fullmatch(name):
            continue
        text = _plain(value) or "1"
        if text != _USUAL.get(name) and text not in _NONE.get(name, ()):
            yield name, text
    step = options.get("offset_increment", "0")
    if has_slices(options) and step != options.get("size"):
        yield "offset_increment", _plain(step)


def _plain(text: str) -> str:
    return "".join(text.split()).lower()


def _known(found: dict[str, Scalar | None]) -> Parameters:
    return {name: value for name, value in found.items() if value is not None}
