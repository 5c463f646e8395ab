"""Block devices of a test's own: a file in, a loop device out, detached at the end."""

import hashlib
import os
import struct
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from needed import missing, needs

SIZE = 16 << 20
"""Bytes."""
PARTITION = 2048, 24576
"""First sector and number of sectors."""


def ran(*words: str) -> str:
    """What a program says; the test fails where the program does."""
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
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

    The kernel is told of it by hand, for some understand no partition table at all.
    """
    needs("addpart", "util-linux")
    put(file, *gpt_tables(SIZE))
    with loop_device(file) as device:
        if not Path(f"{device}p1").exists():
            ran("addpart", device, "1", *map(str, PARTITION))
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


def put(file: Path, *pieces: tuple[int, bytes]) -> None:
    """Write each piece at its offset."""
    with file.open("r+b") as opened:
        for offset, content in pieces:
            opened.seek(offset)
            opened.write(content)


def dos_entry(kind: int, first: int, sectors: int) -> bytes:
    """One of the four of a master boot record."""
    return struct.pack("<B3sB3sII", 0, b"\0\2\0", kind, b"\xff\xff\xff", first, sectors)


def gpt_tables(size: int) -> Iterator[tuple[int, bytes]]:
    """A protective master boot record, and both tables with one partition (UEFI 2.10, 5.3)."""
    last = size // 512 - 1
    first, sectors = PARTITION
    kind = bytes.fromhex("af3dc60f838472478e793d69d8477de4")  # Linux data
    entry = kind + bytes(range(16)) + struct.pack("<QQQ", first, first + sectors - 1, 0)
    entries = entry.ljust(128 * 128, b"\0")
    yield 446, dos_entry(0xEE, 1, last)
    yield 510, b"\x55\xaa"
    for own, other, table in ((1, last, 2), (last, 1, last - 32)):
        lbas = struct.pack("<QQQQ", own, other, 34, last - 33)
        body = lbas + bytes(range(16)) + struct.pack("<QIII", table, 128, 128, zlib.crc32(entries))
        head = struct.pack("<8sII", b"EFI PART", 0x10000, 92)
        check = zlib.crc32(head + bytes(8) + body)
        yield own * 512, head + struct.pack("<II", check, 0) + body
        yield table * 512, entries
