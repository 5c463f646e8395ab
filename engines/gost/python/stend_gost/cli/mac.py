"""`stend-gost mac`: OMAC of files, a line each, and the check of such lines."""

import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from os import fsdecode, fsencode, sched_getaffinity
from threading import Event

from stend_gost import OMAC, Kuznyechik, Magma
from stend_gost.cli.input import STANDARD, opened_input, read_key
from stend_gost.errors import InvalidTag, UnreadableFile, UsageError, printable

PIECE = 1 << 20
"""Bytes that are read at a time."""
CIPHERS: dict[str, type[Kuznyechik] | type[Magma]] = {"kuznyechik": Kuznyechik, "magma": Magma}
LONGEST_LINE = 1 << 16
"""Bytes; a path has 4,096 at most."""


def mac_files(options: Namespace) -> int:
    """Print a line for each file, or check such lines; give the exit code."""
    key = read_key(options.key_file, options.key_env, options.program)
    if options.check is None:
        files = options.files or [STANDARD]
        return 0 if _print(files, CIPHERS[options.cipher](key), options.program) else 1
    if options.files:
        raise UsageError("--check reads the files' names from its lines; name no other files.")
    return 0 if _check(options.check, key) else 1


def _print(files: list[str], algorithm: Kuznyechik | Magma, program: str) -> bool:
    """Print the line of each file, or say why there is none; True when all have one."""

    def line(path: str) -> bytes | UnreadableFile:
        try:
            return _line(_mac(path, algorithm).finalize(), fsencode(path))
        except UnreadableFile as error:
            return error

    all_read = True
    with _pool() as pool:
        for made in pool.map(line, files):
            if isinstance(made, UnreadableFile):
                print(f"{program}: {made}", file=sys.stderr)
                all_read = False
                continue
            sys.stdout.buffer.write(made)
            sys.stdout.buffer.flush()
    return all_read


def _check(sums: str, key: bytes) -> bool:
    """Say of each line whether its file has this tag; True when all have."""
    algorithms: dict[int, Kuznyechik | Magma] = {16: Kuznyechik(key), 8: Magma(key)}

    def checked(line: tuple[bytes, str]) -> tuple[bool, str]:
        tag, path = line
        try:
            _mac(path, algorithms[len(tag)]).verify(tag)
        except (InvalidTag, UnreadableFile) as error:
            why = "" if isinstance(error, InvalidTag) else f" ({error})"
            return False, f"{printable(path)}: FAILED{why}"
        return True, f"{printable(path)}: OK"

    right = True
    with _pool() as pool:
        for same, said in pool.map(checked, list(_lines(sums))):
            print(said)
            right &= same
    return right


_ended = Event()
"""Set by Ctrl-C, for threads that read: the interpreter waits for them at its end."""


@contextmanager
def _pool() -> Iterator[ThreadPoolExecutor]:
    _ended.clear()
    pool = ThreadPoolExecutor(len(sched_getaffinity(0)))
    try:
        yield pool
    except BaseException:
        _ended.set()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _mac(path: str, algorithm: Kuznyechik | Magma) -> OMAC:
    mac = OMAC(algorithm)
    for piece in _pieces(path):
        mac.update(piece)
    return mac


def _pieces(path: str) -> Iterator[memoryview]:
    buffer = memoryview(bytearray(PIECE))
    with opened_input(path) as source:
        while not _ended.is_set() and (count := source.readinto(buffer)):
            yield buffer[:count]


def _line(tag: bytes, name: bytes) -> bytes:
    r"""`HEX  NAME`; as sha256sum does, a name with a line break is escaped, after a `\`."""
    escaped = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    mark = b"" if escaped == name else b"\\"
    return b"%b%b  %b\n" % (mark, tag.hex().encode(), escaped)


def _lines(sums: str) -> Iterator[tuple[bytes, str]]:
    """Give tag and file of each line."""
    name = "the standard input" if sums == STANDARD else printable(sums)
    number = 0
    for number, line in enumerate(_split(sums), 1):
        found = re.fullmatch(rb"(\\?)([0-9a-fA-F]{32}|[0-9a-fA-F]{16})  (.+)", line, re.DOTALL)
        if not found or len(line) > LONGEST_LINE or b"\0" in line:
            raise UnreadableFile(
                f"Line {number} of {name} is not a line of `stend-gost mac`; expected a tag "
                "of 32 or 16 hex digits, two spaces, and a file's name."
            )
        path = re.sub(rb"\\(.)", _unescaped, found[3]) if found[1] else found[3]
        yield bytes.fromhex(found[2].decode()), fsdecode(path)
    if number == 0:
        raise UnreadableFile(f"There is no line of `stend-gost mac` to check in {name}.")


def _unescaped(found: re.Match[bytes]) -> bytes:
    return {b"n": b"\n", b"r": b"\r"}.get(found[1], found[1])


def _split(sums: str) -> Iterator[bytes]:
    rest = b""
    for piece in _pieces(sums):
        *whole, rest = (rest + bytes(piece)).split(b"\n")
        yield from whole
        if len(rest) > LONGEST_LINE:
            break  # refused as it is: /dev/zero has no end
    if rest:
        yield rest
