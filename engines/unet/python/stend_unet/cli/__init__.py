"""The command `stend-unet`: networks on images in files.

Exit codes: 0 done; 2 wrong usage; 4 a file can't be read or written; 6 something is not installed;
130 ended by Ctrl-C; 141 nobody read on.
"""

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress

from stend_unet.cli.options import parser
from stend_unet.errors import UnetError
from stend_unet.text import LIMIT, printable


def main(arguments: Sequence[str] | None = None, program: str = "stend-unet") -> int:
    """Run a verb; give the exit code. An error is one sentence on standard error."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    name = program.split()[0]
    try:
        options = parser(program).parse_args(arguments, Namespace(program=name))
        options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _silence()
        return 128 + signal.SIGPIPE
    except UnetError as error:
        return _refused(name, str(error), error.exit_code)
    except (OSError, MemoryError) as error:
        return _refused(name, f"The system refused: {error or 'no memory is left'}.", 1)
    return 0


def _refused(program: str, sentence: str, code: int) -> int:
    with suppress(OSError):
        print(f"{program}: {printable(sentence, 10 * LIMIT)}", file=sys.stderr)
    return code


def _silence() -> None:
    """Python flushes standard output once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
