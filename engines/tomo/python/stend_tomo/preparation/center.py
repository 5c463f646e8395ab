"""The axis of rotation, found in projections: where it meets the detector, in pixels.

A projection half a turn later is the same mirrored about the axis of rotation: p(θ + π, s) =
p(θ, 2c - s). Columns are compared by their differences, so that a background, and the sides of the
detector that the sample reaches beyond, don't count as structure. All axes are compared at once: in
Fourier space, mirroring is conjugation and the axis a phase.

A scan of more than half a turn sees some directions from both sides, and these are compared. One
of half a turn is completed to a whole one by its own mirrored projections, after Vo, Drakopoulos,
Atwood and Reinhard, Reliable method for calculating the center of rotation in parallel-beam
tomography, Optics Express 22(16), 2014: with the right axis, the Fourier transform of the sinogram
is empty outside a double wedge, where |k| > 2πRf. The energy there is a sum of two parts and their
cross term, so that one transform has it for all axes; the paper tries them one after the other.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.errors import BadOption, BadProjections, Parameter
from stend_tomo.operators import fast_length, fft, rfft
from stend_tomo.preparation.slabs import floats_of
from stend_tomo.validation import check_count, checked_angles, real

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


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


FEWEST = 8
"""Projections below which there is nothing to compare."""
ENOUGH_PAIRS = 8
"""Directions seen from both sides that tell more than completing half a turn does."""
SMOOTH = 3.0
"""Pixels, standard deviation of the Gaussian against noise. 1 to 3 were tried on noisy ellipses,
256 columns: 3 has half the error of 1 in noise, and still 0.02 pixels or less without."""
BEYOND = 2 * trimmed(SMOOTH)
"""Columns that are added at each side, where nothing changes any more: a sample that reaches
close to a side is compared whole."""
FIRST = 0.5 + trimmed(SMOOTH) - BEYOND
"""Where the first difference lies."""
NARROWEST = 16
"""Columns below which there is nothing to compare."""
LOWEST_ORDER = 3
"""Angular orders up to here also hold what the wedge leaks, and are left out."""
BY_CHANCE = 0.05
"""Agreement outside the wedge that noise alone stays below: ten times what was seen of it."""
PIXEL = 75
"""Bytes a pixel of one row that its transforms take, of half a turn and its completion to one."""
MOST_UNCERTAIN = 0.5
"""A standard deviation in pixels above which an axis counts as not found."""


@dataclass(frozen=True)
class Center:
    """Where the axis of rotation projects to."""

    position: float
    """Detector pixels, from 0 at the middle of the first one."""
    agreement: float
    """1 where projections and their mirrored opposites are equal; noise lowers it."""
    uncertainty: float
    """Standard deviation of the position, estimated from the projections; pixels."""
    chance: float
    """The agreement that projections of nothing but noise could have."""

    @property
    def found(self) -> bool:
        """Whether to rely on it; if not, look at pictures of several axes (`pictures`)."""
        return self.agreement > self.chance and self.uncertainty <= MOST_UNCERTAIN


def find_center(
    projections: "ArrayLike",
    angles: "ArrayLike",
    *,
    within: tuple[float, float] | None = None,
) -> Center:
    """Find the axis of rotation of a parallel beam's scan of about half a turn or more.

    One row is enough, several are better: they count together. A scan of a whole turn whose axis is
    near a side of the detector is for `find_overlap`. Of samples wider than the detector, half a
    turn gives the axis to half a pixel or so only.

    Args:
        projections: line integrals, (angles, rows, columns), best without stripes.
        angles: radians, one per projection, in any order; from half a turn, or a few degrees less.
        within: the first and the last axis to consider, in pixels; the middle three quarters of
            the detector unless given.

    Raises:
        BadProjections: wrong shapes, values that are not numbers, or too few of them.
        BadAngles: not one per projection, or in degrees.
        BadOption: `within` is not on the detector, or is narrower than steps of looking.
    """
    given = floats_of(projections)
    radians = checked_angles(angles)
    check_count(len(radians), given.shape[0])
    columns = given.shape[2]
    if given.shape[0] < FEWEST or columns < NARROWEST:
        raise BadProjections(
            f"The axis can't be found in {given.shape[0]} projections of {columns} columns; at "
            f"least {FEWEST} of {NARROWEST} are needed."
        )
    low, high = _range(within, columns)
    order = np.argsort(radians, kind="stable")
    turned = radians[order] - radians[order[0]]
    first, second = pairs(turned)
    steps = columns + 2 * BEYOND - 1 - 2 * trimmed(SMOOTH)
    if len(first) >= ENOUGH_PAIRS:
        rows = (_row(given[order, row]) for row in range(given.shape[1]))
        spectra = [compared(between(row, second), -np.conj(row[first])) for row in rows]
        chance = by_chance(len(first) * given.shape[1] * columns, SMOOTH)
    else:
        half = turned < np.pi * (1 - 1e-6)
        rows = (_row(given[order[half], row]) for row in range(given.shape[1]))
        spectra = [_of_half_a_turn(row, turned[half], steps, columns / 2) for row in rows]
        chance = BY_CHANCE
    agreement = sum(spectra[1:], spectra[0]).agreement(steps, FIRST)
    position, score = agreement.best(low, high)
    uncertainty = agreement.uncertainty(position, padded(steps))
    return Center(position, score, uncertainty, chance)


def bytes_finding(angles: int, columns: int) -> int:
    """Give what `find_center` takes beside the projections: one row is looked at at a time."""
    return PIXEL * angles * (columns + 2 * BEYOND)


def _row(sinogram: "NDArray[np.float32]") -> "NDArray[np.complex64]":
    """Transforms of one row's projections, (angles, 1, frequencies)."""
    beyond = np.pad(sinogram[:, None], ((0, 0), (0, 0), (BEYOND, BEYOND)), mode="edge")
    return transforms(differences(beyond, SMOOTH))


