"""What a model's file says of its images and outputs → how to prepare a slice, and classes.

Two of its properties count:

    stend.normalization    "percentiles 1 99": a slice's values are shifted and scaled so that these
                           percentiles of it (of all pixels, interpolated) become 0 and 1; a slice
                           where they are equal becomes 0. Without it values go in as they are.
    stend.classes          names of the output's channels, with commas between. One channel is the
                           probability of its class beside the background; several exclude each
                           other.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stend_unet.errors import ModelFileError
from stend_unet.native import Model
from stend_unet.text import printable

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
                f"The model is for images of {inputs} channels; slices have 1. Run it as "
                "stend_unet.Network on images of its own."
            )
        activation = model.layers[-1].activation
        if outputs > 1 and activation == "sigmoid":
            raise ModelFileError(
                f"The model's {outputs} channels end with a sigmoid each: they don't exclude each "
                "other, so pixels have no single class. Run it as stend_unet.Network."
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
            f'The model\'s {NORMALIZATION} is "{printable(said)[:LONGEST]}", which is not known '
            'here; it may be "percentiles LOW HIGH", from 0 to 100.'
        )
    return low, high


def _classes(said: str | None, channels: int) -> tuple[str, ...]:
    if channels > MOST_CLASSES:
        raise ModelFileError(
            f"The model has {channels} channels at its end; classes of pixels are {MOST_CLASSES} "
            "at most."
        )
    names = [printable(name.strip()) for name in said.split(",")] if said else []
    if said and (len(names) != channels or not all(names)):
        raise ModelFileError(
            f'The model\'s {CLASSES} are "{printable(said)[:LONGEST]}"; it has {channels} channels '
            "at its end, and each needs a name."
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
