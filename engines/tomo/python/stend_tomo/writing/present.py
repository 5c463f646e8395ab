"""What an interrupted volume should have on the disk → whether that is there still.

Its journal says how many slices were written; meanwhile somebody may have removed or cut some.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def all_there(paths: Iterable[Path]) -> bool:
    """Whether all of these are files, none of them empty."""
    return all(path.is_file() and path.stat().st_size > 0 for path in paths)


def is_whole(path: Path, size: Any) -> bool:
    """Whether a file is at least so long as it was laid out; the length is the journal's."""
    return isinstance(size, int) and path.is_file() and path.stat().st_size >= size
