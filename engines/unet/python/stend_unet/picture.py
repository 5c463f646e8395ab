"""A slice and the classes of its pixels → a picture to look at: classes in colour on grey.

Below the slice stand how long something is, what black and white are, and the classes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_unet.errors import BadImages, BadOption, Missing
from stend_unet.validation import check_pixels, floats, shaped

COLOURS = (
    (230, 159, 0),
    (86, 180, 233),
    (0, 158, 115),
    (204, 121, 167),
    (240, 228, 66),
    (213, 94, 0),
    (0, 114, 178),
)
"""Told apart by the colour-blind, too (Okabe, Ito, "Color Universal Design", 2008)."""
SHOWN = (0.5, 99.0)
"""Percentiles that become black and white: what is found may be bright, and the rest is looked at,
too."""
TINT = 0.3
"""Of the colour over a class; what lies below has to be seen."""
LEAST_SHOWN = 512
"""Pixels of a picture's longer side: a smaller slice is enlarged a whole number of times."""
LINE = 2
"""Pixels of outlines."""
TEXT, TEXTS_WIDE = 16, 50
"""Pixels of letters, and how many of them a wide picture has beside each other."""
LONGEST_BAR = 0.3
"""Of the picture's width."""
LEAST_PIXEL, LARGEST_PIXEL = 1e-30, 1e30
"""Millimetres."""
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@dataclass(frozen=True)
class _Item:
    """What stands in the legend: a mark of some width and colour, and a text."""

    mark: int
    flat: bool
    colour: tuple[int, int, int]
    text: str


