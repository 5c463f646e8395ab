"""Real fio says what is read of it: percentiles, totals, logs, servers, killed workers."""

import json
import math
import os
import signal
import subprocess
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from needed import needs
from patience import PATIENCE
from ports import free_port
from stend.record import Run, Status
from stend.storage.fio.documents import Scan, scan
from stend.storage.fio.results import flows, jobs_of, percentiles
from stend.storage.fio.results_import import run_of
from stend.storage.fio.verdict import Ended, judge

JOB = """\
[global]
ioengine=psync
size=1m
rw=randrw
bs=4k
time_based
runtime={seconds}
lat_percentiles=1
{more}
[one]
filename={folder}/one
[two]
filename={folder}/two
"""


def job_file(folder: Path, seconds: int, more: str = "") -> list[str]:
    (folder / "job.fio").write_text(JOB.format(folder=folder, seconds=seconds, more=more))
    return [needs("fio", "fio"), "--output-format=json+", "--output=out.json", "job.fio"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run of 2 s left: status reports, and logs of every kind."""
    folder = tmp_path_factory.mktemp("fio")
    logs = "".join(f"write_{kind}_log=x\n" for kind in ("bw", "iops", "lat", "hist"))
    logs += "log_avg_msec=250\nlog_hist_msec=250\nlog_hist_coarseness=2\n"
    command = [*job_file(folder, 2, logs), "--status-interval=500ms"]
    subprocess.run(command, cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> Scan:
    return scan((folder / "out.json").read_bytes())


def test_every_report_of_a_real_run_is_found(found: Scan) -> None:
    assert len(found.documents) >= 3
    assert (found.stray, found.truncated) == ([], False)
    assert judge(Ended(0, documents=found.documents), ["one", "two"], 2) == ("ok", ())


def test_our_percentiles_are_those_that_fio_prints(found: Scan) -> None:
    """Of the last report: while fio runs, its bins are ahead of the count it takes them of."""
    compared = 0
    for job in jobs_of(found.documents[-1]):
        for flow in flows({"jobs": [job]}):
            printed = job[flow.direction]["lat_ns"]["percentile"]
            assert flow.histogram is not None
            ours = percentiles(flow.histogram, [float(p) for p in printed])
            assert [round(x * 1e9) for x in ours] == list(printed.values())
            compared += len(printed)
    assert compared == 2 * 2 * 17


def test_totals_are_those_that_fio_prints(found: Scan) -> None:
    """Rates job by job: two jobs may run for different times, and fio adds their rates."""
    last = found.documents[-1]
    for flow in flows(last):
        ways = [job[flow.direction] for job in jobs_of(last)]
        assert flow.operations == sum(way["total_ios"] for way in ways)
        assert flow.seconds == max(way["runtime"] for way in ways) / 1000
        assert flow.histogram is not None
        assert sum(flow.histogram.counts) == flow.operations
    for job in jobs_of(last):
        for flow in flows({"jobs": [job]}):
            printed = job[flow.direction]["iops"]
            assert flow.operations / flow.seconds == pytest.approx(printed, rel=1e-6)


def test_the_course_adds_up_to_the_totals(folder: Path) -> None:
    for flow in _flows(run_of([folder / "out.json"])):
        ends = [0, *flow.at]
        seconds = [(b - a) / 1e9 for a, b in pairwise(ends)]
        done = sum(rate * s for rate, s in zip(flow.iops, seconds, strict=True))
        assert done == pytest.approx(flow.operations, rel=1e-9)
        assert sum(flow.counts) == flow.operations


def test_real_logs_tell_what_the_result_tells(folder: Path) -> None:
    """But for the last window, and for windows that end late while others compute.

    Of such a window fio 3.33 once logged so much that the mean of all was 46 times the result's.
    """
    logs = sorted(folder.glob("*.log"))
    assert len(logs) == 12
    told = {flow.direction: flow for flow in _flows(run_of([folder / "out.json"]))}
    for flow in _flows(run_of(logs)):
        assert 0.2 < flow.operations / told[flow.direction].operations < 1.5
        known = [p for p in zip(flow.latency, flow.iops, strict=True) if not math.isnan(p[0])]
        worst_last = sorted(known)
        means = (_mean(worst_last), _mean(worst_last[:-1]))
        assert any(0.2 < mean / told[flow.direction].mean < 5 for mean in means)
        assert flow.bytes == pytest.approx(flow.operations * 4096, rel=0.01)
        windows = [b - a for a, b in pairwise([0, *flow.at])]
        assert 200e6 < median(windows) < 300e6
        assert min(windows) > 0
    both = _flows(run_of([folder / "out.json", *logs]))
    assert [flow.operations for flow in both] == [told[f.direction].operations for f in both]


def _mean(intervals: list[tuple[float, float]]) -> float:
    """Of latencies, by their rates."""
    return sum(s * rate for s, rate in intervals) / sum(rate for _, rate in intervals)


def _flows(run: Run) -> Any:
    (case,) = run.cases
    assert case.status is Status.MEASURED, case.reason
    (sample,) = case.samples
    assert sample.load is not None
    return sample.load.runs[-1].flows


@pytest.mark.parametrize("version", [3, 4, 5])
def test_terse_output_says_what_the_json_says(tmp_path: Path, version: int) -> None:
    fio = needs("fio", "fio")
    words = ["--name=x", "--ioengine=null", "--size=64m", "--bs=4k", "--rw=randrw"]
    formats = [f"--terse-version={version}", "--output-format=terse,json", "--output=both"]
    subprocess.run([fio, *words, *formats], cwd=tmp_path, check=True)
    text = (tmp_path / "both").read_bytes()
    (tmp_path / "terse").write_bytes(text[: text.index(b"\n{\n")])
    (terse,) = run_of([tmp_path / "terse"]).cases
    (whole,) = run_of([tmp_path / "both"]).cases
    assert terse.status is Status.MEASURED
    sample, other = terse.samples[0], whole.samples[0]
    assert sample.also["bandwidth B/s"] == other.also["bandwidth B/s"]
    assert sample.values is not None
    assert other.values is not None
    assert sample.values[0] == pytest.approx(other.values[0], rel=0.001)
    assert sample.also["latency s"][0] == pytest.approx(other.also["latency s"][0], abs=2e-9)


def test_a_killed_worker_fails_the_run_though_fio_says_error_0(tmp_path: Path) -> None:
    with subprocess.Popen(job_file(tmp_path, 2), cwd=tmp_path, stderr=subprocess.PIPE) as fio:
        os.kill(_workers(fio.pid, 2)[0], signal.SIGKILL)
        stderr = fio.communicate()[1].decode()
    found = scan((tmp_path / "out.json").read_bytes())
    assert fio.returncode == 0
    assert [job["error"] for job in jobs_of(found.documents[-1])] == [0, 0]
    how = Ended(0, None, stderr, found.documents, found.truncated, False, found.stray)
    state, reasons = judge(how, ["one", "two"], 2)
    assert state == "failed"
    assert reasons[0] == "A worker of fio was killed by signal 9, so its part is missing."


def _workers(pid: int, count: int) -> list[int]:
    """fio's workers, as soon as all of them load the disk: their files are laid out by then."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    for _ in range(200):
        time.sleep(0.02)
        found = [int(word) for word in children.read_text().split()]
        if len(found) >= count and time.sleep(0.3) is None:
            return found
    raise AssertionError("fio started no workers")


def test_servers_add_up_and_their_sum_is_not_counted(tmp_path: Path) -> None:
    fio = needs("fio", "fio")
    ports = [free_port() for _ in range(2)]
    servers = [
        subprocess.Popen([fio, f"--server=127.0.0.1,{port}"], stdout=subprocess.DEVNULL)
        for port in ports
    ]
    try:
        (tmp_path / "job.fio").write_text("[x]\nioengine=null\nsize=16m\nbs=4k\nrw=randread\n")
        for port in ports:
            _wait_for(port)
        words = [word for port in ports for word in (f"--client=127.0.0.1,{port}", "job.fio")]
        command = [fio, "--output-format=json+", "--output=out.json", *words]
        subprocess.run(
            command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE
        )
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    text = (tmp_path / "out.json").read_bytes()
    stats = json.loads(text[text.index(b"\n{\n") :])["client_stats"]
    assert [job["jobname"] for job in stats] == ["x", "x", "All clients"]
    run = run_of([tmp_path / "out.json"])
    (flow,) = _flows(run)
    assert flow.operations == 2 * (16 << 20) // 4096
    assert run.cases[0].parameters["jobs"] == 2
    assert run.machine.host == "127.0.0.1"


def _wait_for(port: int) -> None:
    for _ in range(200):
        listening = Path("/proc/net/tcp").read_text()
        if f"0100007F:{port:04X} 00000000:0000 0A" in listening:
            return
        time.sleep(0.02)
    raise AssertionError("fio's server does not listen")
