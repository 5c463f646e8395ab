"""`stend gost mac`: OMAC of files, a line each, and the check of such lines."""

import re
import sys
from collections.abc import Iterator
from os import fsdecode, fsencode, sched_getaffinity
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.gost.cipher import CipherName
from stend.cli.gost.ends import STANDARD, opened
from stend.cli.gost.key import KeyEnv, KeyFile, read_key
from stend.errors import BadValue
from stend.printable import printable

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from stend.gost.algorithms import Kuznyechik, Magma

PIECE = 1 << 20
TAG_BYTES = {CipherName.KUZNYECHIK: 16, CipherName.MAGMA: 8}
LONGEST_LINE = 1 << 16
"""Bytes; a path has 4,096 at most."""


def verb(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Files; -: standard input.")
    ] = None,
    key_file: KeyFile = None,
    key_env: KeyEnv = None,
    cipher: Annotated[
        CipherName, typer.Option("--cipher", help="Whose OMAC; --check tells it by the tag.")
    ] = CipherName.KUZNYECHIK,
    check: Annotated[
        str | None,
        typer.Option("--check", metavar="FILE", help="Check the lines of this file; -: stdin."),
    ] = None,
) -> None:
    """Print a line with OMAC (GOST R 34.13-2015, 5.6) and name of each file, or check such lines.

    A file that can't be read, or with --check differs, is told, the others are done nonetheless,
    and the exit code is 1. Several are worked on at a time; one alone is sequential by its nature.

    Examples: `stend gost mac --key-file my.key *.txt > sums`,
    `stend gost mac --key-file my.key --check sums`.
    """
    key = read_key(key_file, key_env)
    if check is not None:
        if files:
            raise BadValue("--check takes the files' names from its lines; name no others.")
        done = _check(check, key)
    else:
        done = _print(files or [STANDARD], cipher, key)
    raise typer.Exit(0 if done else 1)


def _print(files: list[str], cipher: CipherName, key: bytes) -> bool:
    """Print the line of each file, or say why there is none; True when all have one."""
    from stend.gost.errors import UnreadableFile

    algorithm = _algorithm(cipher, key)

    def line(path: str) -> bytes | UnreadableFile:
        try:
            return _line(_tag(path, algorithm), fsencode(path))
        except UnreadableFile as error:
            return error

    all_read = True
    with _pool() as pool:
        for made in pool.map(line, files):
            if isinstance(made, UnreadableFile):
                print(f"stend: {made}", file=sys.stderr)
                all_read = False
                continue
            sys.stdout.buffer.write(made)
            sys.stdout.buffer.flush()
    return all_read


def _check(sums: str, key: bytes) -> bool:
    """Say of each line whether its file has this tag; True when all have."""
    from stend.gost.errors import InvalidTag, UnreadableFile

    algorithms = {size: _algorithm(cipher, key) for cipher, size in TAG_BYTES.items()}

    def checked(line: tuple[bytes, str]) -> tuple[bool, str]:
        tag, path = line
        try:
            _verify(path, algorithms[len(tag)], tag)
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


def _pool() -> "ThreadPoolExecutor":
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(len(sched_getaffinity(0)))


def _algorithm(cipher: CipherName, key: bytes) -> "Kuznyechik | Magma":
    from stend.gost import Kuznyechik, Magma

    return Kuznyechik(key) if cipher == CipherName.KUZNYECHIK else Magma(key)


def _tag(path: str, algorithm: "Kuznyechik | Magma") -> bytes:
    from stend.gost import OMAC

    mac = OMAC(algorithm)
    for piece in _pieces(path):
        mac.update(piece)
    return mac.finalize()


def _verify(path: str, algorithm: "Kuznyechik | Magma", tag: bytes) -> None:
    from stend.gost import OMAC

    mac = OMAC(algorithm)
    for piece in _pieces(path):
        mac.update(piece)
    mac.verify(tag)


def _pieces(path: str) -> Iterator[memoryview]:
    buffer = memoryview(bytearray(PIECE))
    with opened(path) as source:
        while count := source.readinto(buffer):
            yield buffer[:count]


def _line(tag: bytes, name: bytes) -> bytes:
    r"""`HEX  NAME`; as sha256sum does, a name with a line break is escaped, after a `\`."""
    escaped = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    mark = b"" if escaped == name else b"\\"
    return b"%b%b  %b\n" % (mark, tag.hex().encode(), escaped)


def _lines(sums: str) -> Iterator[tuple[bytes, str]]:
    """Give tag and file of each line."""
    from stend.gost.errors import UnreadableFile

    name = "the standard input" if sums == STANDARD else printable(sums)
    number = 0
    for number, line in enumerate(_split(sums), 1):
        found = re.fullmatch(rb"(\\?)([0-9a-fA-F]{32}|[0-9a-fA-F]{16})  (.+)", line, re.DOTALL)
        if not found or len(line) > LONGEST_LINE or b"\0" in line:
            raise UnreadableFile(
                f"Line {number} of {name} is none of `stend gost mac`: a tag of 32 or 16 hex "
                "digits, two spaces, a file's name."
            )
        path = re.sub(rb"\\(.)", _unescaped, found[3]) if found[1] else found[3]
        yield bytes.fromhex(found[2].decode()), fsdecode(path)
    if number == 0:
        raise UnreadableFile(f"There is no line of `stend gost mac` to check in {name}.")


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
