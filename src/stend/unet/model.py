"""Models: from ONNX files, from the description of the classic network, and back to files."""

import os
from importlib.resources import files
from pathlib import Path

from stend.printable import printable
from stend.unet import native
from stend.unet.errors import BadOption, ModelFileError
from stend.unet.given import sentences
from stend.unet.native import Model

SHIPPED = "inclusions.onnx"


def classic(
    *, inputs: int = 1, outputs: int = 2, channels: int = 64, depth: int = 4, seed: int = 1
) -> Model:
    """Make the classic U-Net, padded, with pseudo-random weights: the same bits everywhere.

    Ronneberger, Fischer, Brox, "U-Net: Convolutional Networks for Biomedical Image Segmentation",
    MICCAI 2015.

    Args:
        inputs: channels of an image.
        outputs: channels of what comes out.
        channels: of the first level; they double with each one below.
        depth: poolings.
        seed: of the weights, 0 to 2⁶⁴ - 1.

    Raises:
        BadOption: there is no such network, or it has more than 65,536 channels or 12 levels.
    """
    with sentences():
        try:
            return native.classic(inputs, outputs, channels, depth, seed)
        except TypeError:
            given = f"inputs={inputs!r:.20}, outputs={outputs!r:.20}, channels={channels!r:.20}"
            raise BadOption(
                f"A network is described by whole numbers that are not negative, not by {given}, "
                f"depth={depth!r:.20}, seed={seed!r:.20}."
            ) from None


def read_model(file: str | Path | bytes) -> Model:
    """Read a network from an ONNX file, or its bytes.

    Operators that are computed: Conv (3×3, 1×1), ConvTranspose (2×2), MaxPool (2×2), Concat, Relu,
    BatchNormalization, Sigmoid and Softmax at the end, Resize by 2 to the nearest pixel, Constant,
    Identity, Dropout, Cast; Pad and Slice where they change nothing of sides that can be halved.
    Weights that lie beside the file are read from its own folder only; beside bytes there are none.

    Raises:
        ModelFileError: it can't be read, or is no such network; the sentence has the operator.
        TooLittleMemory: its weights don't fit.
    """
    with sentences():
        try:
            if isinstance(file, bytes):
                return native.parse_onnx(file)
            return native.read_onnx(_encoded(Path(file)))
        except native.BadModel as error:
            raise ModelFileError(printable(str(error), name=False)) from None


def _encoded(file: Path) -> bytes:
    """A path as the system takes it, which ends at a NUL."""
    encoded = os.fsencode(file)
    if b"\0" in encoded:
        raise ModelFileError(f"{printable(str(file))} is no name of a file: it has a NUL in it.")
    return encoded


def shipped() -> Model:
    """Give the network that comes with stend: bright and dark inclusions in tomographic slices."""
    return read_model(files("stend.unet").joinpath("models", SHIPPED).read_bytes())


def to_onnx(model: Model, properties: dict[str, str] | None = None) -> bytes:
    """Give the bytes of an ONNX file (IR version 8, operator set 17).

    Args:
        model: from `classic` or a file.
        properties: what the file shall say beside the graph, in place of the model's own.
    """
    return native.to_onnx(model, model.properties if properties is None else properties)
