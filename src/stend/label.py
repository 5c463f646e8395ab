"""What a run's label can't be: a word that names runs already, or a long one."""

import re

from stend.errors import BadValue

LAST = re.compile(r"last(?:~(\d{1,9}))?", re.ASCII)
"""The newest run, or the one that is so many before it."""


LONGEST = 200
"""Characters of a label that is given here; files from elsewhere may have longer ones."""


def refuse_unfit(label: str) -> str:
    """The label, where it can be one.

    Raises:
        BadValue: it means something else, or is too long.
    """
    if len(label) > LONGEST:
        raise BadValue(f"A label has at most {LONGEST} characters, not {len(label):,}.")
    if LAST.fullmatch(label):
        raise BadValue(f"The label {label} would hide what `{label}` means; give another name.")
    return label
