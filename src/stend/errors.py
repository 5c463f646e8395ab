"""Everything stend raises on purpose, as one tree.

StendError                    anything below; the command prints its sentence, leaves with its code
├── UsageError                what was asked for can't be: exit code 2
│   ├── UnknownName           a benchmark, parameter, variant, run or verb that does not exist
│   ├── BadValue              a value outside what a parameter takes
│   └── InvalidToken          a token is wrong, expired or revoked
├── DefinitionError           a benchmark is defined wrongly: its author's fault, exit code 2
├── StoreError                the store can't be opened, read or written: exit code 3
│   ├── NewerStore            the store was written by a newer stend
│   ├── Damaged               a stored run can't be read any more; the others can
│   ├── Conflict              what is stored stands in the way; nothing was changed
│   ├── Unsound               what was to be stored is no sound record
│   ├── NoSpace               the disk is full
│   ├── WrongPlace            a part of an upload belongs elsewhere
│   └── QuotaExceeded         a sender, or all together, have too much under way
├── RunFileError              a run file is malformed, truncated, too large or newer: exit code 4
├── OutputError               a file can't be written: exit code 4
├── MeasuringError            a measurement could not be made: exit code 5
│   ├── WrongResult           the work was done wrongly: there is no number without a proof
│   ├── Crashed               a program that measures ended before it was told to
│   └── TimedOut              a program that measures gave no answer in time
├── SetupError                something that stend needs is not installed: exit code 6
└── ServerError               a server can't be reached, or refuses what it is asked: exit code 7

An engine that is a distribution of its own has its own tree, whose errors have an `exit_code`, too:
stend_gost.GostError, stend_tomo.TomoError and ScanFileError, stend_unet.UnetError and
ModelFileError (also here, under their former names).

A message is one or two sentences: what happened, the value seen, what to do next.
"""

from typing import Any, Literal


class StendError(Exception):
    """Base of everything stend raises on purpose; `exit_code` is what the command leaves with."""

    exit_code = 1


class UsageError(StendError):
    """What was asked for can't be."""

    exit_code = 2


class UnknownName(UsageError):
    """A benchmark, parameter, variant, run or verb that does not exist."""


class BadValue(UsageError):
    """A value outside what a parameter takes."""


class InvalidToken(UsageError):
    """A token lets nobody in; `reason` is for the log, for who shows it is not told which."""

    def __init__(self, reason: Literal["wrong", "expired", "revoked"]) -> None:
        super().__init__("This token is wrong, expired or revoked; ask for another one.")
        self.reason = reason


class DefinitionError(StendError):
    """A benchmark is defined wrongly."""

    exit_code = 2


class StoreError(StendError):
    """The store can't be opened, read or written."""

    exit_code = 3


class NewerStore(StoreError):
    """The store was written by a newer stend."""


class Damaged(StoreError):
    """A stored run can't be read any more; the others can."""


class Conflict(StoreError):
    """What is stored stands in the way of what was to be stored; nothing was changed."""


class Unsound(StoreError):
    """What was to be stored is no sound record."""


class NoSpace(StoreError):
    """The disk is full; what was stored before is intact."""


class WrongPlace(StoreError):
    """A part of an upload belongs elsewhere: `received` bytes have come, and the next follow."""

    def __init__(self, said: str, received: int) -> None:
        super().__init__(said)
        self.received = received


class QuotaExceeded(StoreError):
    """A sender, or all together, have too much under way; later there can be room."""


class RunFileError(StendError):
    """A run file is malformed, truncated, too large or from a newer stend."""

    exit_code = 4


class OutputError(StendError):
    """A file can't be written; what was there before is intact."""

    exit_code = 4


class MeasuringError(StendError):
    """A measurement could not be made; `detail` is what else belongs to the record, by name."""

    exit_code = 5

    def __init__(self, said: str, detail: dict[str, str] | None = None) -> None:
        super().__init__(said)
        self.detail = detail or {}


class WrongResult(MeasuringError):
    """The work was done wrongly: there is no number without a proof."""


class Crashed(MeasuringError):
    """A program that measures ended before it was told to."""


class TimedOut(MeasuringError):
    """A program that measures gave no answer in time."""


class SetupError(StendError):
    """Something that stend needs is not installed."""

    exit_code = 6


class ServerError(StendError):
    """A server can't be reached, or refuses what it is asked."""

    exit_code = 7


_ELSEWHERE = {
    "GostError": "stend_gost.errors",
    "ModelFileError": "stend_unet.errors",
    "ScanFileError": "stend_tomo.errors",
    "TomoError": "stend_tomo.errors",
    "UnetError": "stend_unet.errors",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        from importlib import import_module

        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module 'stend.errors' has no attribute {name!r}")
