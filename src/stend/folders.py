"""Where the user's files are kept, as the XDG Base Directory Specification says it."""

import os
from pathlib import Path


def data_folder() -> Path:
    """What is to stay. RuntimeError: no home folder is known."""
    return _named("XDG_DATA_HOME", "~/.local/share") / "stend"


def cache_folder() -> Path:
    """What can be made again. RuntimeError: no home folder is known."""
    return _named("XDG_CACHE_HOME", "~/.cache") / "stend"


def _named(variable: str, usual: str) -> Path:
    """A relative path is to be ignored."""
    named = Path(os.environ.get(variable) or "")
    return named if named.is_absolute() else Path(usual).expanduser()
