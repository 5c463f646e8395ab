"""What there is to choose from, by name."""

from stend_tomo import native
from stend_tomo.validation import sentences


def algorithms() -> list[str]:
    """Names that `reconstruct` takes as `algorithm`, the default first."""
    return native.algorithms()


def filters() -> list[str]:
    """Names that the ramp is windowed by, the default first."""
    return native.filters()


def variants(algorithm: str) -> list[str]:
    """Names of an algorithm's implementations that this machine runs, slowest first.

    The last is the default. "filter", "project" (and backproject), "rebin_fan" and "fdk" have
    variants as well.

    Raises:
        BadOption: there is no such algorithm.
    """
    with sentences():
        return native.variants(str(algorithm))
