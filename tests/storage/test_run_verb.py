"""`stend storage run` as a user meets it, with real fio: what it keeps, what it never touches."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from loop_devices import backing, loop_device

import in_process
from needed import needs
from patience import PATIENCE

STEND = [sys.executable, "-m", "stend"]
MINE = """
about = "Two workloads of a second."
file_size = "8MiB"
runtime = {runtime}
rounds = {rounds}
[defaults]
depth = 4
[[workload]]
name = "reads"
rw = "randread"
block = "4KiB"
[[workload]]
name = "writes"
rw = "write"
block = "64KiB"
"""


@pytest.fixture(autouse=True)
def fio():
    return needs("fio", "fio")


@pytest.fixture
def env(tmp_path):
    """Everything that stend writes lies in the test's own folder."""
    (tmp_path / "target").mkdir()
    profile(tmp_path)
    kept = {"STEND_STORE": str(tmp_path / "runs.db"), "XDG_DATA_HOME": str(tmp_path / "data")}
    return os.environ | kept | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "COLUMNS": "120"}


def profile(folder, runtime=1, rounds=1):
    (folder / "mine.toml").write_text(MINE.format(runtime=runtime, rounds=rounds))


def stend(env, *words, code=0):
    done = in_process.stend(*words, env=env, cwd=Path(env["STEND_STORE"]).parent)
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def exported(env, name="last"):
    file = Path(env["STEND_STORE"]).parent / f"{name}.json"
    stend(env, "export", name, "-o", str(file))
    return json.loads(file.read_text())["run"]


def nobody_of_fio(folder):
    """Wait until no process works in a folder below the given one."""
    deadline = time.monotonic() + PATIENCE
    while workers := [process for process in psutil.process_iter() if works_in(process, folder)]:
        assert time.monotonic() < deadline, workers
        time.sleep(0.05)


def works_in(process, folder):
    with suppress(psutil.Error):
        return Path(process.cwd()).is_relative_to(folder) and process.status() != "zombie"
    return False


