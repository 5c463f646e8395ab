"""The verbs of `stend-tomo`, and what all of them share."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter

from stend_tomo.cli import center, fdk, info, phantom, preview, reconstruct, view
from stend_tomo.cli.arguments import Verb, add_verb

ABOUT = """\
Tomography: slices from X-ray projections.

Look at a scan with `info` and `preview`, check its axis of rotation with
`center`, then `reconstruct` it and `view` it; `fdk` is for cone beams.
`phantom` makes a scan to try things on."""
VERBS: dict[str, Verb] = {
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

    whole = ArgumentParser(
        prog=program, description=ABOUT, formatter_class=RawDescriptionHelpFormatter
    )
    whole.add_argument("--version", action="version", version=f"stend-tomo {__version__}")
    verbs = whole.add_subparsers(metavar="VERB", required=True)
    for name, verb in VERBS.items():
        add_verb(verbs, name, verb, program)
    return whole