def by_chance(samples: float, smooth: float) -> float:
    """Give the correlation of so many samples of noise that isn't exceeded: 6 standard deviations.

    Under a Gaussian, 2√π times its standard deviation of samples are as good as one.
    """
    return float(6 / np.sqrt(samples / (2 * np.sqrt(np.pi) * smooth)))


def _range(within: tuple[float, float] | None, columns: int) -> tuple[float, float]:
    if within is None:
        return (columns - 1) / 8, (columns - 1) * 7 / 8
    try:
        first, last = within
    except (TypeError, ValueError):
        raise BadOption(
            f"The axes to look for are (first, last), not {within!r:.40}.", parameter="within"
        ) from None
    low, high = (real(side, Parameter("within", "An axis to look for")) for side in (first, last))
    if not 1 <= low <= high - 1 / FINER <= columns - 2 - 1 / FINER:
        raise BadOption(
            f"Axes from {low:g} to {high:g} can't be looked for: the first comes before the last, "
            f"by {1 / FINER} pixels at least, and both are 1 to {columns - 2} on this detector.",
            parameter="within",
        )
    return low, high


def pairs(turned: "NDArray[np.float64]") -> tuple["NDArray[np.int64]", "NDArray[np.float64]"]:
    """Give which projections have an opposite half a turn later, and where it lies among them.

    The angles are in order, from 0; a place of 7.25 is between projections 7 and 8.
    """
    opposite = turned + np.pi
    first = np.flatnonzero(opposite <= turned[-1] + 1e-9)
    return first, np.interp(opposite[first], turned, np.arange(len(turned)))


def between(rows: "NDArray[Any]", places: "NDArray[np.float64]") -> "NDArray[Any]":
    """Give rows at places between them, linearly."""
    below = np.minimum(np.floor(places).astype(int), len(rows) - 1)
    above = np.minimum(below + 1, len(rows) - 1)
    share = (places - below).astype(np.float32).reshape(-1, *[1] * (rows.ndim - 1))
    return np.asarray((1 - share) * rows[below] + share * rows[above])


def _of_half_a_turn(
    rows: "NDArray[np.complex64]", turned: "NDArray[np.float64]", steps: int, radius: float
) -> Spectra:
    """Compare where half a turn ends with where it begins, outside the double wedge."""
    seen, mirrored = (fft(part) for part in _completed(rows, turned))
    orders = np.abs(np.fft.fftfreq(len(seen), 1 / len(seen)))
    widest = 2 * np.pi * radius * np.fft.rfftfreq(padded(steps))
    empty = (orders[:, None] > widest + LOWEST_ORDER)[:, None, :]
    seen *= empty
    mirrored *= empty
    # There the two parts cancel: one is the other's negative.
    return compared(seen, np.negative(mirrored, out=mirrored))


def _completed(
    rows: "NDArray[np.complex64]", turned: "NDArray[np.float64]"
) -> tuple["NDArray[np.complex64]", "NDArray[np.complex64]"]:
    """Give a whole turn in even steps as what was seen and what is mirrored; their sum is the turn.

    Linear between the angles on either side, also where a gap remains between the half turns.
    """
    count = len(rows)
    around = np.concatenate([turned, turned + np.pi])
    even = np.arange(2 * count) * np.pi / count
    below = np.searchsorted(around, even + 1e-9, side="right") - 1
    above = (below + 1) % (2 * count)
    gap = (around[above] - around[below]) % (2 * np.pi)
    share = np.clip((even - around[below]) / gap, 0, 1)
    seen = np.zeros((2 * count, *rows.shape[1:]), np.complex64)
    mirrored = np.zeros_like(seen)
    for source, weight in ((below, 1 - share), (above, share)):
        weights = weight.astype(np.float32)[:, None, None]
        plain = source < count
        seen[plain] += weights[plain] * rows[source[plain]]
        mirrored[~plain] -= weights[~plain] * np.conj(rows[source[~plain] - count])
    return seen, mirrored
