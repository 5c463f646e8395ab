"""What goes wrong while a file is read, in a sentence: the path, what was found, what to do."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from stend_tomo.errors import ScanFileError, TomoError
from stend_tomo.text import printable

TALKATIVE = ("tifffile", "pydicom")
"""Loggers that print a line for each fault of a file."""
LONGEST = 200
"""Characters of what a library said that are shown."""

_reading = ContextVar("reading", default=False)
"""Whether this thread reads a file here; others may use the same libraries meanwhile."""


def _elsewhere(record: logging.LogRecord) -> bool:
    """Whether a line was logged for somebody else (a filter of `logging`)."""
    return not _reading.get()


def fault(path: Path, said: str) -> ScanFileError:
    """An error about a file: its path, then what is wrong with it."""
    return ScanFileError(f"{printable(str(path))} {said}")


@contextmanager
def told(path: Path, kind: str) -> Iterator[None]:
    """Tell whatever a library raises while it reads `path` as a fault of that file.

    Libraries raise nearly anything for a malformed file (KeyError, struct.error, zlib.error,
    RecursionError …), and log about what they refuse anyway.
    """
    for name in TALKATIVE:
        logging.getLogger(name).addFilter(_elsewhere)  # once: a second time it does nothing
    before = _reading.set(True)
    try:
        yield
    except TomoError:
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
    finally:
        _reading.reset(before)
