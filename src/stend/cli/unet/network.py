"""Which network is run, and in which way, as it is said on the command line."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class PrecisionName(StrEnum):
    """A name of `stend_unet.precisions()`."""

    FLOAT32 = "float32"
    BF16X3 = "bf16x3"
    BF16 = "bf16"


class FormatName(StrEnum):
    """A name of `stend_tomo.FORMATS`."""

    DICOM = "dicom"
    PNG = "png"
    TIFF = "tiff"
    HDF5 = "hdf5"
    ZARR = "zarr"


MODEL_HELP = "An ONNX file; by default the network that comes with stend, which finds inclusions."
Precision = Annotated[
    PrecisionName,
    typer.Option(
        "--precision",
        help="Precision of the products. bf16x3 and bf16 are less exact, need a processor "
        "that supports them, and are faster if layers have many channels: the classic "
        "network with 64, but not a small one with 8. Compare with `stend unet info "
        "MODEL --time`.",
    ),
]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="Default: one for each CPU.")
]
Model = Annotated[
    Path | None,
    typer.Option("--model", metavar="FILE.onnx", readable=False, help=MODEL_HELP),
]
