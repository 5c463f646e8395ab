"""The BLAS that the variant `blas` multiplies with: the fastest that is installed."""

from functools import cache

from stend import blas
from stend.errors import SetupError
from stend.unet import native


@cache
def sgemm() -> native.Sgemm:
    """Load it, once: two libraries in a process would share what they export.

    Raises:
        SetupError: none is installed, or it can't be loaded.
    """
    found = [library for library in blas.libraries() if library.available]
    if not found:
        raise SetupError(
            "The variant blas needs a BLAS, and none is installed; `pip install scipy-openblas32` "
            "brings one."
        )
    try:
        return native.Sgemm(**found[-1].described())
    except RuntimeError as error:
        raise SetupError(str(error)) from None
