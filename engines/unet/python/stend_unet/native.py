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
    from pathlib import Path

    raise Missing(
        f"The compiled networks can't be loaded from {Path(__file__).parent} ({error}); "
        "reinstall stend-unet for this Python and machine, or run `pip install ./engines/unet` in "
        "the project's folder. Sources on PYTHONPATH have no compiled part."
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
