"""U-Nets on CPUs: images through a network, and what is to be seen in tomographic slices.

    segment(slices)                         (slices, rows, columns) → the class of each pixel
    Network("model.onnx")(images)           a U-Net in an ONNX file, on images of any size
    Network(classic())(images)              the network of 2015, with pseudo-random weights
    read_model, shipped, to_onnx            ONNX files → models, and back
    precisions(), variants("float32")       what this machine runs

docs/unet.md has examples, what is read of ONNX, and how exact each precision is.
"""

from stend.unet.errors import (
    BadBuffer,
    BadImages,
    BadOption,
    ModelFileError,
    TooLittleMemory,
    UnetError,
)
from stend.unet.model import classic, read_model, shipped, to_onnx
from stend.unet.native import Layer, Model, Tensor, Timing
from stend.unet.network import Network, precisions, variants
from stend.unet.overlay import overlay
from stend.unet.segmentation import Segmenter, segment

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
