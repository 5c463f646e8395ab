"""`stend gost encrypt`: a file or pipe, encrypted and authenticated."""

from typing import Annotated

import typer

from stend.cli.gost.cipher import CipherName
from stend.cli.gost.ends import (
    STANDARD,
    Force,
    Input,
    Output,
    Threads,
    opened,
    progress,
    refuse_terminal,
    written,
)
from stend.cli.gost.key import KeyEnv, KeyFile, read_key, refuse_over_key
from stend.errors import BadValue


def verb(
    file: Input = STANDARD,
    output: Output = None,
    key_file: KeyFile = None,
    key_env: KeyEnv = None,
    cipher: Annotated[
        CipherName, typer.Option("--cipher", help="Magma only where you must: up to 64 GiB.")
    ] = CipherName.KUZNYECHIK,
    threads: Threads = 0,
    force: Force = False,
) -> None:
    """Encrypt a file or a pipe, so that no change of it goes unnoticed.

    The output is FILE.gost unless -o names another one; of a pipe it is the standard output. It
    appears when it is whole. docs/gost-file.md describes the format.

    Examples: `stend gost encrypt letter.txt --key-file my.key`,
    `tar c folder | stend gost encrypt --key-file my.key -o folder.tar.gost`.
    """
    from stend.gost.file import CIPHERS, encrypt

    to = output if output is not None else STANDARD if file == STANDARD else f"{file}.gost"
    key = read_key(key_file, key_env)
    refuse_over_key(to, key_file)
    refuse_terminal(to)
    with opened(file) as source:
        source.refuse_as_output(to)
        largest = CIPHERS[cipher].largest_message
        if source.size is not None and source.size > largest:
            raise BadValue(
                f"The file has {source.size:,} bytes; {cipher} encrypts up to {largest:,} with one "
                "key. Take kuznyechik, or encrypt it in parts."
            )
        with written(to, force=force) as sink, progress("encrypting", source.size) as told:
            encrypt(source, sink, key, cipher=cipher, threads=threads, told=told)
