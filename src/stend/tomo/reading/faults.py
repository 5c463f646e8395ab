"""What goes wrong while a file is read, in a sentence: the path, what was found, what to do."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stend.errors import ScanFileError, StendError
from stend.printable import printable

TALKATIVE = ("tifffile", "pydicom")
"""Loggers that print a line for each fault of a file."""
LONGEST = 200
"""Characters of what a library said that are shown."""


def fault(path: Path, said: str) -> ScanFileError:
    """An error about a file: its path, then what is wrong with it."""
    return ScanFileError(f"{printable(str(path))} {said}")


@contextmanager
def told(path: Path, kind: str) -> Iterator[None]:
    """Tell whatever a library raises while it reads `path` as a fault of that file.

    Libraries raise nearly anything for a malformed file (KeyError, struct.error, zlib.error,
    RecursionError …), and warn and log about what they refuse anyway.
    """
    try:
        with warnings.catch_warnings(), _without_logs():
            warnings.simplefilter("ignore")
            yield
    except StendError:
        raise
    except MemoryError as error:
        raise fault(path, f"asks for more memory than there is ({kind}).") from error
    except FileNotFoundError as error:
        why = "lacks a part of itself" if path.exists() else "does not exist"
        raise fault(path, f"{why}.") from error
    except (PermissionError, IsADirectoryError) as error:
        raise fault(path, f"can't be read: {error.strerror}.") from error
    except Exception as error:
        said = printable(" ".join(str(error).split()) or type(error).__name__)[:LONGEST].rstrip(".")
        raise fault(path, f"can't be read as {kind}: {said}. Is it whole?") from error


@contextmanager
def _without_logs() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in TALKATIVE]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled
