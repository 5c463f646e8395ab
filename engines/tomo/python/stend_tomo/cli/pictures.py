"""One slice, or several side by side, as a PNG file to look at."""

from pathlib import Path
from typing import TYPE_CHECKING

from stend_tomo.errors import BadOption, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHOWN = (0.5, 99.8)
"""Percentiles that become black and white, so that a few bright specks don't darken the rest."""
ENOUGH = 2048
"""Pixels a side that tell a window; of larger slices, as many of them."""
DIGITS = 4
LEAST_SHOWN = 256
"""Pixels of a montage's picture: a smaller one is enlarged, else its name would hide it."""
GAP, TEXT, FRAME = 4, 18, 3
"""Pixels between pictures, of what is written on them, and of the lines around one."""


def require_png(path: Path) -> None:
    """Refuse a name that says it is something else."""
    if path.suffix.lower() != ".png":
        raise BadOption(
            f"{printable(str(path))} is not a picture's name; give a name that ends in .png."
        )


def window_of(values: "NDArray[np.float32]") -> tuple[float, float]:
    """Give the values to show as black and white: percentiles inside the circle that rays see."""
    import numpy as np

    from stend_tomo.phantoms.problems import seen

    step = -(-values.shape[-1] // ENOUGH)
    values = values[..., ::step, ::step]
    inside = values[..., seen(values.shape[-1])]
    low, high = (float(f"{value:.{DIGITS}g}") for value in np.percentile(inside, SHOWN))
    return (low, high) if high > low else (low, low + 1)


def write_picture(
    path: Path, values: "NDArray[np.float32]", window: tuple[float, float], unit: str
) -> None:
    """Write one slice, in 8 bits, in place of an earlier picture."""
    from stend_tomo.writing.png import greys, png

    _write(path, png(greys(values, window, 8), _texts(window, unit), None))


def write_montage(
    path: Path,
    slices: "NDArray[np.float32]",
    names: list[str],
    window: tuple[float, float],
    unit: str,
    framed: int | None = None,
) -> None:
    """Write slices side by side, each with its name on it; small ones a whole number larger.

    One of them may be framed.
    """
    import numpy as np

    from stend_tomo.errors import library
    from stend_tomo.writing.png import greys, png

    across = max(1, round(len(slices) ** 0.5))
    larger = -(-LEAST_SHOWN // slices.shape[-1])
    size = larger * slices.shape[-1]
    down = -(-len(slices) // across)
    step = size + GAP
    image = library("PIL.Image").new("L", (across * step - GAP, down * step - GAP), 0)
    draw = library("PIL.ImageDraw").Draw(image)
    font = library("PIL.ImageFont").load_default(TEXT)
    for place, (values, name) in enumerate(zip(slices, names, strict=True)):
        corner = place % across * step, place // across * step
        grey = greys(values, window, 8).repeat(larger, axis=0).repeat(larger, axis=1)
        image.paste(library("PIL.Image").fromarray(grey), corner)
        at = corner[0] + GAP, corner[1] + GAP
        if place == framed:
            opposite = corner[0] + size - 1, corner[1] + size - 1
            draw.rectangle((*corner, *opposite), outline=255, width=FRAME)
        draw.text(at, name, fill=255, font=font, stroke_width=2, stroke_fill=0)
    _write(path, png(np.asarray(image), _texts(window, unit), None))


def _texts(window: tuple[float, float], unit: str) -> dict[str, str]:
    return {"Window": f"{window[0]!r} {window[1]!r}", "Unit": unit}


def _write(path: Path, content: bytes) -> None:
    from stend_tomo.writing.durable_files import write_whole
    from stend_tomo.writing.png import SIGNATURE

    write_whole(path, content, SIGNATURE)
