"""The compiled reconstruction; `stend_tomo` is what users import.

Raises ValueError with a sentence for what can't be; arrays of another type are a TypeError.
"""

from collections.abc import Callable
from typing import TypeVar, final

import numpy as np
from numpy.typing import NDArray

_Counts = TypeVar("_Counts", NDArray[np.uint16], NDArray[np.float32])

def algorithms() -> list[str]:
    """Names of all algorithms, the default first."""

def filters() -> list[str]:
    """Names of all filters, the default first."""

def variants(algorithm: str) -> list[str]:
    """Names of an algorithm's variants that this machine runs, slowest first, the default last.

    Of "project" (and backproject), "filter", "rebin_fan" and "fdk", too.
    """

def x86_64_v2() -> bool:
    """Whether the processor has what NumPy's wheels need from 2.4 on."""

def normalize(
    counts: NDArray[np.uint16] | NDArray[np.float32],
    dark: NDArray[np.float32],
    gain: NDArray[np.float32],
    least: float,
    most: float,
    logarithm: bool,
    out: NDArray[np.float32],
    threads: int,
    variant: str = "",
) -> tuple[int, int]:
    """(counts - dark) · gain within limits, or -ln of it; how many limited, how many not finite."""

def remove_zingers(projections: _Counts, share: float, out: _Counts, threads: int) -> int:
    """Replace what is too bright in one image only; how many."""

def remove_stripes(
    projections: NDArray[np.float32],
    window: int,
    out: NDArray[np.float32],
    threads: int,
    variant: str = "",
) -> None:
    """Stripes by sorting."""

def preparation_variants() -> list[str]:
    """Names of the variants of preparation that this machine runs, slowest first."""

def angle_weights(angles: list[float], taper: float) -> list[float]:
    """Each projection's share of the half circle, in radians; the sum is π."""

def phantom(name: str) -> NDArray[np.float64]:
    """Give (ellipsoids, 10): value, a, b, c, x, y, z, phi, theta, psi of each."""

def phantoms() -> list[str]:
    """Names of all phantoms."""

def phantom_variants() -> list[str]:
    """Names of the variants that project phantoms on this machine, slowest first."""

def project_phantom(
    phantom: NDArray[np.float64],
    beam: str,
    source: float,
    detectors: int,
    angles: list[float],
    center: float | None,
    rows: int,
    unit: float | None,
    middle: float | None,
    footprint: str,
    variant: str,
    threads: int,
    first: int,
    out: NDArray[np.float32],
) -> None:
    """Write line integrals of rows from `first` on to (rows, angles, detectors)."""

def draw_phantom(
    phantom: NDArray[np.float64],
    detectors: int,
    size: int,
    pixel: float,
    rows: int,
    unit: float | None,
    middle: float | None,
    lines: int,
    planes: int,
    threads: int,
    first: int,
    out: NDArray[np.float32],
) -> None:
    """Write slices from `first` on to (slices, size, size)."""

@final
class Reconstruction:
    """A geometry and a method with their tables and memory; for one thread at a time."""

    def __init__(
        self,
        detectors: int,
        angles: list[float],
        center: float | None,
        size: int,
        pixel: float,
        algorithm: str,
        filter: str,
        cutoff: float,
        taper: float,
        variant: str,
        threads: int,
    ) -> None: ...
    def run(
        self, sinograms: NDArray[np.float32], slices: NDArray[np.float32], factor: float
    ) -> tuple[int, int, int] | None:
        """Reconstruct (slices, angles, pixels) into (slices, rows, columns), times `factor`.

        Gives where the first value is that is infinite or no number; then the slices are nothing.
        """
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
    @property
    def together(self) -> int:
        """How many slices are reconstructed at once."""
    @property
    def bytes(self) -> int:
        """Of tables and memory."""

