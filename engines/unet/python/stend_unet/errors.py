"""What stend_unet raises on purpose, as one tree.

UnetError                 anything below; `exit_code`, 2 unless said, is the command's
├── BadImages             of a wrong shape or type, or with values that are no numbers
├── BadOption             a precision, variant, number or description that can't be
├── BadBuffer             an array for the result that can't take it
├── TooLittleMemory       a network for images of this size does not fit
├── UsageError            the command was called wrongly
├── ModelFileError        a network's file can't be read, or computed: exit code 4
├── ImageFileError        an image's file can't be read: exit code 4
├── OutputError           a file can't be written: exit code 4
└── Missing               the compiled networks, a BLAS or Pillow: exit code 6 (an ImportError)

The first three are also ValueErrors.
"""

__all__ = [
    "BadBuffer",
    "BadImages",
    "BadOption",
    "ImageFileError",
    "Missing",
    "ModelFileError",
    "OutputError",
    "TooLittleMemory",
    "UnetError",
    "UsageError",
]


class UnetError(Exception):
    """A network can't be run as asked."""

    exit_code = 2


class BadImages(UnetError, ValueError):
    """Images or slices of a wrong shape or type, or with values that are no numbers."""


class BadOption(UnetError, ValueError):
    """A precision, variant, number or description of a network that can't be."""


class BadBuffer(UnetError, ValueError):
    """An array for the result of a wrong shape or type, or one that the images lie in."""


class TooLittleMemory(UnetError):
    """A network for images of this size does not fit into memory."""


class UsageError(UnetError):
    """The command was called wrongly."""


class ModelFileError(UnetError):
    """A network's file can't be read, or computed."""

    exit_code = 4


class ImageFileError(UnetError):
    """An image's file can't be read."""

    exit_code = 4


class OutputError(UnetError):
    """A file can't be written."""

    exit_code = 4


class Missing(UnetError, ImportError):
    """Something that is needed is not installed."""

    exit_code = 6
