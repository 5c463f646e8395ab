"""The command `stend-tomo`: from files of projections to files of slices.

Exit codes: 0 done; 2 wrong usage; 4 a file can't be read or written; 6 something is not installed;
130 ended by Ctrl-C; 141 nobody read on.
"""

import os
import signal
import sys
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from stend_tomo.errors import TomoError, printable

if TYPE_CHECKING:
    from stend_tomo.cli.arguments import Verb

ABOUT = """\
Tomography: slices from X-ray projections.

Look at a scan with `info` and `preview`, check its axis of rotation with
`center`, then `reconstruct` it and `view` it; `fdk` is for cone beams.
`phantom` makes a scan to try things on."""


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
    from stend_tomo.cli.terms import called, command_words

    called.set(program)
    typed = parser(program).parse_args(joined(words, verbs().get(words[0]) if words else None))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="pydicom")  # of what an error then says
            call(typed)
    except TomoError as error:
        error.args = (error.sentence(command_words()),)
        raise


def verbs() -> "dict[str, Verb]":
    """Give the verbs by their names; other commands import parts of them without the rest."""
    from stend_tomo.cli import center, fdk, info, phantom, preview, reconstruct, view

    return {
        "info": info.verb,
        "preview": preview.verb,
        "center": center.verb,
        "reconstruct": reconstruct.verb,
        "fdk": fdk.verb,
        "phantom": phantom.verb,
        "view": view.verb,
    }


def parser(program: str) -> ArgumentParser:
    """Make the parser; what it gives is for `arguments.call`."""
    from stend_tomo import __version__
    from stend_tomo.cli.arguments import add_verb

    whole = ArgumentParser(
        prog=program, description=ABOUT, formatter_class=RawDescriptionHelpFormatter
    )
    whole.add_argument("--version", action="version", version=f"stend-tomo {__version__}")
    subparsers = whole.add_subparsers(metavar="VERB", required=True)
    for name, verb in verbs().items():
        add_verb(subparsers, name, verb, program)
    return whole


def _refused(program: str, sentence: str, code: int) -> int:
    with suppress(OSError):
        print(f"{program.split()[0]}: {printable(sentence, name=False)}", file=sys.stderr)
    return code


def _silence() -> None:
    """Python flushes standard output once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
