"""The command `stend-gost`: the ciphers on files and pipes.

Exit codes: 0 done; 1 `mac` can't read a file, or `mac --check` found a difference; 2 wrong usage;
4 a file can't be read, written or decrypted; 130 ended by Ctrl-C; 141 nobody read on.
"""

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress

from stend_gost.cli.options import parser
from stend_gost.errors import GostError
from stend_gost.text import printable


def main(arguments: Sequence[str] | None = None, program: str = "stend-gost") -> int:
    """Run a verb; give the exit code. An error is one sentence on standard error."""
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
