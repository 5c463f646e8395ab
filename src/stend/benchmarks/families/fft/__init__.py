"""The two-dimensional complex Fourier transform, with every library found.

Forward, double precision, out of place, on one thread. Operations are counted as in the literature,
5·N·log2 N for N = rows·columns, whatever the algorithm really does (benchFFT, Frigo and Johnson
2005); bytes are those that must be read and written once.
"""

import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from stend.benchmarks.definition import ALL, About, Case, benchmark
from stend.benchmarks.needs import memory_lacks
from stend.benchmarks.parameters import SameAs, Size, whole
from stend.processes.packages import install
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

QUICK = (512, 500)
"""A power of two, and a size of small odd primes (2²·5³); --full has larger primes (511 = 7·73)."""

WAVES = 1 << 28
"""Bytes that the proof's matrices of waves take at most beside its arrays."""

FULL = (256, 480, 500, 511, 512, 513, 1024)


def _rows(machine: Machine, size: Size) -> tuple[int, ...]:
    if size == "full":
        return FULL
    return QUICK if size == "quick" else (60,)


def _fits(case: Case, machine: Machine) -> str | None:
    what = f"a transform of {case.rows} × {case.columns} and its proof"
    rows, columns = int(case.rows), int(case.columns)
    wanted = 96 * rows * columns + min(WAVES, 48 * max(rows, columns) ** 2)
    return memory_lacks(what, wanted, machine, "rows=N and --set columns=N")


def _variants() -> Sequence["native.Variant"]:
    from stend.benchmarks.families.fft.libraries import variants

    return variants()


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """NumPy has SciPy's transform, slower: where both are installed, only SciPy's."""
    if size == "full":
        return (ALL,)
    pocketfft = "scipy" if find_spec("scipy") else "numpy"
    return (pocketfft, "fftw", "mkl")


def _work(case: Case) -> Work:
    points = int(case.rows) * int(case.columns)
    return Work(flops=5 * points * math.log2(points), bytes=32 * points)


@benchmark(
    "fft.complex2d",
    question="How many operations a second does a 2D complex Fourier transform make?",
    parameters={
        "rows": whole("rows of the array", _rows, least=2, most=1 << 20),
        "columns": whole(
            "columns of the array; by default as many as rows",
            lambda machine, size: (SameAs("rows"),),
            least=2,
            most=1 << 20,
        ),
    },
    metric=Metric(name="rate", unit="FLOP/s", better="higher"),
    work=_work,
    variants=_variants,
    takes=_takes,
    needs=_fits,
    about=About(
        work="5·N·log2 N floating-point operations for N = rows · columns, whatever the algorithm "
        "really does.",
        proof="The input's first element counts the repetitions, and every element of the "
        "spectrum contains it once. After each batch 16 elements are compared with their "
        "defining sums; at the end, whole rows and columns and, by Parseval, the total "
        "energy.",
        bound="The library. Arrays larger than the second-level cache wait for memory between the "
        "passes over rows and columns.",
        reading="The report compares it with the processor's peak. Sizes with large prime "
        "factors are slower: 511 = 7·73 reaches a half to a ninth of the rate of 512 "
        "(`peers/fft`).",
        rooms=("native/kernels/fft",),
        installs={
            "scipy": "pip install scipy",
            "fftw": install("fftw", "apt-get"),
            "mkl": "pip install mkl",
        },
    ),
)
def complex2d(case: Case) -> "native.Kernel":
    """One execution transforms the array once."""
    from stend import native
    from stend.benchmarks.families.fft.libraries import library
    from stend.benchmarks.families.fft.transform import Transform

    return native.sampler.work(Transform(library(str(case.variant)), case.rows, case.columns))
