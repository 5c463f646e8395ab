"""Phase retrieval from one distance, after Paganin et al., Journal of Microscopy 206, 2002.

For a sample of one material in a parallel beam, transmission at the distance z divided in Fourier
space by 1 + z δ/µ |k|² is that in contact, k = 2πf. With µ = 4πβ/λ that is 1 + π λ z (δ/β) |f|².
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stend_tomo.errors import BadOption
from stend_tomo.operators import fast_length, irfft2, rfft2
from stend_tomo.preparation.slabs import floats_of, result_for
from stend_tomo.validation import checked_threads, positive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

PLANCK_TIMES_LIGHT = 1.239841984e-9
"""keV · m (CODATA 2018): over the energy in keV, the wavelength in m."""
REACH = 7
"""Lengths after which the filter's kernel, K₀(r/length), is below a thousandth."""
WIDEST = 1 << 15
"""Pixels over which it may blur: as many as a row of the detector has at most."""


@dataclass(frozen=True)
class Paganin:
    """How the images were taken, and of what.

    Raises:
        BadOption: a number is not above 0, or the filter reaches further than 32,768 pixels.
    """

    energy: float
    """keV."""
    distance: float
    """From the sample to the detector, mm."""
    pixel: float
    """Side of a detector pixel, mm."""
    delta_beta: float
    """δ/β of the sample's material, its refractive index being 1 - δ + iβ."""

    def __post_init__(self) -> None:
        for name in ("energy", "distance", "pixel", "delta_beta"):
            positive(getattr(self, name), f"Phase retrieval's {name.replace('_', ' / ')}")
        if not self._reach < WIDEST:
            raise BadOption(
                f"Phase retrieval with δ/β = {self.delta_beta:g} at {self.distance:g} mm and "
                f"{self.energy:g} keV blurs over {self._reach:.4g} pixels of {self.pixel:g} mm; "
                f"at most {WIDEST:,} are possible; check the units: keV and mm."
            )

    @property
    def strength(self) -> float:
        """π λ z (δ/β) in squared pixels."""
        wavelength = PLANCK_TIMES_LIGHT / self.energy * 1e3  # mm
        return math.pi * wavelength * self.distance * self.delta_beta / self.pixel / self.pixel

    @property
    def margin(self) -> int:
        """Rows above and below a slab that its result depends on."""
        return math.ceil(self._reach) + 1

    @property
    def _reach(self) -> float:
        return REACH * math.sqrt(self.strength) / (2 * math.pi)


def retrieve(
    transmission: "ArrayLike",
    how: Paganin,
    *,
    out: "NDArray[np.float32] | None" = None,
    threads: int | None = None,
) -> "NDArray[np.float32]":
    """Turn transmission at a distance into that in contact; `minus_log` of it is µ · thickness.

    A slab of rows is NOT enough: give whole frames, or `how.margin` rows more above and below, and
    throw these away afterwards. Images are mirrored at their sides.

    Args:
        transmission: (angles, rows, columns).
        how: energy, distance, pixel, and the material.
        out: float32 of the same shape; may be the transmission itself.
        threads: by default one for each CPU that this process may use.

    Raises:
        BadProjections: a wrong shape or type, or a value that is not finite.
        BadBuffer: `out` can't take the result.
    """
    given = floats_of(transmission, "transmission")
    result = result_for(given, out, np.float32)
    rows, columns = (_padded(side, how.margin) for side in given.shape[1:])
    squared = np.fft.fftfreq(rows)[:, None] ** 2 + np.fft.rfftfreq(columns) ** 2
    response = (1 / (1 + how.strength * squared)).astype(np.float32)
    pads = [
        ((padded - side) // 2, (padded - side + 1) // 2)
        for padded, side in ((rows, given.shape[1]), (columns, given.shape[2]))
    ]
    inside = tuple(
        slice(before, before + side)
        for (before, _), side in zip(pads, given.shape[1:], strict=True)
    )
    workers = checked_threads(threads)
    for image, to in zip(given, result, strict=True):
        spectrum = rfft2(np.pad(image, pads, mode="symmetric"), workers)
        to[...] = irfft2(spectrum * response, (rows, columns), workers)[inside]
    return result


def bytes_retrieving(rows: int, columns: int, how: Paganin) -> int:
    """Give what `retrieve` takes beside its result: one image, padded, and its transforms."""
    padded = _padded(rows, how.margin) * _padded(columns, how.margin)
    return 26 * padded  # seen: 22, and the filter's while it is made 12


def _padded(side: int, margin: int) -> int:
    return fast_length(side + 2 * margin)
