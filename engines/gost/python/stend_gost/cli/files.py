"""`stend-gost encrypt` and `stend-gost decrypt`: a file, pipe or device in, another one out.

A file appears when it is whole; progress is shown on a terminal.
"""

import errno
import os
import secrets
import stat
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from stend_gost.cli.input import STANDARD, is_same_file, opened_input, read_key
from stend_gost.errors import DamagedFile, OutputError, UsageError, printable


def encrypt_file(options: Namespace) -> int:
    """Encrypt a file or a pipe; return the exit code."""
    from stend_gost.file import CIPHERS, encrypt

    to = options.output
    if to is None:
        to = STANDARD if options.file == STANDARD else f"{options.file}.gost"
    key = read_key(options.key_file, options.key_env, options.program)
    refuse_over_key(to, options.key_file)
    refuse_terminal(to)
    with opened_input(options.file) as source:
        source.refuse_as_output(to)
        largest = CIPHERS[options.cipher].largest_message
        if source.size is not None and source.size > largest:
            raise UsageError(
                f"The file has {source.size:,} bytes; {options.cipher} encrypts up to "
                f"{largest:,} with one key. Use kuznyechik, or encrypt it in parts."
            )
        with (
            opened_output(to, force=options.force) as sink,
            progress("encrypting", source.size) as told,
        ):
            encrypt(source, sink, key, cipher=options.cipher, threads=options.threads, told=told)
    return 0


def decrypt_file(options: Namespace) -> int:
    """Decrypt what `encrypt` wrote; return the exit code."""
    from stend_gost.file import decrypt

    to = options.output if options.output is not None else _without_suffix(options.file)
    key = read_key(options.key_file, options.key_env, options.program)
    refuse_over_key(to, options.key_file)
    with opened_input(options.file) as source:
        source.refuse_as_output(to)
        try:
            with (
                opened_output(to, force=options.force) as sink,
                progress("decrypting", source.size) as told,
            ):
                decrypt(source, sink, key, threads=options.threads, told=told)
        except DamagedFile as error:
            became = (
                "Everything released before is authentic"
                if is_stream(to)
                else "No output was written"
            )
            raise DamagedFile(f"{error} {became}.") from None
    return 0


def _without_suffix(file: str) -> str:
    if file == STANDARD:
        return STANDARD
    without = file.removesuffix(".gost")
    if without in ("", file) or without.endswith("/"):
        raise UsageError(f"{printable(file)} does not end in .gost; name the output with -o.")
    return without


INTERVAL = 0.1
"""Seconds between two lines."""
WIDTH = 24
"""Characters of the bar."""


@contextmanager
def progress(verb: str, size: int | None) -> Iterator[Callable[[int], None] | None]:
    """Show on a terminal how many of `size` bytes are done; gives what is to be told of it.

    None where standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    begun = time.monotonic()
    shown = -1.0

    def show(done: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= INTERVAL:
            shown = now
            _print(_line(verb, done, size, now - begun))

    try:
        show(0)
        yield show
    finally:
        _print("")


def _print(line: str) -> None:
    sys.stderr.write(f"\r\x1b[K{line}")
    sys.stderr.flush()


def _line(verb: str, done: int, size: int | None, seconds: float) -> str:
    rate = f"{done / max(seconds, 1e-3) / 1e6:,.0f} MB/s"
    if not size:
        return f"{verb} {done / 1e6:,.1f} MB  {rate}"
    filled = min(WIDTH, WIDTH * done // size)
    bar = "#" * filled + "-" * (WIDTH - filled)
    return f"{verb} [{bar}] {done / 1e6:,.1f} of {size / 1e6:,.1f} MB  {rate}"


class Output:
    """A file or stream that is written in pieces; what the system refuses is an OutputError."""

    def __init__(self, file: FileIO, name: str) -> None:
        self._file, self._name = file, name

    def write(self, data: bytes | memoryview, /) -> int:
        """Write all of it."""
        left = memoryview(data)
        with _refusals(self._name):
            while left:
                count: int | None = self._file.write(left)
                if count is None:
                    raise BlockingIOError(errno.EAGAIN, "it is non-blocking")
                left = left[count:]
        return len(data)


@contextmanager
def opened_output(path: str, *, force: bool) -> Iterator[Output]:
    """Open an output; a file has its name only when the block ended well.

    A pipe or a device gets the pieces as they come. A link stays, and its target is replaced.

    Raises:
        UsageError: there is such a file, and `force` is not given.
        OutputError: it can't be written; an earlier file is as it was.
    """
    if path == STANDARD:
        sys.stdout.flush()
        with FileIO(1, "w", closefd=False) as file:
            yield Output(file, "the standard output")
    elif is_stream(path):
        with _refusals(path):
            file = FileIO(path, "w")
        with file:
            yield Output(file, path)
    else:
        yield from _whole_file(path, force)


def is_stream(path: str) -> bool:
    """Whether what is written there is read as it comes: standard output, a pipe, a device."""
    return path == STANDARD or (Path(path).exists() and not Path(path).is_file())


def refuse_terminal(path: str) -> None:
    """Refuse to write ciphertext to a terminal."""
    if path == STANDARD and os.isatty(1):
        raise UsageError("Refusing to write ciphertext to a terminal; use -o FILE or a pipe.")


def refuse_over_key(output: str, key_file: str | None) -> None:
    """Refuse to write over the key, by whatever name: nothing could be decrypted then."""
    if key_file is not None and is_same_file(output, Path(key_file).stat()):
        name = "The standard output" if output == STANDARD else printable(output)
        raise UsageError(f"{name} is the key file and would be overwritten; name another output.")


def _whole_file(path: str, force: bool) -> Iterator[Output]:
    with _refusals(path):
        target = Path(path).resolve()
        _refuse_existing(target, force)
        part = target.with_name(f".stend-{secrets.token_hex(8)}.part")
        number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        if target.exists():  # who may read it stays as it was
            os.fchmod(number, stat.S_IMODE(target.stat().st_mode))
    try:
        with FileIO(number, "w") as file:
            yield Output(file, path)
            with _refusals(path):
                _refuse_existing(target, force)
                os.fsync(number)
                part.replace(target)
                _sync_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _refuse_existing(path: Path, force: bool) -> None:
    if not force and path.exists():
        raise UsageError(f"{printable(str(path))} exists; give --force to replace it.")


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # the file is there; some folders can't be opened or synchronised
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _refusals(path: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the path, links in a circle
        name = printable(path)
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise OutputError(
                f"No space is left for {name}; free some space, or give another name."
            ) from error
        reason = error.strerror if isinstance(error, OSError) else error
        raise OutputError(f"{name} can't be written: {reason}; give another name.") from error
