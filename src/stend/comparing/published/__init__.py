"""Figures that the literature gives, to set a measured machine beside: as data, and as runs.

One data file a subject. `ciphers.csv`: one core, ECB, about 1 GB without a change of the key.
`tomography.csv`: whole volumes, on one thread and on as many as it says. `storage.csv`: six
workloads of fio on storage systems. `unet.csv`: U-Net inference on one core. `threads.csv`:
operations of pthread. `linpack.csv` and `fft.csv`: systems of equations and a Fourier transform.
`processors.csv`: the processors of all these.
"""

from stend.comparing.published.cases import SLICES, Named, named_cases, operation_of, settings
from stend.comparing.published.figures import (
    MIB,
    WORKLOADS,
    CipherFigure,
    EquationsFigure,
    Figure,
    InferenceFigure,
    OperationFigure,
    StorageFigure,
    TransformFigure,
    VolumeFigure,
    ciphers,
    equations,
    inference,
    operations,
    storage,
    transforms,
    volumes,
)
from stend.comparing.published.machines import in_full, year
from stend.comparing.published.named import names, run, runs
from stend.comparing.published.sources import SOURCES, Source

__all__ = [
    "MIB",
    "SLICES",
    "SOURCES",
    "WORKLOADS",
    "CipherFigure",
    "EquationsFigure",
    "Figure",
    "InferenceFigure",
    "Named",
    "OperationFigure",
    "Source",
    "StorageFigure",
    "TransformFigure",
    "VolumeFigure",
    "ciphers",
    "equations",
    "in_full",
    "inference",
    "named_cases",
    "names",
    "operation_of",
    "operations",
    "run",
    "runs",
    "settings",
    "storage",
    "transforms",
    "volumes",
    "year",
]
