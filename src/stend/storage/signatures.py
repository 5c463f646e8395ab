"""What lies on a device or in a file: signatures (wipefs, blkid), and blocks of zeros.

Both have to succeed and the union counts: wipefs names all that it finds, blkid the one that is
in use. What lsblk prints is no source: without udev its FSTYPE is empty.
"""

import json
import mmap
import os
import random
import shutil
import subprocess

from stend.errors import BadValue, SetupError
from stend.processes.child import Child
from stend.processes.packages import install

SAMPLES = 64
BLOCK = 4096


def share_unwritten(path: str, bytes_: int, seed: int = 0) -> float | None:
    """The share of 64 random blocks of 4 KiB in the first `bytes_` that are all zeros.

    Zeros are most often what was never written, and a thin LUN or an SSD answers for it without
    reading anything. None where the target can't be read.
    """
    place = random.Random(seed)
    blocks = bytes_ // BLOCK
    zeros = 0
    try:
        descriptor = _direct(path)
        try:
            with mmap.mmap(-1, BLOCK) as page:
                for _ in range(SAMPLES):
                    if os.preadv(descriptor, [page], place.randrange(blocks) * BLOCK) != BLOCK:
                        return None
                    zeros += page[:] == bytes(BLOCK)
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return None
    return zeros / SAMPLES


def _direct(path: str) -> int:
    """Past the page cache where the filesystem can."""
    try:
        return os.open(path, os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
    except OSError:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def why_not_direct(path: str) -> str | None:
    """What forbids to read a block with O_DIRECT; None where it works."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
        try:
            with mmap.mmap(-1, BLOCK) as page:
                return None if os.preadv(descriptor, [page], 0) else "it is empty"
        finally:
            os.close(descriptor)
    except OSError as error:
        return error.strerror or str(error)


SECONDS = 60.0
"""A healthy device is probed in milliseconds; a dead path of a LUN may need a minute to fail."""
SBIN = "/usr/sbin:/sbin"
"""Not in an ordinary user's PATH; the tools are there."""
EDGE = 1 << 20
"""Bytes at each end that must be readable: nearly all signatures lie there."""
NOTHING, AMBIVALENT = 2, 8
"""Exit codes of `blkid -p`: nothing was recognised; several things were, and contradict."""


def signatures(path: str) -> frozenset[str]:
    """Names such as ext4, gpt, LVM2_member or swap; empty where nothing is known to lie there.

    BadValue where that can't be found out: then nothing may be written.
    """
    _read_edges(path)
    found = _by_wipefs(path)
    code, by_blkid = _by_blkid(path)
    if code == AMBIVALENT and not found:
        raise BadValue(
            f"blkid finds contradicting signatures on {path} and wipefs none: see `blkid -p "
            f"{path}`; what it holds is unknown, so nothing is written"
        )
    return found | by_blkid


def _by_wipefs(path: str) -> frozenset[str]:
    code, said, errors = _run("wipefs", "-n", "-J", path)
    try:
        # Older ones print nothing where they find nothing.
        found = json.loads(said or '{"signatures": []}')["signatures"]
        names = frozenset(str(one["type"]) for one in found)
    except (ValueError, KeyError, TypeError):
        code, names = code or 1, frozenset()
    if code or errors:
        raise _failed("wipefs -n -J", path, code, errors)
    return names


def _by_blkid(path: str) -> tuple[int, frozenset[str]]:
    code, said, errors = _run("blkid", "-p", "-o", "export", path)
    if code not in {0, NOTHING, AMBIVALENT} or (errors and code != AMBIVALENT):
        raise _failed("blkid -p -o export", path, code, errors)
    pairs = (line.partition("=")[::2] for line in said.splitlines())
    return code, frozenset(value for name, value in pairs if name in {"TYPE", "PTTYPE"})


def _run(tool: str, *words: str) -> tuple[int, str, str]:
    program = shutil.which(tool, path=f"{os.environ.get('PATH', '')}:{SBIN}")
    if program is None:
        raise SetupError(
            f"{tool} is not installed, and without it stend can't see what a device holds: "
            f"install it with `{install('util-linux')}`"
        )
    try:
        ended = Child([program, *words], environment={"LC_ALL": "C"}).result(SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadValue(f"{tool} gave no answer ({error}), so nothing is written") from None
    return ended.returncode, ended.stdout.strip(), ended.stderr.strip()


def _failed(command: str, path: str, code: int, errors: str) -> BadValue:
    why = f": {errors.splitlines()[-1]}" if errors else ""
    return BadValue(
        f"`{command} {path}` failed with exit code {code}{why}; what the target holds is "
        "unknown, so nothing is written"
    )


def _read_edges(path: str) -> None:
    """Blkid takes what it can't read for nothing there: read it first, past the page cache."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        end = os.lseek(descriptor, 0, os.SEEK_END)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        for offset in {0, max(0, end - EDGE)}:
            if len(os.pread(descriptor, EDGE, offset)) != min(EDGE, end - offset):
                raise OSError("it ends too early")
    except OSError as error:
        raise BadValue(
            f"{path} can't be read at its ends ({error.strerror or error}): what it holds is "
            "unknown, so nothing is written"
        ) from None
    finally:
        os.close(descriptor)
