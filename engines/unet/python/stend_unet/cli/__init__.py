"""The command `stend-unet`: networks on images in files.

Exit codes: 0 done; 2 wrong usage; 4 a file can't be read or written; 6 something is not installed;
130 interrupted by Ctrl-C; 141 broken pipe.
"""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress

from stend_unet.errors import LIMIT, UnetError, printable

ABOUT = """\
U-Nets on CPUs: neural networks that give each pixel of an image a class."""
INFO = """\
Show a network: its layers, parameters, work and memory for images of a size.

Work is counted as in the literature, by direct convolution. With --time the
network runs on noise, and layers are shown as they are computed, some fused,
for the fastest of 5 or more images."""
SEGMENT = """\
Give each pixel of slices a class; the network that comes with stend-unet finds
inclusions in tomographic slices.

IMAGE is a NumPy array, (rows, columns) or (slices, rows, columns), or a PNG or
TIFF image if Pillow is installed. Labels are bytes; 0 is the background."""
EXAMPLES = {
    "info": """\
examples:
  {0} info
  {0} info model.onnx --size 480x640 --time""",
    "segment": """\
examples:
  {0} segment slices.npy -o labels.npy
  {0} segment cells.png --model cells.onnx -o labels.png --overlay found.png""",
}
PRECISIONS = ("float32", "bf16x3", "bf16")


def _show_network(options: Namespace) -> None:
    from stend_unet.cli.info import show_network  # with NumPy, which help does not wait for

    show_network(options)


def _segment_image(options: Namespace) -> None:
    from stend_unet.cli.segment import segment_image

    segment_image(options)


def main(arguments: Sequence[str] | None = None, program: str = "stend-unet") -> int:
    """Run a verb and return the exit code. An error is one sentence on standard error."""
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


def parser(program: str) -> ArgumentParser:
    """Make the parser; the options it gives have the verb's function as `run`."""
    from stend_unet import __version__
    from stend_unet.cli import completion

    whole = ArgumentParser(
        prog=program, description=ABOUT, formatter_class=RawDescriptionHelpFormatter
    )
    whole.add_argument("--version", action="version", version=f"stend-unet {__version__}")
    completion.add_option(whole)
    verbs = whole.add_subparsers(metavar="VERB", required=True)

    def add(name: str, about: str) -> ArgumentParser:
        verb = verbs.add_parser(
            name,
            help=about.partition("\n\n")[0].replace("\n", " "),
            description=about,
            epilog=EXAMPLES[name].format(program),
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        verb.add_argument(
            "--precision",
            choices=PRECISIONS,
            default="float32",
            help="precision of the products; bf16x3 and bf16 are less exact, need a processor "
            "that supports them, and are faster if layers have many channels",
        )
        verb.add_argument("--json", action="store_true", help="print JSON")
        return verb

    info = add("info", INFO)
    info.add_argument("model", metavar="MODEL.onnx", nargs="?", help="default: the shipped network")
    info.add_argument("--size", default="256", metavar="N|HEIGHTxWIDTH", help="pixels of an image")
    info.add_argument("--time", action="store_true", help="time its layers on an image of noise")
    info.add_argument("--variant", metavar="NAME", help="default: the machine's fastest")
    info.add_argument("--threads", type=int, default=1, metavar="N", help="default: 1")
    info.set_defaults(run=_show_network)
    segment = add("segment", SEGMENT)
    segment.add_argument("image", metavar="IMAGE", help="a .npy, .png or .tif file")
    segment.add_argument(
        "-o", "--output", metavar="FILE", help="write labels to a .npy, .png or .tif file"
    )
    segment.add_argument("--model", metavar="FILE.onnx", help="default: the shipped network")
    segment.add_argument(
        "--overlay", metavar="FILE.png", help="draw the slice with the most findings"
    )
    segment.add_argument("--threads", type=int, metavar="N", help="default: one for each CPU")
    segment.set_defaults(run=_segment_image)
    return whole
