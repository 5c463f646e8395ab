"""Models: from ONNX files, from the description of the classic network, and back to files."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from stend_unet import native
from stend_unet.errors import LIMIT, BadOption, ModelFileError, printable
from stend_unet.native import Model
from stend_unet.validation import checked_model, checked_path, checked_whole, sentences

SHIPPED = "inclusions.onnx"
MOST_CHANNELS, MOST_LEVELS = 65_536, 12


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
        return native.classic(
            checked_whole("The number of inputs", inputs, 0, MOST_CHANNELS),
            checked_whole("The number of outputs", outputs, 0, MOST_CHANNELS),
            checked_whole("The number of channels", channels, 0, MOST_CHANNELS),
            checked_whole("The depth", depth, 0, MOST_LEVELS),
            checked_whole("The seed", seed, 0, 2**64 - 1),
        )


def read_model(file: str | Path | bytes | bytearray | memoryview) -> Model:
    """Read a network from an ONNX file, or its bytes.

    Operators that are computed: Conv (3×3, 1×1), ConvTranspose (2×2), MaxPool (2×2), Concat, Relu,
    BatchNormalization, Sigmoid and Softmax at the end, Resize by 2 to the nearest pixel, Constant,
    Identity, Dropout, Cast; Pad and Slice where they change nothing of sides that can be halved.
    Weights that lie beside the file are read from its own folder only; beside bytes there are none.

    Raises:
        ModelFileError: it can't be read, or is no such network; the sentence has the operator.
        BadOption: it is neither a path nor bytes.
        TooLittleMemory: its weights don't fit.
    """
    with sentences():
        if isinstance(file, (bytes, bytearray, memoryview)):
            with named(None):
                return native.parse_onnx(bytes(file))
        path = checked_path(file, "An ONNX file must be given as a path or bytes")
        with named(path):
            return native.read_onnx(_encoded(path))


@contextmanager
def named(file: str | Path | None) -> Iterator[None]:
    """Say of what is wrong with a model in which file it is, where it is in one.

    Raises:
        ModelFileError: where the compiled part refused it, or what is computed from it.
    """
    try:
        yield
    except (native.BadModel, ModelFileError) as error:
        said = printable(str(error), 10 * LIMIT)
        if file is not None and printable(str(file)) not in said:
            said = f"{printable(str(file))}: {said}"
        raise ModelFileError(said) from None


def _encoded(file: Path) -> bytes:
    """A path as the system takes it, which ends at a NUL."""
    encoded = os.fsencode(file)
    if b"\0" in encoded:
        raise ModelFileError(f"{printable(str(file))} is not a valid file name: it contains a NUL.")
    return encoded


def shipped() -> Model:
    """Give the network that comes with stend: bright and dark inclusions in tomographic slices."""
    return read_model((Path(__file__).parent / "models" / SHIPPED).read_bytes())


def to_onnx(model: Model, properties: Mapping[str, str] | None = None) -> bytes:
    """Give the bytes of an ONNX file (IR version 8, operator set 17).

    Args:
        model: from `classic` or a file.
        properties: what the file shall say beside the graph, in place of the model's own.

    Raises:
        BadOption: these are no model or no texts, or the file would have more than 2 GB.
    """
    said = checked_model(model).properties if properties is None else properties
    if not isinstance(said, Mapping) or not all(
        isinstance(text, str) for pair in said.items() for text in pair
    ):
        raise BadOption("Properties of a file must be a dict of str to str.")
    with sentences():
        return native.to_onnx(model, dict(said))
