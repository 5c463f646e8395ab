"""The command `stend-tomo`: from files of projections to files of slices.

Exit codes: 0 done; 2 wrong usage; 4 a file can't be read or written; 6 something is not installed;
130 ended by Ctrl-C; 141 nobody read on.
"""

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress

from stend_tomo.errors import TomoError, printable


def main(arguments: Sequence[str] | None = None, program: str = "stend-tomo") -> int:
    """Run a verb; give the exit code. An error is one sentence on standard error."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        run(sys.argv[1:] if arguments is None else arguments, program)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _silence()
        return 128 + signal.SIGPIPE
    except TomoError as error:
        return _refused(program, str(error), error.exit_code)
    except (OSError, MemoryError) as error:
        return _refused(program, f"The system refused: {error or 'no memory is left'}.", 1)
    return 0


def run(words: Sequence[str], program: str = "stend-tomo") -> None:
    """Run a verb.

    Raises:
        TomoError: with a sentence that names options.
    """
    from stend_tomo.cli.arguments import call, joined
    from stend_tomo.cli.options import VERBS, parser
    from stend_tomo.cli.program import called
    from stend_tomo.cli.terms import command_words

    called.set(program)
    typed = parser(program).parse_args(joined(words, VERBS.get(words[0]) if words else None))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="pydicom")  # of what an error then says
            call(typed)
    except TomoError as error:
        error.args = (error.sentence(command_words()),)
        raise


def _refused(program: str, sentence: str, code: int) -> int:
    with suppress(OSError):
        print(f"{program.split()[0]}: {printable(sentence, name=False)}", file=sys.stderr)
    return code


def _silence() -> None:
    """Python flushes standard output once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
