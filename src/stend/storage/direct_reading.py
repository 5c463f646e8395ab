"""Single blocks read past the page cache: a path in; whether that works, and what is zeros, out."""

import mmap
import os
import random

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
