"""How well projections agree with those from the opposite side, mirrored about any axis.

A projection half a turn later is the same mirrored about the axis of rotation: p(θ + π, s) =
p(θ, 2c - s). Columns are compared by their differences, so that a background, and the sides of the
detector that the sample reaches beyond, don't count as structure. All axes are compared at once: in
Fourier space, mirroring is conjugation and the axis a phase.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stend_tomo.fourier import fast_length, rfft

if TYPE_CHECKING:
    from numpy.typing import NDArray

AT_ONCE = 64
"""Projections whose transforms are compared at once."""
FINER = 8
"""Steps of 2c a pixel: of a sixteenth of a pixel in c; the best is found between them."""


@dataclass(frozen=True)
class Agreement:
    """Correlation of two sets of rows, of which the second is mirrored, for every axis."""

    axes: "NDArray[np.float64]"
    """Detector pixels."""
    score: "NDArray[np.float64]"
    """1 where they are equal, about 0 where they have nothing in common."""
    cross: "NDArray[np.complex128]"
    """Of the transforms of both, by frequency: what the score is made of."""

    def best(self, low: float, high: float) -> tuple[float, float]:
        """Give the axis of the highest score in low … high, and that score.

        Between the steps by a parabola through three.
        """
        inside = np.flatnonzero((self.axes >= low) & (self.axes <= high))
        top = int(inside[np.argmax(self.score[inside])])
        middle = min(max(top, 1), len(self.score) - 2)
        before, here, after = self.score[middle - 1 : middle + 2]
        bend = before - 2 * here + after
        shift = 0.5 * (before - after) / bend if bend < 0 else 0.0
        axis = self.axes[middle] + np.clip(shift, -1, 1) * (self.axes[1] - self.axes[0])
        return float(axis), float(self.score[top])

    def uncertainty(self, axis: float, size: int) -> float:
        """Give the standard deviation of a best axis, in pixels, from how its frequencies disagree.

        At the best axis the cross spectrum, its phase taken off, would be real without noise;
        its imaginary part is noise, and over the score's curvature the axis's error (the
        "sandwich" of White, Econometrica 48, 1980). Padding to twice the length makes two
        neighbouring frequencies one.
        """
        frequency = np.arange(len(self.cross)) / size
        turned = self.cross * np.exp(-4j * np.pi * frequency * (axis - self.axes[0]))
        bend = (frequency**2 * turned.real).sum()
        error = np.sqrt(2 * (frequency**2 * turned.imag**2).sum())
        return float(error / (4 * np.pi * bend)) if bend > 0 else float("inf")


def differences(projections: "NDArray[np.float32]", smooth: float) -> "NDArray[np.float32]":
    """Differences of neighbouring columns under a Gaussian of the standard deviation `smooth`.

    Only where the Gaussian is inside the projections: `trimmed(smooth)` less at each side.
    """
    cut = trimmed(smooth)
    steps = np.diff(projections, axis=2)
    places = np.arange(-cut, cut + 1)
    gaussian = np.exp(-0.5 * (places / smooth) ** 2) if smooth else np.ones(1)
    gaussian /= gaussian.sum()
    width = max(steps.shape[2] - 2 * cut, 0)
    smoothed = np.zeros((*steps.shape[:2], width), np.float32)
    for first, weight in enumerate(gaussian.astype(np.float32)):
        smoothed += weight * steps[:, :, first : first + width]
    return smoothed


def trimmed(smooth: float) -> int:
    """Give how many differences at each side have not the whole Gaussian."""
    return int(np.ceil(3 * smooth))


def transforms(steps: "NDArray[np.float32]") -> "NDArray[np.complex64]":
    """Fourier transforms of rows, padded so that mirrored ones don't meet around the ends."""
    return rfft(steps, padded(steps.shape[2]))


def padded(steps: int) -> int:
    """Give the length of the transforms of rows of so many differences."""
    return fast_length(2 * steps + 16)


@dataclass(frozen=True)
class Spectra:
    """What two stacks of transforms have in common; those of several rows add up."""

    cross: "NDArray[np.complex128]"
    """By frequency."""
    energy: float
    """Of both."""

    def __add__(self, other: "Spectra") -> "Spectra":
        return Spectra(self.cross + other.cross, self.energy + other.energy)

    def agreement(self, steps: int, first: float) -> Agreement:
        """Score every axis by 2 Σ a(s) b(2c - s) / Σ (a² + b²).

        Args:
            steps: how many differences a row had.
            first: where the first of them lies, in detector pixels.
        """
        size = padded(steps)
        sums = np.fft.irfft(np.conj(self.cross), FINER * size)[: FINER * 2 * (steps - 1) + 1]
        sums = sums * (2 * FINER * size)
        axes = np.arange(len(sums)) / (2 * FINER) + first
        return Agreement(axes, sums / self.energy if self.energy > 0 else 0 * sums, self.cross)


def compared(seen: "NDArray[np.complex64]", mirrored: "NDArray[np.complex64]") -> Spectra:
    """Compare transforms of a and of b(-s), each (any, rows, frequencies)."""
    cross = np.zeros(seen.shape[2], np.complex128)
    energy = 0.0
    for first in range(0, len(seen), AT_ONCE):  # sums in double precision, and little of it
        a, b = (part[first : first + AT_ONCE].astype(np.complex128) for part in (seen, mirrored))
        cross += (np.conj(a) * b).sum(axis=(0, 1))
        energy += _energy(a) + _energy(b)
    return Spectra(cross, energy)


def _energy(spectra: "NDArray[np.complex128]") -> float:
    """Sum of squares over all frequencies, the negative ones too."""
    squares = spectra.real**2 + spectra.imag**2
    return float(2 * squares.sum() - squares[..., 0].sum())
