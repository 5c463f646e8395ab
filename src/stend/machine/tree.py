"""The only reader of /proc and /sys: a typed value, or the reason why there is none.

The root can be a recorded tree of another machine. A tree keeps what it has read, so that
one inspection sees each file once; `again()` gives a tree that reads anew.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LIMIT = 16 << 20
"""Bytes read of one file; /proc/cpuinfo of 4096 hardware threads is about 6 MB."""

CHUNK = 64 << 10
"""Bytes read at a time."""

MOST_CPUS = 65536
"""Linux allows 8192; a longer list is garbage."""

_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?", re.ASCII)


class Unreadable(Exception):
    """A fact could not be read; the message says why. It never leaves this room."""


class Tree:
    """Files of one machine under `root`.

    `architecture` (as `uname -m` says it) and `page_bytes` are what no file tells: on the
    machine itself they come from system calls, for a recorded tree from its recorder.
    """

    def __init__(
        self,
        root: Path = Path("/"),
        architecture: str | None = None,
        page_bytes: int | None = None,
    ) -> None:
        self.root = root
        self.live = root == Path("/")
        self.architecture = os.uname().machine if self.live else architecture
        self.page_bytes = os.sysconf("SC_PAGE_SIZE") if self.live else page_bytes
        self._read: dict[str, str | Unreadable] = {}

    def again(self) -> "Tree":
        """The same machine, read anew."""
        return Tree(self.root, self.architecture, self.page_bytes)

    def path(self, path: str) -> Path:
        """Where the machine's absolute `path` lies."""
        return self.root / path.lstrip("/")

    def has(self, path: str) -> bool:
        """Whether there is such a file or folder (False, too, where it may not be seen)."""
        try:
            return self.path(path).exists()
        except (OSError, ValueError):
            return False

    def text(self, path: str) -> str:
        """The file's content; Unreadable if it is missing, forbidden or empty."""
        if path not in self._read:
            self._read[path] = self._load(path)
        found = self._read[path]
        if isinstance(found, Unreadable):
            raise found
        return found

    def binary(self, path: str) -> bytes:
        """The file's bytes, for a table that is no text; Unreadable as `text`."""
        content = _opened(self.path(path), path)
        if not content:
            raise Unreadable(f"{path} is empty")
        return content

    def line(self, path: str) -> str:
        """The file's first line without control characters; Unreadable if it is blank."""
        lines = self.text(path).strip("\0 \t\n").splitlines()
        line = printable(lines[0]) if lines else ""
        if not line:
            raise Unreadable(f"{path} is blank")
        return line

    def integer(self, path: str) -> int:
        """The whole number in the file."""
        return integer(self.line(path), path)

    def cpus(self, path: str) -> tuple[int, ...]:
        """The list in the file, such as `0-3,8`, in ascending order."""
        return cpu_list(self.line(path), path)

    def cpus_of(self, path: str) -> tuple[int, ...]:
        """The CPUs in the file `path` + `list`, or in its mask `path` + `map` (old kernels)."""
        for suffix, read in (("list", cpu_list), ("map", cpu_mask)):
            if self.has(path + suffix):
                return read(self.line(path + suffix), path + suffix)
        raise Unreadable(f"there is no {path}list")

    def names(self, path: str) -> list[str]:
        """What the folder holds, sorted."""
        try:
            with os.scandir(self.path(path)) as entries:
                return sorted(entry.name for entry in entries)
        except OSError as error:
            raise _refused(path, error) from None

    def pairs(self, path: str) -> dict[str, str]:
        """The lines `name: value` or `name value` of the file; the last of a name counts."""
        found = {}
        for line in self.text(path).splitlines():
            name, _, value = line.strip().replace(":", " ", 1).partition(" ")
            found[name] = printable(value)
        return found

    def _load(self, path: str) -> "str | Unreadable":
        try:
            text = _opened(self.path(path), path).decode(errors="replace")
        except Unreadable as why:
            return why
        return text if text.strip("\0 \t\n") else Unreadable(f"{path} is empty")


def known(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """What `read` returns, None where that is unreadable."""
    try:
        return read(*args, **kwargs)
    except Unreadable:
        return None


def integer(text: str, where: str) -> int:
    """A whole number that fits 63 bits; Unreadable says `where` it stood if it is none."""
    if not re.fullmatch(r"-?\d{1,19}", text, re.ASCII) or abs(int(text)) >= 2**63:
        raise Unreadable(f"{where} holds {shortened(text)}, not a whole number")
    return int(text)


def cpu_list(text: str, where: str) -> tuple[int, ...]:
    """Numbers of a list such as `0-3,8`; Unreadable if it is none."""
    found: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        if not match:
            raise Unreadable(f"{where} holds {shortened(text)}, not a list of CPUs")
        first, last = int(match[1]), int(match[2] or match[1])
        if last >= MOST_CPUS:
            raise Unreadable(f"{where} names CPU {last}, more than any Linux has")
        found.update(range(first, last + 1))
    if not found:
        raise Unreadable(f"{where} holds {shortened(text)}, an empty list of CPUs")
    return tuple(sorted(found))


def cpu_mask(text: str, where: str) -> tuple[int, ...]:
    """Numbers of the bits set in a mask such as `00000001,000000ff`; Unreadable if it is none.

    The words have 32 bits, the highest first; hwloc writes `0x` before each and leaves out
    those of 0.
    """
    if len(text) > MOST_CPUS // 2 or not re.fullmatch(r"[0-9a-fA-Fx,]*[0-9a-fA-F]", text):
        raise Unreadable(f"{where} holds {shortened(text)}, not a mask of CPUs")
    cpus: list[int] = []
    for position, word in enumerate(reversed(text.split(","))):
        bits = _word(word, where)
        cpus += [32 * position + bit for bit in range(32) if bits >> bit & 1]
    return tuple(cpus)


def _word(text: str, where: str) -> int:
    digits = text.removeprefix("0x") or "0"
    if len(digits) > 8 or "x" in digits:
        raise Unreadable(f"{where} holds {shortened(text)}, not a mask of CPUs")
    return int(digits, 16)


def printable(text: str) -> str:
    """The text on one line, without control characters and repeated spaces."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def shortened(text: str) -> str:
    """The text in quotes, cut so that it fits a sentence."""
    text = printable(text)
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _opened(place: Path, path: str) -> bytes:
    """The content of the file at `place`, which the machine calls `path`."""
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to must not hang.
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return _content(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _refused(path, error) from None


def _content(descriptor: int) -> bytes:
    """In small pieces: the kernel refuses a read of megabytes from /proc/sys with ENOMEM."""
    parts: list[bytes] = []
    while sum(map(len, parts)) < LIMIT and (part := os.read(descriptor, CHUNK)):
        parts.append(part)
    return b"".join(parts)


def _refused(path: str, error: OSError) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        return Unreadable(f"there is no {path}")
    if isinstance(error, PermissionError):
        return Unreadable(f"{path} may not be read by this user")
    return Unreadable(f"{path} can't be read: {error.strerror or error}")
