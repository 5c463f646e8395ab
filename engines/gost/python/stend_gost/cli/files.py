"""`stend-gost encrypt` and `stend-gost decrypt`."""

from argparse import Namespace

from stend_gost.cli.input import STANDARD, opened_input, read_key
from stend_gost.cli.output import (
    is_stream,
    opened_output,
    progress,
    refuse_over_key,
    refuse_terminal,
)
from stend_gost.errors import DamagedFile, UsageError
from stend_gost.text import printable


def encrypt_file(options: Namespace) -> int:
    """Encrypt a file or a pipe; give the exit code."""
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
                f"{largest:,} with one key. Take kuznyechik, or encrypt it in parts."
            )
        with (
            opened_output(to, force=options.force) as sink,
            progress("encrypting", source.size) as told,
        ):
            encrypt(source, sink, key, cipher=options.cipher, threads=options.threads, told=told)
    return 0


def decrypt_file(options: Namespace) -> int:
    """Decrypt what `encrypt` wrote; give the exit code."""
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
