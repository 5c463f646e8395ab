"""Slices → the class of each pixel, or probabilities; one slice after another, however many.

How a slice is prepared, and what the output means, a model's file says in two of its properties:

    stend.normalization    "percentiles 1 99": a slice's values are shifted and scaled so that these
                           percentiles of it (of all pixels, interpolated) become 0 and 1; a slice
                           where they are equal becomes 0. Without it values go in as they are.
    stend.classes          names of the output's channels, with commas between. One channel is the
                           probability of its class beside the background; several exclude each
                           other.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_unet.errors import BadImages, BadOption, ModelFileError, printable
from stend_unet.model import named, shipped
from stend_unet.native import Model
from stend_unet.network import Network
from stend_unet.validation import check_pixels, checked_out, floats, shaped

NORMALIZATION, CLASSES = "stend.normalization", "stend.classes"
BACKGROUND = "background"
LONGEST = 80
"""Characters of a property that a sentence repeats."""
MOST_CLASSES = 256
"""Labels are bytes."""


@dataclass(frozen=True)
class Meaning:
    """How to prepare a slice for a model, and what its channels are."""

    percentiles: tuple[float, float] | None
    """Which become 0 and 1; None: values go in as they are."""
    classes: tuple[str, ...]
    """By label."""
    activation: str
    """Of the model's last layer: none where probabilities are still to be made."""

    @classmethod
    def of(cls, model: Model) -> "Meaning":
        """Read what a model's file says.

        Raises:
            ModelFileError: it is not for slices, or says what makes no sense.
        """
        inputs, outputs = model.tensors[0].channels, model.tensors[model.output].channels
        if inputs != 1:
            raise ModelFileError(
                f"The model takes images of {inputs} channels; slices have 1. Run it with "
                "stend_unet.Network on such images."
            )
        activation = model.layers[-1].activation
        if outputs > 1 and activation == "sigmoid":
            raise ModelFileError(
                f"The model's {outputs} channels end with a sigmoid each: they don't exclude each "
                "other, so pixels have no single class. Run it with stend_unet.Network."
            )
        names = _classes(model.properties.get(CLASSES), outputs)
        return cls(_percentiles(model.properties.get(NORMALIZATION)), names, activation)

    def prepared(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give a slice as the model was taught to see it: (rows, columns)."""
        if self.percentiles is None:
            return values
        low, high = np.percentile(values.astype(np.float64), self.percentiles)
        if low == high:
            return np.zeros_like(values)
        with np.errstate(over="ignore"):  # the network refuses what is infinite
            made: NDArray[np.float32] = ((values - low) / (high - low)).astype(np.float32)
        return made

    def probabilities(self, output: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give (classes, rows, columns), which add up to 1, of (channels, rows, columns)."""
        if len(output) == 1:
            made = _sigmoid(output) if self.activation != "sigmoid" else output
            return np.concatenate([1 - made, made])
        return _softmax(output) if self.activation != "softmax" else output

    def labels(self, output: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Give the class of each pixel: (rows, columns)."""
        if len(output) == 1:
            half = 0.5 if self.activation == "sigmoid" else 0.0
            return np.asarray(output[0] >= half, np.uint8)
        return np.asarray(output.argmax(axis=0), np.uint8)


def _percentiles(said: str | None) -> tuple[float, float] | None:
    if said is None:
        return None
    number = r"([0-9]{1,3}(?:\.[0-9]{1,9})?)"
    found = re.fullmatch(rf"percentiles {number} {number}", said)
    low, high = map(float, found.groups()) if found else (1.0, 0.0)
    if not 0 <= low < high <= 100:
        raise ModelFileError(
            f'The model\'s {NORMALIZATION} is "{printable(said)[:LONGEST]}", which is unknown; '
            'it can be "percentiles LOW HIGH", from 0 to 100.'
        )
    return low, high


def _classes(said: str | None, channels: int) -> tuple[str, ...]:
    if channels > MOST_CLASSES:
        raise ModelFileError(
            f"The model's output has {channels} channels; at most {MOST_CLASSES} classes are "
            "supported."
        )
    names = [printable(name.strip()) for name in said.split(",")] if said else []
    if said and (len(names) != channels or not all(names)):
        raise ModelFileError(
            f'The model\'s {CLASSES} are "{printable(said)[:LONGEST]}"; its output has {channels} '
            "channels, and each needs a name."
        )
    names = names or [f"channel {number}" for number in range(channels)]
    return tuple(names if channels > 1 else [BACKGROUND, *names])


def _sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """1 / (1 + exp(-x)), without overflow."""
    small = np.exp(-np.abs(logits))
    made: NDArray[np.float32] = np.where(logits >= 0, 1, small) / (1 + small)
    return made


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Over the first side, without overflow."""
    powers = np.exp(logits - logits.max(axis=0))
    made: NDArray[np.float32] = powers / powers.sum(axis=0)
    return made


Progress = Callable[[int, int], object]
"""Called after each slice with the numbers of slices done and of all."""


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
            BadImages: it is no slice, or has values that are not finite.
            TooLittleMemory: a network for slices of this size does not fit into memory.
        """
        return self._meaning.labels(self._output(values, name))

    def probabilities(self, values: Any, name: str = "The slice") -> NDArray[np.float32]:
        """Give (classes, rows, columns), which add up to 1; raises as `labels`."""
        return self._meaning.probabilities(self._output(values, name))

    def _output(self, values: Any, name: str) -> NDArray[np.float32]:
        given = shaped(values, "values of a slice")
        if len(given.shape) != 2:
            raise BadImages(f"A slice must be (rows, columns), not of shape {tuple(given.shape)}.")
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
    where that is not on a disk. Ctrl-C takes effect between two layers.

    Args:
        slices: (rows, columns) or (slices, rows, columns) of any real type: an array, or what is
            indexed like one (a mapped file, a dataset of h5py, an array of zarr), or the slices of
            `stend_tomo.read_volume`.
        model: from `read_model`, or the path of an ONNX file; by default the one that comes with
            stend, which finds inclusions.
        probabilities: whether they are asked for instead of labels.
        out: an array for the result, or an object that takes a slice at an index (as datasets of
            h5py and arrays of zarr); by default a new array.
        threads: how many work; by default one for each CPU that this process may use.
        precision: as of `Network`.
        variant: as of `Network`.
        progress: called after each slice with the numbers of slices done and of all.

    Returns:
        Labels, uint8, of the slices' shape: 0 is the first of the model's classes. Or
        probabilities, float32, (classes, rows, columns) of each slice; they add up to 1.

    Raises:
        BadImages: slices of another shape or type, or with values that are not finite.
        BadBuffer: `out` is of another shape or type, or overlaps the slices.
        BadOption: this machine has no such precision or variant.
        ModelFileError: the model's file can't be read, or is not for slices.
        TooLittleMemory: a network for slices of this size does not fit into memory.
    """
    given = _slices(slices)
    if progress is not None and not callable(progress):
        raise BadOption(f"progress= must be callable, not {type(progress).__name__}.")
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
            "Slices must be (rows, columns) or (slices, rows, columns), not of shape "
            f"{tuple(given.shape)}."
        )
    check_pixels(given, "slices")
    return given


def _are_frames(slices: Any) -> bool:
    """Whether these are slices that stend_tomo reads from a file."""
    return hasattr(slices, "frame") and hasattr(slices, "rows")


def _slice(given: Any, number: int) -> Any:
    return given.frame(number) if _are_frames(given) else given[number]
