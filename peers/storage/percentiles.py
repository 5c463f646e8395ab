"""What is wrong with averaging percentiles: bursts of reads by real fio in, two p99s out.

    python peers/storage/percentiles.py [SECONDS] [FOLDER]

One job reads a block at a time, and for a second in five others read 64 at once beside it.
A mean over seconds counts a quiet second, in which little is done, as much as one of a burst.
"""

import os
import platform
import statistics
import sys
import tempfile
from datetime import date
from pathlib import Path

import numpy as np

from stend.record.loads import Flow
from stend.storage.fio.installation import find
from stend.storage.fio.jobfile import JobTarget, fill_job
from stend.storage.fio.results import added, of_bins, percentiles
from stend.storage.fio_run import Asked, Phase, drive

SIZE = 256 << 20
JOB = """[global]
ioengine=libaio
direct=1
rw=randread
bs=4k
time_based=1
group_reporting=1
lat_percentiles=1
clat_percentiles=0
filename={path}
[steady]
runtime={seconds}s
rate_iops=1000
"""
BURST = """[burst{begins}]
startdelay={begins}s
runtime=1s
iodepth=64
"""
EVERY = 5
"""Seconds from one burst to the next."""


def run(job: str, name: str, phase: Phase, seconds: float | None) -> Flow:
    """What one run of fio did."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Asked(phase, seconds, (name,), read_only=phase == "measure", fio=find().path)
        done = drive(job, Path(folder), asked, lambda moment: None).run
    assert done.state == "ok", done.reasons
    return done.flows[0]


def of_seconds(flow: Flow) -> tuple[list[float], float]:
    """The p99 of each second, and that of all, both from the seconds' bins, s."""
    which, ns, counts = (np.asarray(column) for column in (flow.interval, flow.ns, flow.counts))
    seconds = [
        percentiles(of_bins("total", ns[which == i], counts[which == i]), [99])[0]
        for i in np.unique(which)
    ]
    return seconds, percentiles(of_bins("total", *added(ns, counts)), [99])[0]


def main() -> None:
    """Print both."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.NamedTemporaryFile(dir=sys.argv[2] if len(sys.argv) > 2 else ".") as file:
        os.posix_fallocate(file.fileno(), 0, SIZE)
        run(fill_job([JobTarget(file.name, SIZE)]), "fill", "precondition", None)
        job = JOB.format(seconds=seconds, path=file.name)
        job += "".join(BURST.format(begins=begins) for begins in range(2, seconds - 1, EVERY))
        each, whole = of_seconds(run(job, "steady", "measure", float(seconds)))
    print(f"{date.today()}, {platform.machine()}, Linux {platform.release()}, {find().version}")
    print(f"p99 of {len(each)} seconds, {min(each) * 1e6:,.0f} to {max(each) * 1e6:,.0f} µs")
    print(f"their mean {statistics.fmean(each) * 1e6:,.0f} µs, of all {whole * 1e6:,.0f} µs")


if __name__ == "__main__":
    main()
