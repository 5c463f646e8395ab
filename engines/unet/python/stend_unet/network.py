"""Networks: a model → images of any size through it."""

from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_unet import native
from stend_unet.blas import sgemm
from stend_unet.errors import BadImages, BadOption, ModelFileError, printable
from stend_unet.model import read_model
from stend_unet.native import Model, Timing
from stend_unet.validation import (
    check_output,
    check_pixels,
    checked_path,
    checked_threads,
    checked_whole,
    floats,
    sentences,
    shaped,
)

KEPT = 2
"""Sizes whose networks are kept: each has its own copy of the weights, and memory for images."""
LARGEST = 32_768
"""Pixels of a side."""
WANTED = "A network is made from a Model, or from the path of an ONNX file"
WITH_LIBRARY = "blas"
"""The variant that needs another library, and so is none's default."""


class Network:
    """A model that takes images of any size. Not for several threads of Python at once.

    For each size of images a network is readied once, which takes about as long as an image; those
    of the last two sizes are kept.
    """

    def __init__(
        self,
        model: Model | str | Path,
        *,
        precision: str = "float32",
        variant: str | None = None,
        threads: int | None = 1,
    ) -> None:
        """Make one.

        Args:
            model: from `classic`, `read_model` or `shipped`; or the path of an ONNX file, which
                is then not held in memory, but read again for images of another size.
            precision: which numbers products are taken in; sums are float32 in all of them.
                float32, bf16x3 (each float32 as a sum of two bfloat16) or bf16.
            variant: a name of `variants(precision)`; by default this machine's best. "blas"
                multiplies with the fastest BLAS that is installed.
            threads: how many work on an image; None: one for each CPU.

        Raises:
            ModelFileError: the file can't be read, or is not such a network.
            BadOption: this machine has no such precision or variant.
        """
        self._given = model if isinstance(model, Model) else _File(checked_path(model, WANTED))
        tensors = self.model.tensors
        self._inputs, self._outputs = tensors[0].channels, tensors[self.model.output].channels
        self._threads = checked_threads(threads)
        self._precision, self._variant = precision, _chosen(precision, variant)
        self._made: OrderedDict[tuple[int, int], native.Network] = OrderedDict()

    @property
    def model(self) -> Model:
        """What it computes; of a file, read again when a network was readied since.

        Raises:
            ModelFileError: the file was changed meanwhile, or can't be read any more.
        """
        return self._given if isinstance(self._given, Model) else self._given.model()

    @property
    def precision(self) -> str:
        """Which numbers products are taken in."""
        return self._precision

    @property
    def variant(self) -> str:
        """The implementation."""
        return self._variant

    @property
    def threads(self) -> int:
        """How many work on an image."""
        return self._threads

    @property
    def bytes(self) -> int:
        """What the networks that are kept take of memory: weights, tensors, work space."""
        return sum(made.bytes for made in self._made.values())

    def __call__(self, images: ArrayLike) -> NDArray[np.float32]:
        """Give the model's output.

        Sides that the model can't halve often enough are computed as its file pads them to fit;
        where it does not, with the last row and column repeated, and cut again. The same image
        gives the same bits, on any number of threads. Ctrl-C takes effect between two layers; the
        network can still be used. In a child of fork threads are made anew.

        Args:
            images: (height, width) or (channels, height, width) of one image, or (images, channels,
                height, width); any real type, computed in float32.

        Returns:
            (channels, height, width), or (images, channels, height, width) of several.

        Raises:
            BadImages: of another shape or type, or with values that are not finite, or so large
                that the output is not.
            TooLittleMemory: a network for images of this size does not fit into memory.
        """
        given = shaped(images, "images")
        count, height, width = self._checked(given)
        values = floats(given, "The array of images").reshape(count, -1, height, width)
        outputs = np.empty((count, self._outputs, height, width), np.float32)
        made = self.ready(height, width)
        with sentences():
            made.run(values, outputs)
        check_output(outputs)
        return outputs if len(given.shape) == 4 else outputs[0]

    def _checked(self, given: Any) -> tuple[int, int, int]:
        """Give how many images of which height and width."""
        shape, channels = tuple(given.shape), self._inputs
        if len(shape) not in (2, 3, 4):
            raise BadImages(
                "Images must be (height, width), (channels, height, width) or (images, channels, "
                f"height, width), not of shape {shape}."
            )
        check_pixels(given, "images")
        found = shape[-3] if len(shape) > 2 else 1
        if found != channels:
            raise BadImages(
                f"The model takes {channels} channels, and images of shape {shape} have {found}; "
                "several images of one channel are images[:, None]."
            )
        return shape[0] if len(shape) == 4 else 1, shape[-2], shape[-1]

    def ready(self, height: int, width: int) -> native.Network:
        """Give the network for a size, made if none is kept.

        Raises:
            BadOption: there are no images of that size, 1 to 32,768 pixels a side.
            TooLittleMemory: it does not fit.
        """
        size = (
            checked_whole("The images' height", height, 1, LARGEST),
            checked_whole("The images' width", width, 1, LARGEST),
        )
        if size in self._made:
            self._made.move_to_end(size)
            return self._made[size]
        while len(self._made) >= KEPT:
            self._made.popitem(last=False)
        with sentences():
            self._made[size] = native.Network(
                self.model,
                *size,
                self._precision,
                self._variant,
                self._threads,
                sgemm() if self._variant == WITH_LIBRARY else None,
            )
        if isinstance(self._given, _File):
            self._given.forget()
        return self._made[size]

    def timings(self) -> list[Timing]:
        """What was computed as one, in order, and how long it took for the last image.

        Raises:
            BadOption: there was none.
        """
        if not self._made:
            raise BadOption("No image was computed yet; call the network with an image first.")
        return next(reversed(self._made.values())).timings()


class _File:
    """A model in a file, not held beside the weights that networks have of it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._identity = self._identified()
        self._model: Model | None = read_model(file)
        # Else weights lie in files beside it, which may change by themselves.
        self._whole = self._identity is not None and self._identity[1] > self._model.parameters

    def model(self) -> Model:
        if self._model is None:
            model = read_model(self._file)
            if self._identified() != self._identity:
                raise ModelFileError(
                    f"{printable(str(self._file))} was changed after it was read; make a new "
                    "network from it."
                )
            self._model = model
        return self._model

    def forget(self) -> None:
        if self._whole:
            self._model = None

    def _identified(self) -> tuple[int, int, int] | None:
        """What a file has while it is unchanged; None where reading it will say why."""
        with suppress(OSError, ValueError):
            status = self._file.stat()
            return status.st_ino, status.st_size, status.st_mtime_ns
        return None


def precisions() -> list[str]:
    """Names of the numbers that products are taken in, the most exact first."""
    return native.precisions()


def variants(precision: str = "float32") -> list[str]:
    """Names of the implementations that this machine runs, slowest first, the default last.

    Raises:
        BadOption: there is no such precision.
    """
    with sentences():
        return native.variants(str(precision))


def _chosen(precision: str, variant: str | None) -> str:
    known = variants(precision)
    own = [name for name in known if name != WITH_LIBRARY]
    if variant is None and own:
        return own[-1]
    if variant is None:
        here = (name for name in precisions() if set(variants(name)) - {WITH_LIBRARY})
        raise BadOption(
            f"This machine does not support {precision}; it supports {', '.join(here)}."
        )
    if variant not in known:
        raise BadOption(
            f'There is no variant "{printable(str(variant))[:40]}" of {precision} on this machine; '
            f"there are {', '.join(known) or 'none'}."
        )
    return variant
