"""Reports as fio prints them, made of a few numbers: for tests of what reads them."""

import json
from typing import Any

from stend.storage.fio.results import bin_value

Report = dict[str, Any]


def named(ns: int) -> int:
    """The name of fio's bin that holds a latency."""
    return int(bin_value([ns], 6)[0])  # type: ignore[arg-type]


def way(latencies: dict[int, int], ms: int = 1000, block: int = 4096, kind: str = "lat") -> Report:
    """What fio 3 says of one direction; latencies are ns → how many took so long."""
    n = sum(latencies.values())
    bins: dict[str, int] = {}
    for ns, times in latencies.items():
        bins[str(named(ns))] = bins.get(str(named(ns)), 0) + times
    times = {
        "min": min(latencies, default=0),
        "max": max(latencies, default=0),
        "mean": sum(ns * k for ns, k in latencies.items()) / n if n else 0.0,
        "N": n,
    }
    return {
        "io_bytes": n * block,
        "io_kbytes": n * block >> 10,
        "bw": 0,
        "iops": 1000 * n / ms if ms else 0.0,
        "runtime": ms if n else 0,
        "total_ios": n,
        "lat_ns": times | ({"bins": bins} if kind == "lat" else {}),
        "clat_ns": times | ({"bins": bins} if kind == "clat" else {}),
    }


def job(name: str = "one", **more: Any) -> Report:
    """A job that did nothing, but for what is given."""
    idle = {"read": way({}), "write": way({}), "trim": way({})}
    return {"jobname": name, "groupid": 0, "error": 0, "job options": {}} | idle | more


def report(*jobs: Report, ms: int = 1_700_000_000_000, **more: Any) -> Report:
    """A document of fio 3."""
    return {
        "fio version": "fio-3.33",
        "timestamp": ms // 1000,
        "timestamp_ms": ms,
        "global options": {"rw": "randread", "bs": "4k", "ioengine": "libaio", "direct": "1"},
        "jobs": list(jobs),
    } | more


def printed(document: Report) -> bytes:
    """Lay a document out as fio does."""
    return json.dumps(document, indent=2, separators=(",", " : ")).encode() + b"\n"
