"""U-Nets on CPUs: images through a network, and what is to be seen in tomographic slices.

    segment(slices)                         (slices, rows, columns) → the class of each pixel
    Network("model.onnx")(images)           a U-Net in an ONNX file, on images of any size
    Network(classic())(images)              the network of 2015, with pseudo-random weights
    read_model, shipped, to_onnx            ONNX files → models, and back
    precisions(), variants("float32")       what this machine runs

docs/unet.md has examples, what is read of ONNX, and how exact each precision is.
"""

from typing import Any

from stend_unet.errors import (
    BadBuffer,
    BadImages,
    BadOption,
    ModelFileError,
    TooLittleMemory,
    UnetError,
)
from stend_unet.model import classic, read_model, shipped, to_onnx
from stend_unet.native import Layer, Model, Tensor, Timing
from stend_unet.network import Network, precisions, variants
from stend_unet.overlay import overlay
from stend_unet.segmentation import Segmenter, segment

__all__ = [
    "BadBuffer",
    "BadImages",
    "BadOption",
    "Layer",
    "Model",
    "ModelFileError",
    "Network",
    "Segmenter",
    "Tensor",
    "Timing",
    "TooLittleMemory",
    "UnetError",
    "classic",
    "overlay",
    "precisions",
    "read_model",
    "segment",
    "shipped",
    "to_onnx",
    "variants",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("stend-unet")
    raise AttributeError(f"module 'stend_unet' has no attribute {name!r}")
