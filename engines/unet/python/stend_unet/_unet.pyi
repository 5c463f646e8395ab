"""The compiled inference of U-Nets; `stend_unet` is what users import.

Raises ValueError with a sentence for what can't be; arrays of another type are a TypeError.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

def precisions() -> list[str]:
    """Names of the numbers that products are taken in, the most exact first."""

def variants(precision: str) -> list[str]:
    """Names of what this machine runs in that precision, slowest first, the default last."""

def x86_64_v2() -> bool:
    """Whether the processor has what NumPy's wheels need from 2.4 on."""

def classic(
    inputs: int = 1, outputs: int = 2, channels: int = 64, depth: int = 4, seed: int = 1
) -> Model:
    """Ronneberger's network of 2015, padded, with pseudo-random weights."""

class BadModel(ValueError):
    """An ONNX file is malformed, or not computed here."""

def read_onnx(file: bytes) -> Model:
    """From a file, whose path is as the file system has it."""

def parse_onnx(bytes: bytes) -> Model:
    """From a file's bytes."""

def to_onnx(model: Model, properties: dict[str, str]) -> bytes:
    """A file's bytes."""

@final
class Tensor:
    """What layers read and make."""

    @property
    def name(self) -> str: ...
    @property
    def channels(self) -> int: ...
    @property
    def level(self) -> int:
        """Its height and width are the input's, halved so many times."""

@final
class Layer:
    """A layer without its weights."""

    @property
    def name(self) -> str: ...
    @property
    def operation(self) -> str:
        """Convolution, transposed convolution or max pooling."""

    @property
    def activation(self) -> str:
        """What follows it: none, relu, sigmoid or softmax."""

    @property
    def inputs(self) -> list[int]:
        """Tensors, whose channels follow on each other."""

    @property
    def output(self) -> int:
        """The tensor it makes."""

    @property
    def kernel(self) -> int:
        """The side of its kernel, in pixels."""

    @property
    def weights(self) -> int:
        """How many it has."""

    @property
    def biases(self) -> int:
        """How many it has."""

@final
class Model:
    """Tensors, and the layers that make one from others."""

    @property
    def tensors(self) -> list[Tensor]:
        """The first is the input."""

    @property
    def layers(self) -> list[Layer]:
        """In the order in which they run."""

    @property
    def output(self) -> int:
        """The tensor that is the model's output."""

    @property
    def properties(self) -> dict[str, str]:
        """What its file says beside the graph."""

    @property
    def granularity(self) -> int:
        """Sides that are multiples of it can be halved as often as the model does."""

    @property
    def pads_to_fit(self) -> bool:
        """Whether other sides are halved rounding down, and zeros put in their place again."""

    def computed_side(self, pixels: int) -> int:
        """How many pixels of a side are computed: so many, or the next multiple."""

    @property
    def parameters(self) -> int:
        """How many weights and biases it has."""

    def direct_flops(self, height: int, width: int) -> float:
        """Additions and multiplications of one image by direct convolution."""

    def layer_flops(self, height: int, width: int) -> list[float]:
        """The same of each layer."""

@final
class Timing:
    """What was computed as one, and how long it took for the last image."""

    @property
    def layers(self) -> str:
        """Their names, with " + " between those computed together."""

    @property
    def direct_flops(self) -> float:
        """What literature counts for it."""

    @property
    def flops(self) -> float:
        """What the variant really multiplies and adds in its matrix products."""

    @property
    def seconds(self) -> float: ...

@final
class Sgemm:
    """A BLAS, loaded; RuntimeError where it can't be."""

    def __init__(
        self,
        *,
        name: str,
        before: list[str],
        blas: str,
        lapack: str,
        prefix: str,
        suffix: str,
        wide: bool,
        set_threads: str,
        threads_variable: str,
        version: str,
    ) -> None: ...

@final
class Network:
    """A model with its weights and memory, for images of one size; for one thread at a time."""

    def __init__(
        self,
        model: Model,
        height: int,
        width: int,
        precision: str = "float32",
        variant: str = "",
        threads: int = 1,
        sgemm: Sgemm | None = None,
    ) -> None: ...
    def run(self, images: NDArray[np.float32], outputs: NDArray[np.float32]) -> None:
        """Take (images, channels, height, width) to outputs of the same order, both contiguous."""

    @property
    def variant(self) -> str: ...
    @property
    def bytes(self) -> int:
        """All that is kept: weights, tensors, work space."""

    def timings(self) -> list[Timing]:
        """Of the last image, in the order of computing."""
