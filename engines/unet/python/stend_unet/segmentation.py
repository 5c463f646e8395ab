"""Slices → the class of each pixel, or probabilities; one slice after another, however many."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_unet.errors import BadImages, BadOption
from stend_unet.meaning import Meaning
from stend_unet.model import named, shipped
from stend_unet.native import Model
from stend_unet.network import Network
from stend_unet.validation import check_pixels, checked_out, floats, shaped

Progress = Callable[[int, int], object]
"""Told after each slice: how many are done, of how many."""


class Segmenter:
    """A network that knows how its model wants slices prepared, and what its output means."""

    def __init__(
        self,
        model: Model | str | Path | None = None,
        *,
        threads: int | None = None,
        precision: str = "float32",
        variant: str | None = None,
    ) -> None:
        """Make one; the arguments are those of `segment`."""
        self.network = Network(
            shipped() if model is None else model,
            precision=precision,
            variant=variant,
            threads=threads,
        )
        with named(None if isinstance(model, Model) else model):
            self._meaning = Meaning.of(self.network.model)

    @property
    def classes(self) -> tuple[str, ...]:
        """Their names; a label is an index."""
        return self._meaning.classes

    def labels(self, values: Any, name: str = "The slice") -> NDArray[np.uint8]:
        """Give the class of each pixel of a slice (rows, columns); `name` begins an error.

        Raises:
            BadImages: it is no slice, or has values that are no finite numbers.
            TooLittleMemory: a network for slices of this size does not fit.
        """
        return self._meaning.labels(self._output(values, name))

    def probabilities(self, values: Any, name: str = "The slice") -> NDArray[np.float32]:
        """Give (classes, rows, columns), which add up to 1; raises as `labels`."""
        return self._meaning.probabilities(self._output(values, name))

    def _output(self, values: Any, name: str) -> NDArray[np.float32]:
        given = shaped(values, "values of a slice")
        if len(given.shape) != 2:
            raise BadImages(f"A slice is (rows, columns), not of shape {tuple(given.shape)}.")
        check_pixels(given, "a slice")
        return self.network(self._meaning.prepared(floats(given, name)))


def segment(
    slices: ArrayLike,
    model: Model | str | Path | None = None,
    *,
    probabilities: bool = False,
    out: Any = None,
    threads: int | None = None,
    precision: str = "float32",
    variant: str | None = None,
    progress: Progress | None = None,
) -> Any:
    """Find the class of each pixel of slices, as `stend_tomo` reconstructs them.

    Each slice is prepared by itself, as the model's file says. One after another is read, computed
    and put into the result, so that memory is needed for one, and for what is given and comes out
    where that is not on a disk. Ctrl-C is heeded between two layers.

    Args:
        slices: (rows, columns) or (slices, rows, columns) of any real type: an array, or what is
            indexed like one (a mapped file, a dataset of h5py, an array of zarr), or the slices of
            `stend_tomo.read_volume`.
        model: from `read_model`, or the path of an ONNX file; by default the one that comes with
            stend, which finds inclusions.
        probabilities: whether they are asked for instead of labels.
        out: where the result goes: an array, or what takes a slice at an index (as datasets of
            h5py and arrays of zarr); by default a new array.
        threads: how many work; by default one for each CPU that this process may use.
        precision: as of `Network`.
        variant: as of `Network`.
        progress: called after each slice with how many are done, of how many.

    Returns:
        Labels, uint8, of the slices' shape: 0 is the first of the model's classes. Or
        probabilities, float32, (classes, rows, columns) of each slice; they add up to 1.

    Raises:
        BadImages: slices of another shape or type, or with values that are no finite numbers.
        BadBuffer: `out` is of another shape or type, or overlaps the slices.
        BadOption: there is no such precision or variant here.
        ModelFileError: the model's file can't be read, or is not for slices.
        TooLittleMemory: a network for slices of this size does not fit.
    """
    given = _slices(slices)
    if progress is not None and not callable(progress):
        raise BadOption(
            f"progress= is called after each slice; {type(progress).__name__} can't be."
        )
    work = Segmenter(model, threads=threads, precision=precision, variant=variant)
    shape = tuple(given.shape)
    classes = (len(work.classes),) if probabilities else ()
    result = checked_out(
        out,
        shape[:-2] + classes + shape[-2:],
        np.float32 if probabilities else np.uint8,
        given,
    )
    compute = work.probabilities if probabilities else work.labels
    if len(shape) == 2:
        result[...] = compute(given[...])
        return result
    for number in range(shape[0]):
        result[number] = compute(_slice(given, number), f"Slice {number}")
        if progress is not None:
            progress(number + 1, shape[0])
    return result


def _slices(slices: ArrayLike) -> Any:
    given: Any = slices if _are_frames(slices) else shaped(slices, "slices")
    if len(given.shape) not in (2, 3):
        raise BadImages(
            f"Slices are (rows, columns) or (slices, rows, columns), not of shape "
            f"{tuple(given.shape)}."
        )
    check_pixels(given, "slices")
    return given


def _are_frames(slices: Any) -> bool:
    """Whether these are slices that stend_tomo reads from a file."""
    return hasattr(slices, "frame") and hasattr(slices, "rows")


def _slice(given: Any, number: int) -> Any:
    return given.frame(number) if _are_frames(given) else given[number]
