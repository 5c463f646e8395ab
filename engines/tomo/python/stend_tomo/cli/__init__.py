"""The command `stend-tomo`: from files of projections to files of slices.

It is called `stend tomo` in the laboratory. It has options for what the library calls parameters.

Exit codes: 0 done; 2 wrong usage; 4 a file can't be read or written; 6 something is not installed;
130 interrupted by Ctrl-C; 141 broken pipe.
"""

import os
import signal
import sys
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

from stend_tomo.errors import TomoError, printable

if TYPE_CHECKING:
    from stend_tomo.cli.arguments import Verb

called: ContextVar[str] = ContextVar("called", default="stend-tomo")
OPTIONS = {
    "angles": "--angles",
    "center": "--center COLUMN",
    "center_row": "--center-row",
    "cutoff": "--cutoff",
    "entry": "--entry",
    "external": "--external",
    "filter": "--filter",
    "iterations": "--iterations",
    "limit": "--limit",
    "memory": "--memory",
    "non_negative": "--non-negative",
    "pitch": "--pitch",
    "pixel": "--pixel MM",
    "resume": "--restart",
    "size": "--size",
    "slices": "--slices",
    "source_to_axis": "--source-to-axis",
    "source_to_detector": "--source-to-detector",
    "taper": "--taper",
    "threads": "--threads",
    "voxel": "--voxel",
    "water": "--water",
    "window": "--window LOW:HIGH",
}
"""By parameter; with what stands for the value where it is to be given."""
ABOUT = """\
Tomography: slices from X-ray projections.

Look at a scan with `info` and `preview`, check its axis of rotation with
`center`, then `reconstruct` it and `view` it; `fdk` is for cone beams.
`phantom` makes a scan to experiment with."""


def main(arguments: Sequence[str] | None = None, program: str = "stend-tomo") -> int:
    """Run a verb and return the exit code. An error is one sentence on standard error."""
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
    from stend_tomo.cli import completion
    from stend_tomo.cli.arguments import add_verb

    whole = ArgumentParser(
        prog=program, description=ABOUT, formatter_class=RawDescriptionHelpFormatter
    )
    whole.add_argument("--version", action="version", version=f"stend-tomo {__version__}")
    completion.add_option(whole)
    subparsers = whole.add_subparsers(metavar="VERB", required=True)
    for name, verb in verbs().items():
        add_verb(subparsers, name, verb, program)
    return whole


def command(words: str) -> str:
    """Give a command that is to be typed, as `stend-tomo view`."""
    return f"{called.get()} {words}"


def note(sentence: str) -> None:
    """Say something next to what the verb prints."""
    print(f"{called.get().split()[0]}: {sentence}", file=sys.stderr)


def command_words() -> Mapping[str, str]:
    """Give the command's words for terms of sentences, as `TomoError.sentence` takes them."""
    return OPTIONS | {
        "CT series": f"look at it with `{command('view')}`",
        "large angles": "give a file of them with --angles; if the scan has that many turns, their "
        "remainder by 360°",
        "short scan": "Check the file's angles or --angles; scans of a parallel beam are for "
        f"`{command('reconstruct')}`.",
    }


def _refused(program: str, sentence: str, code: int) -> int:
    with suppress(OSError):
        print(f"{program.split()[0]}: {printable(sentence, name=False)}", file=sys.stderr)
    return code


def _silence() -> None:
    """Python flushes standard output once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
