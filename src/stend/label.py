"""What a run's label can't be: a word that names runs already."""

import re

from stend.errors import BadValue

LAST = re.compile(r"last(?:~(\d{1,9}))?", re.ASCII)
"""The newest run, or the one that is so many before it."""


def refuse_taken(label: str) -> str:
    """The label, where it is free.

    Raises:
        BadValue: it means something else.
    """
    if LAST.fullmatch(label):
        raise BadValue(f"The label {label} would hide what `{label}` means; give another name.")
    return label
