"""Loads of real block devices: what the kernel counts of them, and users that are not root."""

import grp
import os
import subprocess
from pathlib import Path

import pytest

from needed import needs
from patience import PATIENCE
from stend.errors import MeasuringError
from stend.record import Status
from stend.storage.fio.installation import Fio
from stend.storage.fio.profile import parsed
from stend.storage.gates import claimed
from stend.storage.phases import Campaign
from stend.storage.rig import Rig
from stend.storage.targets import resolve
from storage.loop_devices import loop_device

PROFILE = """
about = "one workload"
runtime = "1s"
warm_up = "0"
[[workload]]
name = "reads"
rw = "randread"
block = "4k"
engine = "psync"
"""


@pytest.fixture
def device(tmp_path: Path):
    file = tmp_path / "disk.img"
    file.write_bytes(os.urandom(8 << 20))
    with loop_device(file, "--direct-io=on") as path:
        yield path


def load(fio: str, device: str, folder: Path):
    """The record of the one case."""
    none = lambda told: None  # noqa: E731
    folder.mkdir()
    with claimed(resolve([device], 1 << 20), writing=False) as claim:
        rig = Rig(Fio(fio, "fio-3"), claim, folder, Nobody(), none, none)  # type: ignore[arg-type]
        asked = parsed(PROFILE, "mine", "mine.toml")
        (reached,) = Campaign(asked, claim.targets, rig, {}).run()
    (record,) = reached.records
    return record


class Nobody:
    """A sampler that saw nothing."""

    def between(self, began: int, ended: int) -> tuple[()]:
        return ()


def test_a_load_whose_bytes_the_kernel_counted_is_measured(tmp_path: Path, device: str) -> None:
    record = load(needs("fio", "fio"), device, tmp_path / "run")
    assert (record.status, record.reason) == (Status.MEASURED, "")


def test_a_fio_that_does_nothing_measures_nothing(tmp_path: Path, device: str) -> None:
    lazy = tmp_path / "fio"
    null = "sed -i 's/^ioengine=.*/ioengine=null/' job.fio"
    lazy.write_text(f'#!/bin/sh\n{null}\nexec {needs("fio", "fio")} "$@"\n')
    lazy.chmod(0o755)
    record = load(str(lazy), device, tmp_path / "run")
    assert record.status is Status.FAILED
    assert "the kernel counted 0 on its targets" in record.reason


def test_a_member_of_the_group_disk_may_read_a_device(
    tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """fio by itself as that user, on the very job that stend writes for one who isn't root."""
    needs("setpriv", "util-linux")
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    jobs = []

    class Told:
        fio = "fio-3"

        def check(self, job: str) -> None:
            jobs.append(job)
            raise MeasuringError("only the job was asked for")

    asked = parsed(PROFILE, "mine", "mine.toml")
    list(Campaign(asked, resolve([device], 1 << 20), Told(), {}).run())  # type: ignore[arg-type]
    monkeypatch.undo()
    tmp_path.chmod(0o755)
    file = Path("/tmp") / f"stend-job-{os.getpid()}.fio"
    file.write_text(jobs[0])
    gid = grp.getgrnam("disk").gr_gid
    os.chown(device, 0, gid)
    Path(device).chmod(0o660)  # as udev has it
    try:
        done = subprocess.run(
            ["setpriv", "--reuid=65534", f"--regid={gid}", "--clear-groups", needs("fio", "fio"),
             "--readonly", str(file)],
            cwd="/", capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    finally:
        file.unlink()
    assert done.returncode == 0, done.stderr
    assert "only root may flush" not in done.stdout + done.stderr
    assert "invalidate=0" in jobs[0]
