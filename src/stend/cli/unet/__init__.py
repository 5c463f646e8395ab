"""`stend unet`: networks that say what is to be seen in slices."""

from collections.abc import Callable

from stend.cli.engine import engine_verb
from stend.cli.tomo.said import with_options_named
from stend.cli.unet import segment

HELP = (
    "U-Net: neural networks that say what is to be seen in slices.\n\n"
    "`segment` finds inclusions in slices that `stend tomo reconstruct` wrote, or what another "
    "network was taught to find; `info` shows a network, and with --time how fast it is here."
)
VERBS: dict[str, Callable[..., None]] = {
    "segment": with_options_named(segment.verb),
    "info": engine_verb(
        "unet",
        "info",
        "Show a network: its layers, parameters, work and memory for images of a size.",
    ),
}
