"""`stend gost decrypt`: what `stend gost encrypt` wrote, checked and decrypted."""

from stend.cli.gost.ends import (
    STANDARD,
    Force,
    Input,
    Output,
    Threads,
    is_stream,
    opened,
    progress,
    written,
)
from stend.cli.gost.key import KeyEnv, KeyFile, read_key, refuse_over_key
from stend.errors import BadValue
from stend.printable import printable


def verb(
    file: Input = STANDARD,
    output: Output = None,
    key_file: KeyFile = None,
    key_env: KeyEnv = None,
    threads: Threads = 0,
    force: Force = False,
) -> None:
    """Decrypt what `stend gost encrypt` wrote; nothing that is not authentic is given out.

    The output is FILE without its .gost unless -o names another one; of a pipe it is the standard
    output. A file appears when all of it was checked. On a pipe each chunk is given out when it
    and all before it were checked: if the end is missing, exit code 4 tells, after the beginning
    was given out.

    Examples: `stend gost decrypt letter.txt.gost --key-file my.key`,
    `stend gost decrypt --key-file my.key < folder.tar.gost | tar x`.
    """
    from stend.gost.errors import DamagedFile
    from stend.gost.file import decrypt

    to = output if output is not None else _without_suffix(file)
    key = read_key(key_file, key_env)
    refuse_over_key(to, key_file)
    with opened(file) as source:
        source.refuse_as_output(to)
        try:
            with written(to, force=force) as sink, progress("decrypting", source.size) as told:
                decrypt(source, sink, key, threads=threads, told=told)
        except DamagedFile as error:
            became = (
                "What was given out before is the true beginning of the message"
                if is_stream(to)
                else "No output was written"
            )
            raise DamagedFile(f"{error} {became}.") from None


def _without_suffix(file: str) -> str:
    if file == STANDARD:
        return STANDARD
    without = file.removesuffix(".gost")
    if without in ("", file) or without.endswith("/"):
        raise BadValue(f"{printable(file)} is no NAME.gost; name the output with -o.")
    return without