def begun(env, *words):
    """Start a long load, and wait until fio has told of its measured run."""
    process = subprocess.Popen(
        [*STEND, "storage", "run", "mine.toml", *words],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=Path(env["STEND_STORE"]).parent,
    )  # fmt: skip
    status = Path(env["XDG_DATA_HOME"])
    deadline = time.monotonic() + PATIENCE
    while not any(file.stat().st_size for file in status.glob("**/*measure*/status.json")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def test_a_profile_is_run_on_a_file_of_its_own_kept_and_shown(env, tmp_path, fio):
    profile(tmp_path, rounds=2)
    shown = stend(env, "storage", "run", "mine.toml", "--target", "target")
    assert "random read 4 KiB" in shown.stdout
    assert not any((tmp_path / "target").iterdir())
    run = exported(env)
    assert [case["status"] for case in run["cases"]] == ["measured"] * 2
    reads = run["cases"][0]
    assert [len(sample["values"]) for sample in reads["samples"]] == [1, 1]
    phases = [[each["phase"] for each in s["load"]["runs"]] for s in reads["samples"]]
    assert phases == [["precondition", "measure"], ["measure"]]
    job = tmp_path / "again.fio"
    job.write_text(reads["detail"]["job file"])
    subprocess.run([fio, "--parse-only", str(job)], check=True, capture_output=True)


def test_nothing_is_destroyed_for_a_workload_that_the_target_is_too_small_for(env, tmp_path):
    data = tmp_path / "array.img"
    data.write_bytes(before := os.urandom(2 << 20))
    (tmp_path / "mine.toml").write_text(
        'about = "x"\nruntime = 1\nprecondition = 1\n'
        '[[workload]]\nname = "w"\nrw = "write"\nblock = "4k"\nsize = "1GiB"\n'
    )
    refused = stend(env, "storage", "run", "mine.toml", "--target", str(data),
                    "--destroy=2097152+array.img", code=2)  # fmt: skip
    assert "w needs 1GiB of each target" in refused.stderr
    assert data.read_bytes() == before


def test_what_exists_is_only_read_and_what_would_write_says_what_to_type(env, tmp_path):
    data = tmp_path / "precious.img"
    data.write_bytes(os.urandom(8 << 20))
    before = hashlib.sha256(data.read_bytes()).digest()
    stend(env, "storage", "run", "mine.toml", "--target", str(data))
    reads, writes = exported(env)["cases"]
    assert (reads["status"], writes["status"]) == ("measured", "skipped")
    assert "--destroy=8388608+precious.img" in writes["reason"]
    assert hashlib.sha256(data.read_bytes()).digest() == before
    refused = stend(env, "storage", "run", "mine.toml", "--target", str(data),
                    "--workload", "writes", code=2)  # fmt: skip
    assert "--destroy=8388608+precious.img" in refused.stderr
    stend(env, "storage", "run", "mine.toml", "--target", str(data), "--workload", "writes",
          "--destroy", "8388608+precious.img")  # fmt: skip
    assert hashlib.sha256(data.read_bytes()).digest() != before
    assert data.stat().st_size == 8 << 20


def test_a_device_is_written_when_it_is_named_by_what_it_is(env, tmp_path):
    with loop_device(backing(tmp_path / "disk.img")) as device:
        stend(env, "storage", "run", "mine.toml", "--target", device, "--destroy",
              f"{16 << 20}+disk.img")  # fmt: skip
    reads, writes = exported(env)["cases"]
    assert (reads["status"], writes["status"]) == ("measured", "measured")
    assert reads["parameters"]["target"] == "block device"
    assert reads["samples"][0]["cautions"] == ["unwritten"]


@pytest.mark.parametrize("target", ["/dev/typo", "/dev/zero", "/dev/shm", "/proc"])
def test_what_can_not_be_a_target_is_refused_and_nothing_is_stored(env, target):
    refused = stend(env, "storage", "run", "mine.toml", "--target", target, code=2)
    assert refused.stderr.startswith("stend: ")
    assert not Path("/dev/typo").exists()
    assert json.loads(stend(env, "runs", "--json").stdout) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--size", "16MiB"), "--size is for a temporary file, and no target is one"),
        (("--overwrite", "ext4"), "--overwrite=ext4 needs --destroy"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(env, words, said):
    refused = stend(env, "storage", "run", "mine.toml", "--target", "null", *words, code=2)
    assert said in refused.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_ends_stend_ends_fio_and_keeps_what_it_had_done(env, tmp_path, number):
    profile(tmp_path, runtime=120)
    process = begun(env, "--target", "target")
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    nobody_of_fio(tmp_path)
    assert not any((tmp_path / "target").iterdir())
    (case,) = exported(env)["cases"]
    assert case["status"] == "interrupted"
    (sample,) = case["samples"]
    assert sample["load"]["state"] == "interrupted"
    assert sample["values"][0] > 0


def test_a_killed_stend_leaves_no_worker_and_what_fio_had_told_can_be_taken_in(env, tmp_path):
    profile(tmp_path, runtime=120)
    process = begun(env, "--target", "target")
    process.kill()
    process.communicate(timeout=PATIENCE)
    nobody_of_fio(tmp_path)
    assert len(json.loads(stend(env, "runs", "--json").stdout)) == 1
    (status,) = Path(env["XDG_DATA_HOME"]).glob("**/*measure*/status.json")
    stend(env, "storage", "import", str(status))
    (sample,) = exported(env)["cases"][0]["samples"]
    assert sample["values"][0] > 0
    (path,) = [target["path"] for target in sample["load"]["targets"]]
    assert Path(path).parent == tmp_path / "target"
    profile(tmp_path)
    told = stend(env, "storage", "run", "mine.toml", "--target", "target").stderr
    assert str(status.parent.parent) in told
    assert not any((tmp_path / "target").iterdir())


def test_another_machine_is_watched_beside_this_one(env, tmp_path):
    shell = tmp_path / "shell"
    shell.write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')
    shell.chmod(0o755)
    profile(tmp_path, runtime=3)
    stend(env | {"STEND_REMOTE_SHELL": str(shell)}, "storage", "run", "mine.toml", "--target",
          "target", "--workload", "reads", "--watch", "array")  # fmt: skip
    (case,) = exported(env)["cases"]
    here, array = case["samples"][0]["load"]["beside"]
    assert (here["remote"], array["remote"], array["host"]) == (False, True, "array")
    assert array["uncertainty"] >= 0
    assert 0 <= case["samples"][0]["also"]["cpu share"][0] <= 1


def test_without_fio_it_says_how_to_install_it_and_a_benchmark_is_skipped(env, tmp_path):
    bare = env | {"PATH": str(tmp_path)}
    assert "apt-get install fio" in stend(bare, "storage", "run", code=6).stderr
    stend(bare, "run", "storage.randread")
    (case,) = exported(env)["cases"]
    assert case["status"] == "skipped"
    assert "apt-get install fio" in case["reason"]


def test_storage_is_a_benchmark_too_on_a_file_in_a_folder_of_its_own(env):
    stend(env, "run", "storage.randread", "--check")
    (case,) = exported(env)["cases"]
    assert case["status"] == "checked"
    assert case["further"]["p99 s"]["name"] == "p99 latency"
    cache = Path(env["XDG_CACHE_HOME"], "stend", "storage")
    assert cache.is_dir()
    assert not any(cache.iterdir())
