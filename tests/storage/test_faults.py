"""What can happen to fio while it is driven, on real fio: no worker stays, nothing is lost."""

import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from needed import needs
from stend.record.loads import FioRun
from stend.storage import fio_process, fio_run
from stend.storage.fio.course import course
from stend.storage.fio.documents import scan
from stend.storage.fio_run import STATUS, Moment, drive
from storage.fio_jobs import (
    asked,
    driven_until,
    driver,
    ends,
    family,
    fio,
    first_figures,
    job,
    last_word,
    lives,
    wait_for,
    watchdog,
)
from storage.loop_devices import backing, loop_device


def done(run: FioRun) -> int:
    """Operations, which are those of the course as well."""
    for flow in run.flows:
        assert sum(flow.counts) == sum(flow.histogram.counts) > 0
    return sum(flow.operations for flow in run.flows)


def stored(folder: Path) -> int:
    """Operations that the status file of a run tells."""
    found = course(scan((folder / STATUS).read_bytes()).documents)
    return sum(flow.operations for flow in found.flows)


def test_fios_parent_killed_leaves_no_worker_and_its_last_status(tmp_path):
    seen: list[psutil.Process] = []

    def kill() -> None:
        seen.extend(family())
        fio().kill()

    run = driven_until(tmp_path, kill).run
    assert len(seen) == 4  # the watchdog, fio, two workers
    assert ends(seen)
    assert run.state == "partial"
    assert any("2 of its workers behind" in reason for reason in run.reasons)
    assert any("Signal 9" in reason for reason in run.reasons)
    assert done(run) > 0


def test_a_killed_worker_is_a_failed_run(tmp_path):
    seen: list[psutil.Process] = []

    def kill() -> None:
        seen.extend(family())
        fio().children()[0].kill()

    driven = driven_until(tmp_path, kill)
    assert driven.run.state == "failed"
    assert any("worker of fio was killed by signal 9" in said for said in driven.run.reasons)
    assert {job["error"] for job in driven.document["jobs"]} == {0}
    assert ends(seen)


def test_a_worker_killed_while_fio_waits_for_it_ends_the_run(tmp_path, monkeypatch):
    """fio's status asks each worker in turn; of a dead one it would await the answer for ever."""
    monkeypatch.setattr(fio_run, "_SILENCE", 1.5)
    seen: list[psutil.Process] = []

    def stop_then_kill(moment: Moment) -> None:
        if moment.ways and not seen:
            seen.extend(family())
            seen[-1].suspend()
        elif seen and not moment.ways and lives(seen[-1]):
            seen[-1].kill()

    run = drive(job(), tmp_path, asked(), stop_then_kill).run
    assert run.state == "failed"
    assert "one of its workers had been killed" in run.reasons[0]
    assert done(run) > 0
    assert ends(seen)


def test_the_watchdog_killed_ends_fio_and_its_results_are_kept(tmp_path):
    seen: list[psutil.Process] = []

    def kill() -> None:
        seen.extend(family())
        watchdog().kill()

    run = driven_until(tmp_path, kill).run
    assert run.state == "partial"
    assert any("watchdog" in reason for reason in run.reasons)
    assert any("Signal 15" in reason for reason in run.reasons)
    assert done(run) > 0
    assert ends(seen)


def test_a_watchdog_that_does_not_hear_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(fio_process, "_HEARING", 0.5)
    seen: list[psutil.Process] = []

    def suspend() -> None:
        monkeypatch.setattr(fio_run, "_PATIENCE", -asked().seconds)  # it is late now
        seen.extend(family())
        watchdog().suspend()

    run = driven_until(tmp_path, suspend).run
    assert run.state == "failed"
    assert any("watchdog" in reason for reason in run.reasons)
    assert ends(seen)


def test_a_fio_that_heeds_no_signal_is_killed_when_the_watchdog_was(tmp_path, monkeypatch):
    monkeypatch.setattr(fio_process, "_HEEDING", 0.5)
    seen: list[psutil.Process] = []

    def kill() -> None:
        seen.extend(family())
        seen[-1].suspend()  # fio awaits it
        watchdog().kill()

    run = driven_until(tmp_path, kill).run
    assert run.state == "partial"
    assert done(run) > 0
    assert ends(seen)


def test_a_signal_to_stend_stops_fio_and_partial_results_are_kept(tmp_path):
    runs = {}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        (folder := tmp_path / number.name).mkdir()
        runs[number] = driver(folder, job())
    for number, process in runs.items():
        first_figures(process)
        seen = family(process.pid)
        process.send_signal(number)
        last = last_word(process)
        assert last["state"] == "interrupted"
        assert last["operations"] > 0
        assert ends(seen)


def test_stend_killed_leaves_no_worker_and_a_status_that_can_be_read(tmp_path):
    process = driver(tmp_path, job())
    first_figures(process)
    seen = family(process.pid)
    process.kill()
    assert ends(seen)
    wait_for(process)
    assert stored(tmp_path) > 0


def test_stend_and_fios_parent_killed_together_leave_no_worker(tmp_path):
    process = driver(tmp_path, job())
    first_figures(process)
    seen = family(process.pid)
    parent = fio(process.pid)
    process.kill()
    parent.kill()
    assert ends(seen)
    wait_for(process)
    assert stored(tmp_path) > 0


def test_a_full_disk_is_a_failed_run_that_says_so(tmp_path):
    if subprocess.run([needs("unshare", "util-linux"), "-m", "true"]).returncode:
        pytest.skip("a small disk can only be mounted by root, in a namespace of its own")
    needs("mkfs.ext4", "e2fsprogs")
    image = backing(tmp_path / "image")
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)
    (small := tmp_path / "small").mkdir()
    (folder := tmp_path / "folder").mkdir()
    mounting = 'mount -o loop "$0" "$1" && shift && exec "$@"'
    before = ("unshare", "-m", "sh", "-c", mounting, str(image), str(small))
    text = job(5.0, "64m", rw="write", bs="64k", fallocate="none", filename=str(small / "data"))
    last = last_word(driver(folder, text, before))
    assert last["state"] == "failed"
    assert any("No space left on device" in reason for reason in last["reasons"])


def test_a_device_that_shrinks_under_load_is_a_failed_run_that_says_so(tmp_path):
    image = backing(tmp_path / "image", 64 << 20)
    with loop_device(image) as device:

        def shrink() -> None:
            with image.open("r+b") as file:
                file.truncate(1 << 20)
            subprocess.run(["losetup", "-c", device], check=True)

        text = job(30, "64m", rw="randread", direct="1", filename=device, allow_file_create="0")
        run = driven_until(tmp_path, shrink, text).run
    assert run.state == "failed"
    assert any("error" in reason for reason in run.reasons)
    assert done(run) > 0
