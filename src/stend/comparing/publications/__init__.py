"""Figures of the literature, as data and as runs that measured ones are compared with.

One data file a subject. `ciphers.csv`: one core, ECB, about 1 GB without a change of the key.
`tomography.csv`: whole volumes, on one thread and on as many as it says. `storage.csv`: six
workloads of fio on storage systems. `unet.csv`: U-Net inference on one core. `threads.csv`:
operations of pthread. `linpack.csv` and `fft.csv`: systems of equations and a Fourier transform.
`processors.csv`: the processors of all these.
"""

from stend.comparing.publications.figures import (
    MIB,
    SOURCES,
    WORKLOADS,
    CipherFigure,
    EquationsFigure,
    Figure,
    InferenceFigure,
    OperationFigure,
    Source,
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
from stend.comparing.publications.machines import in_full, year
from stend.comparing.publications.runs import (
    SLICES,
    Named,
    named_cases,
    names,
    operation_of,
    run,
    runs,
    settings,
)

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
