"""The compiled networks, or a sentence that says how to get them."""

from stend_unet.errors import Missing

try:
    from stend_unet._unet import (
        BadModel,
        Layer,
        Model,
        Network,
        Sgemm,
        Tensor,
        Timing,
        classic,
        parse_onnx,
        precisions,
        read_onnx,
        to_onnx,
        variants,
    )
except ImportError as error:
    raise Missing(
        f"The compiled networks can't be loaded ({error}); build them with `pip install "
        "./engines/unet` in the project's folder."
    ) from error

__all__ = [
    "BadModel",
    "Layer",
    "Model",
    "Network",
    "Sgemm",
    "Tensor",
    "Timing",
    "classic",
    "parse_onnx",
    "precisions",
    "read_onnx",
    "to_onnx",
    "variants",
]
