"""What stend.tomo raises on purpose, as one tree.

TomoError                 anything below
├── BadProjections        of a wrong shape or type, or with values that are no numbers
├── BadSlices             the same of slices that are to be projected or to be begun at
├── BadAngles             missing, too many or few, in degrees, or no numbers
├── BadOption             an algorithm, filter, geometry, variant or number that can't be
├── BadBuffer             an array for the result that can't take it
└── TooLittleMemory       not even one slice can be made under the cap

All but the last are also ValueErrors.
"""

from stend.errors import TomoError

__all__ = [
    "BadAngles",
    "BadBuffer",
    "BadOption",
    "BadProjections",
    "BadSlices",
    "TomoError",
    "TooLittleMemory",
]


class BadProjections(TomoError, ValueError):
    """Projections of a wrong shape or type, or with values that are no numbers."""


class BadSlices(TomoError, ValueError):
    """Slices of a wrong shape or type, or with values that are no numbers."""


class BadAngles(TomoError, ValueError):
    """Angles are missing, of another number than projections, in degrees, or no numbers."""


class BadOption(TomoError, ValueError):
    """An algorithm, filter, geometry, variant or number that can't be."""


class BadBuffer(TomoError, ValueError):
    """An array for the result of a wrong shape or type, or one that the projections lie in."""


class TooLittleMemory(TomoError):
    """Not even one slice can be made under the cap."""
