"""`stend unet`: networks that say what is to be seen in slices."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

from stend.cli.engine import forward
from stend.cli.unet import segment

HELP = (
    "U-Net: neural networks that segment slices.\n\n`segment` finds inclusions in slices that "
    "`stend tomo reconstruct` wrote, or whatever another network was trained to find; `info` "
    "shows a network, and with --time its speed on this machine."
)

WORDS = {
    "limit": "--limit",
    "resume": "--restart",
    "external": "its data copied into it",  # volumes are read without those of other files
}
"""What stands for parameters of `stend_tomo` in sentences of its errors."""


@functools.wraps(segment.verb)
def _segment(**given: Any) -> None:
    from stend_tomo.errors import TomoError

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="pydicom")  # of what an error then says
            segment.verb(**given)
    except TomoError as error:
        error.args = (error.sentence(WORDS),)
        raise


VERBS: dict[str, Callable[..., None]] = {
    "segment": _segment,
    "info": forward(
        "unet",
        "info",
        "Show a network: its layers, parameters, work and memory for images of a size.",
    ),
}