@final
class Projector:
    """Line integrals through pixels of one geometry and their transpose; for one thread at a time.

    Both methods give where the first value is that is infinite or no number, having done nothing.
    """

    def __init__(
        self,
        detectors: int,
        angles: list[float],
        center: float | None,
        size: int,
        pixel: float,
        variant: str,
        threads: int,
    ) -> None: ...
    def project(
        self, slices: NDArray[np.float32], sinograms: NDArray[np.float32], factor: float
    ) -> tuple[int, int, int] | None:
        """Project (slices, rows, columns) into (slices, angles, pixels), times `factor`."""
    def back_project(
        self, sinograms: NDArray[np.float32], slices: NDArray[np.float32], factor: float
    ) -> tuple[int, int, int] | None:
        """Project (slices, angles, pixels) back into (slices, rows, columns), times `factor`."""
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
    @property
    def bytes(self) -> int:
        """Of tables and memory."""

@final
class IterativeReconstruction:
    """SIRT or CGLS ("sirt", "cgls") of one geometry; for one thread at a time."""

    def __init__(
        self,
        detectors: int,
        angles: list[float],
        center: float | None,
        size: int,
        pixel: float,
        algorithm: str,
        iterations: int,
        non_negative: bool,
        variant: str,
        threads: int,
    ) -> None: ...
    def run(
        self,
        sinograms: NDArray[np.float32],
        slices: NDArray[np.float32],
        begins_there: bool,
        told: Callable[[int, int, list[float]], None],
    ) -> tuple[int, int, int] | None:
        """Reconstruct (slices, angles, pixels), from what `slices` hold or from zero.

        `told` hears before each iteration of slices that go together: the first of them, how many
        iterations they have had, and the norm of what each leaves. Gives where the first value is
        that is infinite or no number, having done nothing.
        """
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
    @property
    def together(self) -> int:
        """How many slices are iterated at once."""
    @property
    def bytes(self) -> int:
        """Of tables and memory."""

@final
class Filtering:
    """Rows through the ramp filter; for one thread at a time."""

    def __init__(
        self, detectors: int, filter: str, cutoff: float, variant: str, threads: int
    ) -> None: ...
    def run(
        self, sinograms: NDArray[np.float32], to: NDArray[np.float32]
    ) -> tuple[int, int, int] | None:
        """Filter (slices, angles, pixels) into such; gives where one isn't finite."""
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""

@final
class Rebinning:
    """A fan beam's sinograms turned into a parallel beam's; for one thread at a time."""

    def __init__(
        self,
        detectors: int,
        angles: list[float],
        source_to_axis: float,
        source_to_detector: float,
        pitch: float,
        detector: str,
        center: float | None,
        variant: str,
        threads: int,
    ) -> None: ...
    def run(
        self, sinograms: NDArray[np.float32], parallel: NDArray[np.float32]
    ) -> tuple[int, int, int] | None:
        """Turn (slices, angles, pixels) into the same of a parallel beam.

        Gives where the first value is that is infinite or no number, having done nothing.
        """
    @property
    def detectors(self) -> int:
        """Pixels of a parallel row."""
    @property
    def angles(self) -> list[float]:
        """Of the parallel beam."""
    @property
    def center(self) -> float:
        """Of the parallel beam."""
    @property
    def pixel(self) -> float:
        """A parallel pixel's width."""
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""

@final
class ConeReconstruction:
    """A volume of a cone beam's projections; for one thread at a time."""

    def __init__(
        self,
        columns: int,
        rows: int,
        angles: list[float],
        source_to_axis: float,
        source_to_detector: float,
        pitch: float,
        center: float | None,
        center_row: float | None,
        size: int,
        slices: int,
        voxel: float,
        middle: float,
        filter: str,
        cutoff: float,
        variant: str,
        threads: int,
    ) -> None: ...
    def run(
        self, projections: NDArray[np.float32], volume: NDArray[np.float32]
    ) -> tuple[int, int, int] | None:
        """Reconstruct (rows, angles, columns) into (slices, rows, columns).

        Gives where the first value is that is infinite or no number, having done nothing.
        """
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
    @property
    def bytes(self) -> int:
        """Of tables and memory."""
