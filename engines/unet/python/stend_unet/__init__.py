"""U-Nets on CPUs: images through a network, and what is to be seen in tomographic slices.

    segment(slices)                         (slices, rows, columns) → the class of each pixel
    Network("model.onnx")(images)           a U-Net in an ONNX file, on images of any size
    Network(classic())(images)              the network of 2015, with pseudo-random weights
    read_model, shipped, to_onnx            ONNX files → models, and back
    precisions(), variants("float32")       what this machine runs

docs/unet.md has examples, what is read of ONNX, and how exact each precision is.
"""

import importlib
import sys
from typing import TYPE_CHECKING, Any

from stend_unet.processor import NumPyCheck

if TYPE_CHECKING:
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
    from stend_unet.picture import overlay
    from stend_unet.segmentation import Segmenter, segment

_HOMES = {
    "BadBuffer": "errors",
    "BadImages": "errors",
    "BadOption": "errors",
    "Layer": "native",
    "Model": "native",
    "ModelFileError": "errors",
    "Network": "network",
    "Segmenter": "segmentation",
    "Tensor": "native",
    "Timing": "native",
    "TooLittleMemory": "errors",
    "UnetError": "errors",
    "classic": "model",
    "overlay": "picture",
    "precisions": "network",
    "read_model": "model",
    "segment": "segmentation",
    "shipped": "model",
    "to_onnx": "model",
    "variants": "network",
}
"""Names and the modules that they are in."""

sys.meta_path.insert(0, NumPyCheck())


def __getattr__(name: str) -> Any:
    """Import a name when it is asked for: help and refusals come without NumPy."""
    if name in _HOMES:
        found = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    if name in _HOMES.values():
        return importlib.import_module(f"{__name__}.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("stend-unet")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
