"""`stend tomo`: the verbs of `stend-tomo`."""

from collections.abc import Callable

from stend.cli.engine import forward

HELP = (
    "Tomography: slices from X-ray projections, as `stend-tomo` makes them.\n\n"
    "Look at a scan with `info` and `preview`, check its axis of rotation with `center`, then "
    "`reconstruct` it and `view` it; `fdk` is for cone beams. `phantom` makes a scan to try things "
    "on."
)
VERBS: dict[str, Callable[..., None]] = {
    name: forward("tomo", name, about)
    for name, about in (
        ("info", "Say what a file holds, and what is missing to reconstruct it."),
        ("preview", "Reconstruct one slice, write it as a PNG, and print its figures."),
        ("center", "Find the axis of rotation, and say whether to rely on it."),
        ("reconstruct", "Reconstruct a scan into slices, a slab of rows at a time."),
        ("fdk", "Reconstruct the scan of a cone beam into slices."),
        ("phantom", "Write the projections of a phantom or of a published problem."),
        ("view", "Show projections, sinograms and slices, or a volume, in the browser."),
    )
}