def overlay(
    values: ArrayLike,
    labels: ArrayLike,
    classes: Sequence[str],
    *,
    pixel: float | None = None,
    unit: str = "",
) -> NDArray[np.uint8]:
    """Draw a slice in grey, and outlines and a tint over all classes but the first.

    Args:
        values: a slice, (rows, columns).
        labels: of its pixels, as `segment` gives them.
        classes: their names, as a `Segmenter` has them.
        pixel: its side in mm.
        unit: of the values.

    Returns:
        Red, green and blue of each pixel: (rows, columns, 3).

    Raises:
        BadImages: these are no slice and its labels.
        BadOption: a pixel has no side of any size.
        Missing: Pillow is not installed.
    """
    slice_, found = shaped(values, "slice"), np.asarray(shaped(labels, "labels"))
    if len(slice_.shape) != 2 or found.shape != tuple(slice_.shape):
        raise BadImages(
            "An overlay needs one slice, (rows, columns), and labels of the same shape, not "
            f"{tuple(slice_.shape)} and {found.shape}."
        )
    check_pixels(slice_, "the slice")
    if isinstance(classes, str) or not isinstance(classes, Sequence) or not classes:
        raise BadOption("Classes must be a list of names, the background's first.")
    if found.dtype.kind not in "iu" or found.min() < 0 or found.max() >= len(classes):
        raise BadImages(
            f"Labels must be whole numbers from 0 to {len(classes) - 1}, one for each class."
        )
    if pixel is not None and not isinstance(pixel, SupportsFloat):
        raise BadOption(f"A pixel's side is a number of mm, not {type(pixel).__name__}.")
    if pixel is not None and not LEAST_PIXEL <= float(pixel) <= LARGEST_PIXEL:
        raise BadOption(
            f"No scale bar can be drawn for a pixel's side of {pixel:g} mm; give one from "
            f"{LEAST_PIXEL:g} to {LARGEST_PIXEL:g}, or none."
        )
    grey = floats(slice_, "The slice").astype(np.float64)  # float32 may lack the range of its own
    low, high = _window(grey)
    larger = -(-LEAST_SHOWN // max(grey.shape))
    levels = np.clip((grey - low) / (high - low) * 255, 0, 255)
    picture = _coloured(_enlarged(levels, larger), _enlarged(found, larger))
    picture = np.pad(picture, ((0, 0), (0, max(0, LEAST_SHOWN - picture.shape[1])), (0, 0)))
    width = picture.shape[1]
    letters = max(TEXT, width // TEXTS_WIDE)
    items = [_length(width, larger, pixel), _range(low, high, unit)]
    items += [
        _Item(letters, False, COLOURS[(label - 1) % len(COLOURS)], f"{name} {share:.2%}")
        for label, name in enumerate(classes[1:], 1)
        for share in [float(np.mean(found == label))]
    ]
    return np.concatenate([picture, _legend(width, letters, items)])


def _window(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = map(float, np.percentile(values, SHOWN))
    return (low, high) if high > low else (low, low + 1)


def _enlarged(image: NDArray[Any], times: int) -> NDArray[Any]:
    return image.repeat(times, axis=0).repeat(times, axis=1)


def _coloured(levels: NDArray[np.float64], labels: NDArray[Any]) -> NDArray[np.uint8]:
    """Tint each class, and draw a line inside of where it ends."""
    colours = np.array([BLACK, *COLOURS], np.float32)
    chosen = colours[np.where(labels > 0, (labels.astype(int) - 1) % len(COLOURS) + 1, 0)]
    opaque = np.where(_edges(labels), 1.0, TINT) * (labels > 0)
    mixed = levels[..., None] * (1 - opaque[..., None]) + chosen * opaque[..., None]
    return np.asarray(mixed, np.uint8)


def _edges(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether another class is as near as a line is wide; a slice's border is none."""
    edges = np.zeros(labels.shape, np.bool_)
    for axis in (0, 1):
        for step in range(1, LINE + 1):
            ahead = np.take(labels, range(step, labels.shape[axis]), axis)
            behind = np.take(labels, range(labels.shape[axis] - step), axis)
            differ = ahead != behind
            places = [slice(None), slice(None)]
            places[axis] = slice(step, None)
            edges[tuple(places)] |= differ
            places[axis] = slice(None, -step)
            edges[tuple(places)] |= differ
    return edges


def _length(width: int, larger: int, pixel: float | None) -> _Item:
    """A bar of 1, 2 or 5 times a power of ten, at most a part of the picture's width."""
    side = pixel or 1.0
    most = LONGEST_BAR * width / larger * side
    power = 10 ** math.floor(math.log10(most))
    long = max(step * power for step in (1, 2, 5) if step * power <= most)
    said = f"{long:g} {'mm' if pixel else 'pixels'}"
    return _Item(max(1, round(long / side * larger)), True, WHITE, said)


def _range(low: float, high: float, unit: str) -> _Item:
    return _Item(0, True, WHITE, f"black {low:.4g}, white {high:.4g} {unit}".rstrip())


def pillow(module: str) -> Any:
    """Import a module of Pillow, or say how to get it."""
    try:
        return import_module(f"PIL.{module}")
    except ImportError as error:
        raise Missing("Images need Pillow; install it with `pip install pillow`.") from error


def _legend(width: int, letters: int, items: list[_Item]) -> NDArray[np.uint8]:
    """Items beside each other, in as many lines as they need."""
    font, gap = pillow("ImageFont").load_default(letters), letters // 2
    places, x, y = [], gap, gap
    for item in items:
        wide = item.mark + gap + math.ceil(font.getlength(item.text))
        if x > gap and x + wide > width - gap:
            x, y = gap, y + letters + gap
        places.append((x, y))
        x += wide + 2 * gap
    image = pillow("Image").new("RGB", (width, y + letters + gap), BLACK)
    draw = pillow("ImageDraw").Draw(image)
    for item, (left, top) in zip(items, places, strict=True):
        middle, high = top + letters // 2, letters // 4 if item.flat else letters
        if item.mark:
            above = middle - high // 2
            box = (left, above, left + item.mark - 1, above + high - 1)
            draw.rectangle(box, fill=item.colour)
        at = left + item.mark + bool(item.mark) * gap, middle
        draw.text(at, item.text, fill=WHITE, font=font, anchor="lm")
    return np.asarray(image)
