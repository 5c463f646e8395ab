"""What stend_gost raises on purpose, as one tree, and how a sentence quotes a name.

GostError                     anything below; `exit_code`, 2 unless said, is the command's
├── BadKey                    a key that has not 32 bytes (a ValueError, as all up to TooLong)
├── BadNonce                  a nonce or initialisation vector of a wrong size or value
├── BadTagSize                a tag longer than a block or shorter than allowed
├── BadVariant                no such implementation, or this machine can't run it
├── BadOption                 things that don't go together: a cipher, a mode, a padding
├── BadBuffer                 a buffer too small, not contiguous, not writable, overlapping
├── PartialBlock              the message does not end with a whole block and is not padded
├── BadPadding                what was decrypted does not end with the padding of procedure 2
├── EmptyMessage              there is nothing to authenticate
├── TooLong                   the limit on the length of one message is reached
├── AlreadyFinalized          a context that was finished, or has failed
├── AlreadyUpdated            associated data after the message began
├── NotYetFinalized           a tag that is asked for before the message's end
├── ContextInUse              a context that another thread is using
├── InvalidTag                forged, damaged, or of another key
├── UsageError                the command was called wrongly
├── NotBuilt                  the compiled ciphers are missing: exit code 6 (an ImportError)
├── UnreadableFile            a file can't be read: exit code 4
├── OutputError               a file can't be written: exit code 4
└── EncryptedFileError        an encrypted file can't be decrypted: exit code 4
    ├── NotEncrypted          it is no such file, or its header is malformed
    ├── WrongKey              the key is another one, or the header was changed
    └── DamagedFile           changed, cut, put together of parts, or added to
"""

import re

__all__ = [
    "AlreadyFinalized",
    "AlreadyUpdated",
    "BadBuffer",
    "BadKey",
    "BadNonce",
    "BadOption",
    "BadPadding",
    "BadTagSize",
    "BadVariant",
    "ContextInUse",
    "DamagedFile",
    "EmptyMessage",
    "EncryptedFileError",
    "GostError",
    "InvalidTag",
    "NotBuilt",
    "NotEncrypted",
    "NotYetFinalized",
    "OutputError",
    "PartialBlock",
    "TooLong",
    "UnreadableFile",
    "UsageError",
    "WrongKey",
]


class GostError(Exception):
    """The ciphers were used wrongly, or what they were given is not authentic."""

    exit_code = 2


class BadKey(GostError, ValueError):
    """A key that has not 32 bytes."""


class BadNonce(GostError, ValueError):
    """A nonce or initialisation vector of a wrong size or value."""


class BadTagSize(GostError, ValueError):
    """A tag longer than a block or shorter than allowed."""


class BadVariant(GostError, ValueError):
    """No such implementation, or this machine can't run it."""


class BadOption(GostError, ValueError):
    """Things that don't go together: a cipher, a mode, a padding."""


class BadBuffer(GostError, ValueError):
    """A buffer too small, not contiguous, not writable, or overlapping another one."""


class PartialBlock(GostError, ValueError):
    """The message does not end with a whole block and is not padded."""


class BadPadding(GostError, ValueError):
    """The decrypted message does not end with the padding of procedure 2."""


class EmptyMessage(GostError, ValueError):
    """There is nothing to authenticate."""


class TooLong(GostError, ValueError):
    """The message exceeds the limit on its length."""


class AlreadyFinalized(GostError):
    """A context that was finished, or has failed."""


class AlreadyUpdated(GostError):
    """Associated data after the message began."""


class NotYetFinalized(GostError):
    """A tag requested before the end of the message."""


class ContextInUse(GostError):
    """A context that another thread is using."""


class InvalidTag(GostError):
    """The tag is forged, damaged, or of another key."""


class UsageError(GostError):
    """Wrong usage of the command."""


class NotBuilt(GostError, ImportError):
    """The compiled ciphers are missing."""

    exit_code = 6


class UnreadableFile(GostError):
    """A file can't be read."""

    exit_code = 4


class OutputError(GostError):
    """A file can't be written; what was there before is intact."""

    exit_code = 4


class EncryptedFileError(GostError):
    """An encrypted file can't be decrypted."""

    exit_code = 4


class NotEncrypted(EncryptedFileError):
    """It is no encrypted file, or its header is malformed."""


class WrongKey(EncryptedFileError):
    """The key is another one, or the header was changed."""


class DamagedFile(EncryptedFileError):
    """Changed, cut, put together of parts, or added to."""


LIMIT = 1_000
"""Characters."""

# C0 and C1 controls, the delete character, line and paragraph separators and the marks that turn
# the direction of writing (Unicode TR 36, "Bidirectional Text Spoofing"), lone surrogates.
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""Write control characters as `\x1b`, and cut what is longer than LIMIT."""
    shown = _CONTROLS.sub(_escaped, text[: LIMIT + 1])
    return shown if len(shown) <= LIMIT else shown[: LIMIT - 1] + "…"


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
