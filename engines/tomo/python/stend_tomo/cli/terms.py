"""What the command calls itself and the library's parameters, and what it advises in its place.

It is called `stend-tomo`, or `stend tomo` in the laboratory.
"""

import sys
from collections.abc import Mapping
from contextvars import ContextVar

called: ContextVar[str] = ContextVar("called", default="stend-tomo")


def command(words: str) -> str:
    """Give a command that is to be typed, as `stend-tomo view`."""
    return f"{called.get()} {words}"


def note(sentence: str) -> None:
    """Say something next to what the verb prints."""
    print(f"{called.get().split()[0]}: {sentence}", file=sys.stderr)


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


def command_words() -> Mapping[str, str]:
    """Give the command's words for terms of sentences, as `TomoError.sentence` takes them."""
    return OPTIONS | {
        "CT series": f"look at it with `{command('view')}`",
        "large angles": "give a file of them with --angles; if the scan has that many turns, their "
        "remainder by 360°",
        "short scan": "Check the file's angles or --angles; scans of a parallel beam are for "
        f"`{command('reconstruct')}`.",
    }
