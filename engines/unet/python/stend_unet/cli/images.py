"""Images and labels in files: NumPy arrays, and what Pillow reads and writes."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_unet.errors import ImageFileError, OutputError, UsageError
from stend_unet.overlay import pillow
from stend_unet.text import printable


def read_image(name: str) -> NDArray[Any]:
    """Read an array, or an image in grey.

    Raises:
        ImageFileError: the file can't be read.
        Missing: it is an image, and Pillow is not installed.
    """
    try:
        if name.endswith(".npy"):
            return np.asarray(np.load(name, mmap_mode="r", allow_pickle=False))
        with pillow("Image").open(name) as image:
            if image.mode not in ("L", "I", "F", "I;16"):
                image = image.convert("L")
            return np.asarray(image)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ImageFileError(f"{printable(name)} can't be read: {reason}.") from error


def check_output(name: str, endings: tuple[str, ...]) -> None:
    """Refuse a name that doesn't say its format, before anything is computed."""
    if Path(name).suffix not in endings:
        raise UsageError(f"{printable(name)} has to end in {' or '.join(endings)}.")


def write_image(name: str, image: NDArray[np.uint8]) -> None:
    """Write labels or a picture; several slices are for NumPy's format.

    Raises:
        OutputError: the file can't be written.
        UsageError: its format holds one slice.
    """
    try:
        if name.endswith(".npy"):
            np.save(name, image)
            return
        if image.ndim == 3 and image.shape[-1] != 3:
            raise UsageError(f"{printable(name)} holds one slice; write several to a .npy file.")
        pillow("Image").fromarray(image).save(name)
    except OSError as error:
        raise OutputError(
            f"{printable(name)} can't be written: {error.strerror or error}; give another name."
        ) from error
