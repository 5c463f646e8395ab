"""Block devices of a test's own: a file in, a loop device out, detached at the end."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conftest import missing, needs

SIZE = 16 << 20
"""Bytes: the least that mkfs.xfs of old takes."""


def ran(*words: str, given: str = "") -> str:
    """What a program says; the test fails where the program does."""
    ended = subprocess.run(words, input=given, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, (words, ended.stderr)
    return ended.stdout.strip()


def backing(path: Path, size: int = SIZE) -> Path:
    """A file of zeros."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


@contextmanager
def loop_device(file: Path, *options: str) -> Iterator[str]:
    """The device's path."""
    needs("losetup", "mount")
    if os.geteuid() or not Path("/dev/loop-control").exists():
        missing("loop devices need root and /dev/loop-control")
    device = ran("losetup", "-f", "--show", *options, str(file))
    try:
        yield device
    finally:
        subprocess.run(["losetup", "-d", device], check=False)


@contextmanager
def partitioned(file: Path) -> Iterator[tuple[str, str]]:
    """A loop device with one partition: both paths.

    The table is entered by hand, for some kernels understand no partition table at all.
    """
    needs("sfdisk", "fdisk")
    needs("addpart", "util-linux")
    ran("sfdisk", "-q", str(file), given="label: gpt\nstart=2048, size=24576\n")
    with loop_device(file) as device:
        if not Path(f"{device}p1").exists():
            ran("addpart", device, "1", "2048", "24576")
        try:
            yield device, f"{device}p1"
        finally:
            subprocess.run(["delpart", device, "1"], check=False)


@contextmanager
def mounted(device: str, folder: Path) -> Iterator[None]:
    """The device's filesystem in the folder."""
    folder.mkdir(exist_ok=True)
    ran("mount", device, str(folder))
    try:
        yield
    finally:
        ran("umount", str(folder))


def checksum(file: Path) -> str:
    """Of all that the file holds, as the disk has it."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        return hashlib.file_digest(opened, "sha256").hexdigest()


def installed(*programs: str) -> bool:
    return all(shutil.which(program) for program in programs)
