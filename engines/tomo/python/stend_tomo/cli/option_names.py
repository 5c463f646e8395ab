"""What the library says of its arguments, as the command line has them."""

import re

from stend_tomo.cli.program import command

OPTIONS = (
    (r"\bread it with read_volume\b", "look at it with `PROGRAM view`"),
    (r"\blimit=(\d+)", r"--limit \1"),
    (r"\bexternal=True", "--external"),
    (r"\bangles=(?=[.:, ]|$)", "--angles"),
    (r"\bentry=(?=[.:, ]|$)", "--entry"),
    (r"\bcenter=(?=[.:, ]|$)", "--center COLUMN"),
    (r"\bmemory=(?=[0-9])", "--memory "),
    (r"\bwith resume=False", "with --restart"),
    (r"\bnon_negative\b", "--non-negative"),
    (r"\b(?:with )?pixel=(?=[.:, ]|$)", "--pixel MM"),
    (r"\b(?:with )?window=(?=[.:, ]|$)", "--window LOW:HIGH"),
    (r"^The distance from source to (axis|detector) is", r"--source-to-\1 is"),
    (r"\bsource_to_detector\b", "--source-to-detector"),
    (r"^The pitch of detector pixels is", "--pitch is"),
    (r"^The axis projects to detector pixel ([^,]*),", r"--center \1 is"),
    (r"^The center's row is", "--center-row is"),
    (r"^The size of a slice is", "--size is"),
    (r"^The number of slices is", "--slices is"),
    (r"^The side of a voxel is", "--voxel is"),
    (r"^(The slices reach .* outside of them)\.$", r"\1; check the distances, or give a "
     r"smaller --size or --voxel."),
    (r"^(The source goes .* around; a short scan takes .*)\.$", r"\1. Check the file's angles or "
     r"--angles; scans of a parallel beam are for `PROGRAM reconstruct`."),
    (r"give numpy\.radians\(angles\)(; if the scan has that many turns), .*", r"give a file of "
     r"them with --angles\1, their remainder by 360°."),
)  # fmt: skip
"""Patterns of arguments, and what stands for them."""


def named(sentence: str) -> str:
    """Give a sentence with options in place of arguments."""
    for pattern, option in OPTIONS:
        sentence = re.sub(pattern, option.replace("PROGRAM ", command("")), sentence)
    return sentence
