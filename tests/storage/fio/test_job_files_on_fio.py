"""Job files as fio takes them: which bytes it touches, which seeds, rates and names it heeds."""

import json
import re
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path

import pytest

from needed import needs
from patience import PATIENCE
from stend.storage.fio import options
from stend.storage.fio.jobfile import JobTarget, fill_job, job_file
from stend.storage.fio.profile import profiles
from stend.storage.fio.workload import Workload

MIB = 1 << 20


@pytest.fixture
def fio(tmp_path):
    program = needs("fio", "fio")

    def call(text, *words):
        """What fio says of a job file, in a folder of its own."""
        (tmp_path / "job.fio").write_text(text)
        done = subprocess.run(
            [program, *words, "job.fio"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    return call


@pytest.fixture
def files(tmp_path):
    """Make sparse files; gives them as targets."""

    def make(*sizes, name="lun"):
        made = []
        for number, size in enumerate(sizes):
            path = tmp_path / f"{name}{number}"
            with path.open("wb") as file:
                file.truncate(size)
            made.append(JobTarget(f"{path}", size))
        return made

    return make


def load(rw="write", block=4096, **more):
    return Workload("load", rw, block, **({"engine": "psync", "direct": False} | more))


def job(workload, over, seconds=0.3, **more):
    return job_file(workload, over, **{"seconds": seconds, "phase": "measure", "seed": 7} | more)


def requests(said):
    """Of fio's --debug=io: process → file → offsets, in the order in which they were asked for."""
    found = defaultdict(lambda: defaultdict(list))
    asked = r"^io\s+(\d+)\s+queue:.*off=0x([0-9a-f]+),len=0x[0-9a-f]+,ddir=\d+,file=(\S+)"
    for process, offset, path in re.findall(asked, said, re.M):
        found[process][path].append(int(offset, 16))
    assert found, said[:3000]
    return found


def blocks_written(target, block=4096):
    held = Path(target.path).read_bytes()
    return {n for n in range(len(held) // block) if any(held[n * block : (n + 1) * block])}


def test_each_sequential_job_writes_a_slice_of_its_own(fio, files):
    over = files(MIB, MIB)
    seen = requests(fio(job(load(jobs=4, size="75%"), over), "--debug=io"))
    spans = sorted((path, min(x), max(x) + 4096) for by in seen.values() for path, x in by.items())
    half = 3 * MIB // 8
    assert spans == [(t.path, first, first + half) for t in over for first in (0, half)]


def test_jobs_of_each_target_all_go_over_its_whole_region(fio, files):
    over = files(MIB, MIB)
    load_of_each = load(jobs=3, jobs_per="target", size="50%")
    seen = requests(fio(job(load_of_each, over), "--debug=io"))
    spans = [(path, min(x), max(x) + 4096) for by in seen.values() for path, x in by.items()]
    assert sorted(spans) == [(t.path, 0, MIB // 2) for t in over for _ in range(3)]


def test_jobs_of_a_group_have_slices_of_each_of_its_targets(fio, files):
    over = files(MIB, MIB, MIB)
    seen = requests(fio(job(load(jobs=2), over), "--debug=io"))
    spans = {
        frozenset((path, min(x), max(x) + 4096) for path, x in by.items()) for by in seen.values()
    }
    half = MIB // 2
    assert spans == {
        frozenset((target.path, first, first + half) for target in over) for first in (0, half)
    }


def test_random_jobs_cover_the_whole_region_and_nothing_beyond(fio, files):
    over = files(MIB, MIB)
    fio(job(load("randwrite", jobs=2, size="50%"), over, seconds=0.5))
    assert [blocks_written(t) for t in over] == [set(range(128))] * 2


def test_another_seed_asks_for_other_blocks_and_no_two_jobs_for_the_same(fio, files):
    over = files(64 * MIB)

    def orders(seed):
        text = job(load("randread", jobs=4), over, seconds=0.4, seed=seed)
        seen = requests(fio(text, "--debug=io"))
        return {tuple(by[over[0].path][:8]) for by in seen.values()}

    first, again, other = orders(1), orders(1), orders(2)
    assert len(first) == 4
    assert first == again
    assert not first & other


def test_a_fill_writes_every_sector(fio, files):
    over = files(2 * MIB + 12800, 512, MIB)
    fio(fill_job(over))
    assert [len(blocks_written(t, 512)) for t in over] == [t.bytes // 512 for t in over]


def test_a_fill_repeats_no_block_and_compresses_to_nothing_less(fio, files):
    over = files(2 * MIB)
    fio(fill_job(over))
    held = Path(over[0].path).read_bytes()
    assert len({held[n : n + 4096] for n in range(0, len(held), 4096)}) == 512
    assert len(zlib.compress(held)) > 0.95 * len(held)


def test_a_missing_target_is_not_made(tmp_path, files):
    gone = JobTarget(f"{tmp_path}/typo", MIB)
    (tmp_path / "job.fio").write_text(job(load("read"), [gone]))
    done = subprocess.run(
        [needs("fio", "fio"), "job.fio"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "file creation disallowed by allow_file_create=0" in done.stderr + done.stdout
    assert not (tmp_path / "typo").exists()


def test_odd_names_of_targets_lead_to_them(fio, files):
    names = [
        "a:b",
        "a b",
        'a"b"',
        "a'b",
        "a,b",
        "a=b",
        "[a]",
        "a%b",
        "a\\b",
        "a\\:b",
        "диск 磁",
        "|&",
    ]
    over = [target for name in names for target in files(MIB, name=name)]
    fio(job(load(), over))
    assert [target.path for target in over if not blocks_written(target)] == []


def test_more_targets_than_a_value_has_room_for_can_be_named(fio, files):
    over = files(*[8192] * 80, name="n" * 100)
    fio(job(load(), over))
    assert all(len(blocks_written(target)) == 2 for target in over)


def test_the_rate_is_that_of_all_jobs_together(fio):
    null = [JobTarget("null", 1 << 40)]
    text = job(load("randread", engine="null", jobs=4, depth=4), null, 1, rate_iops=2002)
    (told,) = json.loads(fio(text, "--output-format=json"))["jobs"]
    assert 1000 < told["read"]["iops"] < 2010  # of one job 500


def test_histograms_are_of_the_whole_latency(fio):
    null = [JobTarget("null", 1 << 40)]
    text = job(load("randrw", engine="null", jobs=3, read_percent=70), null)
    (told,) = json.loads(fio(text, "--output-format=json+"))["jobs"]
    for direction in ("read", "write"):
        counts = told[direction]["lat_ns"]["bins"].values()
        assert sum(counts) == told[direction]["total_ios"] > 0
        assert "bins" not in told[direction]["clat_ns"]


def test_sequential_jobs_run_on_the_null_engine(fio):
    null = [JobTarget("null", 1 << 40)]
    (told,) = json.loads(
        fio(job(load("read", engine="null", jobs=3), null), "--output-format=json")
    )["jobs"]
    assert told["error"] == 0
    assert told["read"]["runtime"] >= 285


def test_logs_lie_where_fio_runs(fio, tmp_path):
    fio(job(load(engine="null"), [JobTarget("null", MIB)], log_average_ms=20))
    assert {path.name for path in tmp_path.glob("load_*.log")} >= {
        "load_bw.1.log", "load_iops.1.log", "load_lat.1.log"
    }  # fmt: skip


def test_fio_takes_every_workload_of_every_profile(fio, tmp_path):
    over = [JobTarget(f"/dev/lun:{n}", 1 << 40) for n in range(8)]
    names = []
    for profile in profiles():
        for each in profile.workloads:
            names.append(f"{profile.name}-{each.name}.fio")
            rate = None if each.load is None else 1000
            text = job(each, over, rate_iops=rate, log_average_ms=profile.log_average_ms)
            (tmp_path / names[-1]).write_text(text)
    fio(fill_job(over), *names, "--parse-only", "--warnings-fatal")
    assert len(names) > 50


EXAMPLES = {
    "rate_process": "poisson", "random_distribution": "zipf:1.2",
    "random_generator": "lfsr", "sync": "dsync", "write_hint": "short", "mem": "mmap",
    "cpus_allowed": "0-1,3", "cpus_allowed_policy": "split", "numa_cpu_nodes": "0",
    "numa_mem_policy": "bind:0", "buffer_compress_chunk": "4096",
}  # fmt: skip
"""Where 1 says nothing."""


@pytest.mark.parametrize("engine", ["libaio", "io_uring"])
def test_fio_knows_every_option_that_is_allowed(fio, engine):
    allowed = {name: o for name, o in options.ALLOWED.items() if engine in (o.engines or (engine,))}
    given = {name: EXAMPLES.get(name, "1") for name in allowed}
    text = job(load("randwrite", engine=engine, options=given), [JobTarget("/x", MIB)])
    told = fio(text, "--showcmd")
    assert [f"{n}={x}" for n, x in given.items() if f"--{n}={x}" not in told] == []
    fio(text, "--parse-only", "--warnings-fatal")
