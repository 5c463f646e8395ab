"""What real fio says of unlike workloads becomes unlike cases; nothing compares them as alike."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from needed import needs
from stend.comparing import Verdict, compare
from stend.record import CaseRecord, Run
from stend.storage.fio.jobfile import JobTarget, job_file
from stend.storage.fio.results_import import run_of
from stend.storage.fio.workload import Workload

Fio = Callable[..., Path]

NULL = ["--name=x", "--ioengine=null", "--size=4m", "--bs=4k", "--iodepth=4"]


@pytest.fixture
def fio(tmp_path: Path) -> Fio:
    """Runs fio by words, or on the text of a job file; gives the file of its result."""
    program = needs("fio", "fio")

    def call(name: str, *words: str, text: str = "") -> Path:
        if text:
            (tmp_path / "job.fio").write_text(text)
            words = (*words, "job.fio")
        command = [program, "--output-format=json", f"--output={name}.json", *words]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
        return tmp_path / f"{name}.json"

    return call


def only(run: Run) -> CaseRecord:
    (case,) = run.cases
    return case


def operations(case: CaseRecord) -> dict[str, int]:
    """By direction."""
    load = case.samples[0].load
    assert load is not None
    return {flow.direction: flow.operations for flow in load.runs[-1].flows}


def said(case: CaseRecord) -> str:
    return " ".join(text for s in case.samples if s.load for text in s.load.unread)


UNLIKE = {
    "uniform": [],
    "limited": ["--rate_iops=20000"],
    "zipf": ["--random_distribution=zipf:1.2"],
    "partly": ["--percentage_random=50"],
    "synced": ["--fsync=8"],
    "split": ["--bssplit=4k/50:8k/50"],
    "unequal": ["--bs=4k,8k"],
    "every eighth": ["--rw=randrw:8"],
}


def test_unlike_workloads_are_cases_of_their_own_and_are_not_compared(fio: Fio) -> None:
    usual = [*NULL, "--rw=randrw"]
    files = {name: fio(name.split()[0], *usual, *more) for name, more in UNLIKE.items()}
    run = run_of(list(files.values()))
    assert len(run.cases) == len(UNLIKE)
    assert len({case.key for case in run.cases}) == len(UNLIKE)
    uniform = run_of([files.pop("uniform")])
    for name, file in files.items():
        verdicts = {row.verdict for row in compare(uniform, run_of([file])).rows}
        assert verdicts == {Verdict.ONLY_A, Verdict.ONLY_B}, name


def test_one_workload_told_in_two_ways_is_one_case(fio: Fio) -> None:
    usual = ["--rw=randread", "--numjobs=2"]
    one = fio("one", *NULL, *usual, "--random_distribution=random")
    other = fio("other", *NULL, *usual, "--blocksize=4096B", "--lat_percentiles=1", "--fsync=0")
    case = only(run_of([one, other]))
    assert len(case.samples) == 2
    assert case.parameters["block"] == 4096


BESIDE = """\
[global]
ioengine=null
size=4m
{more}
[reads]
rw=randread
bs=4k
[writes]
rw=randwrite
bs=8k
"""


def test_reads_beside_writes_are_no_mixed_load(fio: Fio) -> None:
    case = only(run_of([fio("a", text=BESIDE.format(more=""))]))
    assert case.benchmark == "storage.several"
    assert case.parameters["mix"] == "1 × randread block=4096 + 1 × randwrite block=8192"
    assert "read_percent" not in case.parameters
    assert operations(case) == {"read": 1024, "write": 512}


def test_of_a_group_in_one_report_it_is_said_that_its_workloads_are_unknown(fio: Fio) -> None:
    case = only(run_of([fio("a", text=BESIDE.format(more="group_reporting=1"))]))
    assert (case.benchmark, case.parameters["mix"]) == ("storage.several", "unknown")
    assert "Run fio without group_reporting" in said(case)
    alike = BESIDE.replace("randwrite", "randread").format(more="group_reporting=1")
    case = only(run_of([fio("b", text=alike)]))
    assert (case.benchmark, case.parameters["mix"]) == ("storage.randread", "unknown")


def test_reads_that_verify_are_no_writes(fio: Fio, tmp_path: Path) -> None:
    words = [*NULL, "--ioengine=psync", f"--filename={tmp_path}/file", "--rw=randwrite"]
    verified, plain = fio("a", *words, "--verify=crc32c"), fio("b", *words)
    case = only(run_of([verified]))
    assert operations(case) == {"write": 1024}
    assert "1,024 reads that verified what had been written are not counted." in said(case)
    assert case.parameters["verify"] == "crc32c"
    assert case.samples[0].also.keys() >= {"latency s", "p50 s", "p99 s"}
    assert len(run_of([verified, plain]).cases) == 2


SECTIONS = "[global]\nioengine=null\nsize=400k\nbs=4k\nrate_iops=500\nrw=read\n" + (
    "numjobs=2\niodepth=64\n{more}\n"
)


@pytest.mark.parametrize("more", ["", "group_reporting=1"])
def test_the_jobs_of_all_sections_are_counted(fio: Fio, more: str) -> None:
    text = SECTIONS.format(more=more) + "".join(f"[lun{n}]\n" for n in range(8))
    case = only(run_of([fio("a", text=text)]))
    assert (case.parameters["depth"], case.parameters["jobs"]) == (64, 16)


@pytest.mark.parametrize("rw", ["read", "randread", "randwrite"])
def test_a_job_file_of_stend_comes_back_as_the_workload_it_is_of(
    fio: Fio, tmp_path: Path, rw: str
) -> None:
    over = [JobTarget(f"{tmp_path}/lun{n}", 1 << 20) for n in range(3)]
    for target in over:
        Path(target.path).write_bytes(bytes(target.bytes))
    workload = Workload("w", rw, 4096, depth=4, jobs=2, jobs_per="target", direct=False)  # type: ignore[arg-type]
    text = job_file(workload, over, seconds=0.5, phase="measure", seed=1)
    alone = text.replace("group_reporting=1", "group_reporting=0")
    told = workload.parameters("file", len(over)) | {"size": f"{1 << 20}"}
    assert only(run_of([fio("a", text=alone)])).parameters == told
