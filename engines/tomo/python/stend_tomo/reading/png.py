"""Grey PNG files, 8 or 16 bits → rows of pixels. A PNG is unpacked from its top, so as a whole."""

from pathlib import Path

import numpy as np

from stend_tomo.errors import library
from stend_tomo.reading.frames import Array
from stend_tomo.reading.limits import fault, refuse_bomb, told
from stend_tomo.reading.tiff import Layout, plausible

KIND = "PNG"
MODES = {"L": np.uint8, "I;16": np.uint16, "I;16B": np.uint16, "1": np.uint8, "I": np.uint16}
"""Pillow's names of what a grey PNG unpacks to."""


def layout_of(path: Path, limit: int | None) -> Layout:
    """Look at a file's header."""
    with told(path, KIND), library("PIL.Image").open(path, formats=["PNG"]) as image:
        if image.mode not in MODES or getattr(image, "n_frames", 1) != 1:
            raise fault(
                path,
                f"holds a picture of kind {image.mode}; only grey images, of one value per pixel, "
                "can be read.",
            )
        columns, rows = image.size
        dtype = np.dtype(MODES[image.mode])
        refuse_bomb(path, (1, rows, columns), dtype, limit, path)
        across = image.info.get("dpi", (0, 0))[0]
        pixel = plausible(25.4 / across) if across else None
        return Layout(1, rows, columns, dtype, None, pixel)


def read_one(path: Path, layout: Layout, rows: slice) -> Array:
    """Rows of a file that looks like `layout`."""
    with told(path, KIND), library("PIL.Image").open(path, formats=["PNG"]) as image:
        columns, height = image.size
        size, dtype = (height, columns), MODES.get(image.mode)
        if size != (layout.rows, layout.columns) or dtype != layout.dtype:
            raise fault(
                path,
                f"is a picture of {height} × {columns} pixels, kind {image.mode}, among others of "
                f"{layout.rows} × {layout.columns} of type {layout.dtype}; all must be of one size "
                "and type.",
            )
        return np.asarray(image)[rows].astype(layout.dtype)
