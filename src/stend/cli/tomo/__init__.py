"""`stend tomo`: from files of projections to files of slices; one file a verb."""

from collections.abc import Callable

from stend.cli.tomo import center, fdk, info, phantom, preview, reconstruct, view
from stend.cli.tomo.grouped import grouped
from stend.cli.tomo.said import with_options_named

HELP = (
    "Tomography: slices from X-ray projections.\n\n"
    "Look at a scan with `info` and `preview`, check its axis of rotation with `center`, then "
    "`reconstruct` it and `view` it; `fdk` is for cone beams. `phantom` makes a scan to try things "
    "on."
)

_VERBS: dict[str, Callable[..., None]] = {
    "info": info.verb,
    "preview": preview.verb,
    "center": center.verb,
    "reconstruct": reconstruct.verb,
    "fdk": fdk.verb,
    "phantom": phantom.verb,
    "view": view.verb,
}
VERBS = {name: with_options_named(grouped(verb)) for name, verb in _VERBS.items()}
