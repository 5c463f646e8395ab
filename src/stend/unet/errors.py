"""What stend.unet raises on purpose, as one tree.

UnetError                 anything below
├── BadImages             of a wrong shape or type, or with values that are no numbers
├── BadOption             a precision, variant, number or description that can't be
├── BadBuffer             an array for the result that can't take it
└── TooLittleMemory       a network for images of this size does not fit

All but the last are also ValueErrors. A model's file that can't be read is a `ModelFileError`.
"""

from stend.errors import ModelFileError, UnetError

__all__ = [
    "BadBuffer",
    "BadImages",
    "BadOption",
    "ModelFileError",
    "TooLittleMemory",
    "UnetError",
]


class BadImages(UnetError, ValueError):
    """Images or slices of a wrong shape or type, or with values that are no numbers."""


class BadOption(UnetError, ValueError):
    """A precision, variant, number or description of a network that can't be."""


class BadBuffer(UnetError, ValueError):
    """An array for the result of a wrong shape or type, or one that the images lie in."""


class TooLittleMemory(UnetError):
    """A network for images of this size does not fit into memory."""
