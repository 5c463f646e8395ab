"""The command `stend-gost`: the ciphers on files and pipes.

Exit codes: 0 done; 1 `mac` can't read a file, or `mac --check` found a difference; 2 wrong usage; 4
a file can't be read, written or decrypted; 130 interrupted by Ctrl-C; 141 broken pipe.
"""

import os
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress

from stend_gost.errors import GostError, printable

ABOUT = """\
The GOST ciphers Kuznyechik and Magma on files and pipes.

A key is 32 bytes, in a file or an environment variable, never on the command
line: `(umask 077; head -c 32 /dev/urandom > my.key)` makes one."""
ENCRYPT = """\
Encrypt a file or a pipe; decryption detects any change.

The output is FILE.gost unless -o names another one; for a pipe it is standard
output. A file appears when it is complete. docs/gost-file.md describes the format."""
DECRYPT = """\
Decrypt what `{0} encrypt` wrote; only authentic data is output.

The output is FILE without its .gost unless -o names another one; for a pipe it
is standard output. A file appears when all of it is checked. On a pipe, each chunk
is released when it and all before it are checked: if the end is missing, exit code
4 reports this after the beginning was released."""
MAC = """\
Print each file's OMAC (GOST R 34.13-2015, 5.6) and name, or check such lines.

A file that can't be read, or that differs from its line, is reported, the
others are processed, and the exit code is 1. Several files are read at a time."""
EXAMPLES = {
    "encrypt": """\
examples:
  {0} encrypt letter.txt --key-file my.key
  tar c folder | {0} encrypt --key-file my.key -o folder.tar.gost""",
    "decrypt": """\
examples:
  {0} decrypt letter.txt.gost --key-file my.key
  {0} decrypt --key-file my.key < folder.tar.gost | tar x""",
    "mac": """\
examples:
  {0} mac --key-file my.key *.txt > sums
  {0} mac --key-file my.key --check sums""",
}
LARGEST = 1024
"""Threads."""


def main(arguments: Sequence[str] | None = None, program: str = "stend-gost") -> int:
    """Run a verb and return the exit code. An error is one sentence on standard error."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    name = program.split()[0]
    try:
        options = parser(program).parse_args(arguments, Namespace(program=name))
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _silence()
        return 128 + signal.SIGPIPE
    except GostError as error:
        return _refused(name, str(error), error.exit_code)
    except (OSError, MemoryError) as error:
        return _refused(name, f"The system refused: {error or 'no memory is left'}.", 1)
    return code


def _refused(program: str, sentence: str, code: int) -> int:
    with suppress(OSError):
        print(f"{program}: {printable(sentence)}", file=sys.stderr)
    return code


def _silence() -> None:
    """Python flushes standard output once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def parser(program: str) -> ArgumentParser:
    """Make the parser; the options it gives have the verb's function as `run`."""
    from stend_gost import __version__
    from stend_gost.cli import completion
    from stend_gost.cli.files import decrypt_file, encrypt_file
    from stend_gost.cli.mac import mac_files

    whole = ArgumentParser(
        prog=program, description=ABOUT, formatter_class=RawDescriptionHelpFormatter
    )
    whole.add_argument("--version", action="version", version=f"stend-gost {__version__}")
    completion.add_option(whole)
    verbs = whole.add_subparsers(metavar="VERB", required=True)

    def add(name: str, about: str) -> ArgumentParser:
        about = about.format(program)
        return verbs.add_parser(
            name,
            help=about.partition("\n\n")[0].replace("\n", " "),
            description=about,
            epilog=EXAMPLES[name].format(program),
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    encrypt = add("encrypt", ENCRYPT)
    _add_file(encrypt)
    _add_key(encrypt)
    _add_cipher(encrypt, "use magma only if you must; it encrypts up to 64 GiB")
    encrypt.set_defaults(run=encrypt_file)
    decrypt = add("decrypt", DECRYPT)
    _add_file(decrypt)
    _add_key(decrypt)
    decrypt.set_defaults(run=decrypt_file)
    mac = add("mac", MAC)
    mac.add_argument("files", metavar="FILE", nargs="*", help="files; -: standard input")
    _add_key(mac)
    _add_cipher(mac, "cipher of the OMAC; --check infers it from the tag")
    mac.add_argument("--check", metavar="FILE", help="check the lines of this file; -: stdin")
    mac.set_defaults(run=mac_files)
    return whole


def _add_file(verb: ArgumentParser) -> None:
    verb.add_argument("file", metavar="FILE", nargs="?", default="-", help="input; -: stdin")
    verb.add_argument("-o", "--output", type=_name, metavar="FILE", help="output; -: stdout")
    verb.add_argument(
        "--threads", type=_threads, default=0, metavar="N", help="threads; 0, the default: all CPUs"
    )
    verb.add_argument("--force", action="store_true", help="replace an existing output file")


def _add_key(verb: ArgumentParser) -> None:
    verb.add_argument("--key-file", metavar="FILE", help="the key: 32 bytes, or 64 hex digits")
    verb.add_argument(
        "--key-env", metavar="NAME", help="environment variable with the key in hex digits"
    )


def _add_cipher(verb: ArgumentParser, about: str) -> None:
    verb.add_argument(
        "--cipher",
        choices=("kuznyechik", "magma"),
        default="kuznyechik",
        help=f"{about}; default: kuznyechik",
    )


def _name(text: str) -> str:
    if text:
        return text
    raise ArgumentTypeError("the name is empty")


def _threads(text: str) -> int:
    if text.isdecimal() and int(text) <= LARGEST:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a number from 0 to {LARGEST}")
