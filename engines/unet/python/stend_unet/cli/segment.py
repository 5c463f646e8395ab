"""`stend-unet segment`: images in files of NumPy or Pillow → labels, and an overlay of them."""

import json
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_unet.cli.info import table
from stend_unet.errors import ImageFileError, OutputError, UsageError, printable
from stend_unet.picture import overlay, pillow
from stend_unet.segmentation import Segmenter


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
        raise UsageError(f"{printable(name)} must end in {' or '.join(endings)}.")


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


def segment_image(options: Namespace) -> None:
    """Print how many pixels each class has; write labels and an overlay where asked to."""
    if options.output:
        check_output(options.output, (".npy", ".png", ".tif", ".tiff"))
    if options.overlay:
        check_output(options.overlay, (".png",))
    image = read_image(options.image)
    work = Segmenter(options.model, threads=options.threads, precision=options.precision)
    begun = time.perf_counter()
    slices = image if image.ndim == 3 else image[np.newaxis]
    labels = np.stack([work.labels(each) for each in slices]).reshape(image.shape)
    seconds = time.perf_counter() - begun
    if options.output:
        write_image(options.output, labels)
    if options.overlay:
        write_image(options.overlay, _drawn(image, labels, work.classes))
    found = _figures(options.image, labels, work, seconds)
    print(json.dumps(found, indent=2) if options.json else _text(found))


def _drawn(
    image: NDArray[Any], labels: NDArray[np.uint8], classes: tuple[str, ...]
) -> NDArray[np.uint8]:
    """Draw the slice with most of what was found."""
    slices, found = image.reshape(-1, *image.shape[-2:]), labels.reshape(-1, *image.shape[-2:])
    richest = int(np.count_nonzero(found, axis=(1, 2)).argmax())
    return overlay(slices[richest], found[richest], classes)


def _figures(
    name: str, labels: NDArray[np.uint8], work: Segmenter, seconds: float
) -> dict[str, Any]:
    pixels = np.bincount(labels.ravel(), minlength=len(work.classes))
    return {
        "image": printable(name),
        "shape": labels.shape,
        "classes": list(work.classes),
        "pixels": pixels.tolist(),
        "seconds": seconds,
        "variant": work.network.variant,
        "precision": work.network.precision,
        "threads": work.network.threads,
    }


def _text(found: dict[str, Any]) -> str:
    shape = " × ".join(f"{side:,}" for side in found["shape"])
    how = f"{found['variant']}, {found['precision']}, threads: {found['threads']}"
    total = sum(found["pixels"])
    rows = [
        [f"  {name}", f"{count:,} pixels", f"{count / total:.2%}"]
        for name, count in zip(found["classes"], found["pixels"], strict=True)
    ]
    return f"{found['image']}: {shape}, {found['seconds']:.3g} s ({how})\n{table(rows, left=1)}"
