"""The text that fio is given leads nowhere but to what was claimed."""

import pytest

from stend.errors import BadValue
from stend.storage.fio.jobfile import JobTarget, fill_job, job_file
from stend.storage.fio.profile import read_profile
from stend.storage.gates import only_reads, only_what_is_claimed

WRITTEN = {"/srv/own": True, "/dev/disk:1": False}


@pytest.mark.parametrize(
    "job",
    [
        "[global]\nrw=write\n[a]\nfilename=/srv/own\n",
        "[a]\nrw=randread\nfilename=/srv/own:/dev/disk\\:1\n",
        "; rw=write\n[global]\nrw=read\n[a]\nfilename=/dev/disk\\:1\n",
        "[global]\nrw=read\n[a]\nfilename=/dev/disk\\:1\n[b]\nfilename=/srv/own\nrw=rw\n",
        "[a]\nfilename=/dev/disk\\:1\n",
    ],
)
def test_a_job_on_what_is_claimed_passes(job: str) -> None:
    only_what_is_claimed(job, WRITTEN)


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ("[a]\nfilename=/dev/other\nrw=read\n", "/dev/other, which is not a target"),
        ("[a]\nfilename=/dev/disk:1\nrw=read\n", "/dev/disk, which is not a target"),
        ("[a]\nfilename=/srv/own\nfilename=/dev/other\n", "/dev/other"),
        ("[a]\nrw=randrw\nfilename=/dev/disk\\:1\n", r"writes /dev/disk:1.*randrw"),
        ("[global]\nrw=write\n[a]\nfilename=/srv/own:/dev/disk\\:1\n", "only read"),
        ("[global]\nrw=read\n[a]\nfilename=/dev/disk\\:1\nrw=write\n", "only read"),
        ("[a]\nfilename=/dev/disk\\:1\nreadwrite=trim\n", "only read"),
        ("[global]\nfilename=/srv/own\n[a]\n[global]\nfilename=/dev/x\n[b]\n", "/dev/x"),
        ("[a]\nrw=read\n", "names no file"),
    ],
)
def test_every_other_job_is_refused(job: str, said: str) -> None:
    with pytest.raises(BadValue, match=said):
        only_what_is_claimed(job, WRITTEN)


def test_what_stend_writes_is_understood() -> None:
    workloads = read_profile("quick").workloads
    target = JobTarget("/dev/disk:1", 1 << 30)
    for workload in workloads:
        job = job_file(workload, [target], seconds=1.0, phase="measure", seed=1)
        only_what_is_claimed(job, {target.path: True})
        if workload.writes:
            with pytest.raises(BadValue, match="only read"):
                only_what_is_claimed(job, WRITTEN)
        else:
            only_what_is_claimed(job, WRITTEN)
    with pytest.raises(BadValue, match="only read"):
        only_what_is_claimed(fill_job([target]), WRITTEN)


@pytest.mark.parametrize(
    ("job", "reads"),
    [
        ("[global]\nrw=randread\n[a]\nfilename=/x\n[b]\nfilename=/y\n", True),
        ("[a]\nfilename=/x\n", True),
        ("[global]\nrw=read\n[a]\nfilename=/x\n[b]\nfilename=/y\nrw=randrw\n", False),
        ("[global]\nrw=write\n[a]\nfilename=/x\n", False),
    ],
)
def test_a_job_only_reads_where_every_section_does(job: str, reads: bool) -> None:
    assert only_reads(job) is reads
