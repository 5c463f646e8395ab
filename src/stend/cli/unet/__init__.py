"""`stend unet`: networks that say what is to be seen in slices; one file a verb."""

from collections.abc import Callable

from stend.cli.tomo.said import with_options_named
from stend.cli.unet import info, segment

HELP = (
    "U-Net: neural networks that say what is to be seen in slices.\n\n"
    "`segment` finds inclusions in slices that `stend tomo reconstruct` wrote, or what another "
    "network was taught to find; `info` shows a network, and with --time how fast it is here."
)

_VERBS: dict[str, Callable[..., None]] = {"segment": segment.verb, "info": info.verb}
VERBS = {name: with_options_named(verb) for name, verb in _VERBS.items()}
