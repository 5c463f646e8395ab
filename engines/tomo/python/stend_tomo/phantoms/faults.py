"""What goes wrong on the way from an object to a file: noise, uneven detectors, hits by stray rays.

Each takes a seeded `numpy.random.Generator`, so that it can be had again. An axis that is not in
the middle is no fault to add: `line_integrals(…, center=…)` has it exactly.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_tomo.errors import BadOption, Parameter
from stend_tomo.scan import Scan
from stend_tomo.validation import not_negative, positive

Floats = NDArray[np.float32]


def noisy(
    projections: ArrayLike,
    photons: float,
    rng: np.random.Generator,
    *,
    attenuation: float = 1.0,
) -> Floats:
    """Give line integrals as a counting detector measures them.

    Args:
        projections: Line integrals, of any shape.
        photons: Expected in a pixel when nothing is in the way.
        rng: Where chance comes from.
        attenuation: Of the value 1, along a detector pixel's side.

    Returns:
        -ln(counts / photons) / attenuation; a pixel that counted nothing counts as one photon.

    Raises:
        BadOption: the photons or the attenuation are not above 0.
    """
    count = rng.poisson(expected(projections, photons, attenuation))
    transmission = np.maximum(count, 1) / photons
    return np.asarray(-np.log(transmission) / attenuation, np.float32)


def expected(projections: ArrayLike, photons: float, attenuation: float) -> NDArray[np.float64]:
    """Give Beer's and Lambert's number of photons behind the object."""
    positive(photons, Parameter("photons", "The number of photons"))
    positive(attenuation, Parameter("attenuation", "The attenuation of the value 1"))
    behind = np.exp(-attenuation * np.asarray(projections, np.float64))
    return np.asarray(photons * behind)


def ringed(
    projections: Floats, spread: float, rng: np.random.Generator, *, share: float = 1.0
) -> Floats:
    """Add to each detector pixel's line integrals an error of its own, the same at all angles.

    Args:
        projections: (angles, rows, columns).
        spread: The errors' standard deviation, in units of line integrals.
        rng: Where chance comes from.
        share: Of the pixels that have one.

    Returns:
        New projections; slices of them have rings.
    """
    not_negative(spread, Parameter("spread", "The spread of rings"))
    errors = rng.normal(0, spread, projections.shape[1:])
    errors *= rng.random(errors.shape) < share
    return projections + errors.astype(np.float32)


def zingered(
    frames: NDArray[np.generic], share: float, height: float, rng: np.random.Generator
) -> NDArray[np.generic]:
    """Let stray rays hit the detector: single pixels of single images that are far too bright.

    Args:
        frames: Images, of any shape and type.
        share: Of all pixels that are hit.
        height: What a hit adds at most; it is even from half of that on.
        rng: Where chance comes from.

    Returns:
        New images of the same type, at most its largest value.
    """
    hits = (rng.random(frames.shape) < share) * rng.uniform(height / 2, height, frames.shape)
    return within(np.add(frames, hits, dtype=np.float64), frames.dtype)


def within(values: NDArray[np.float64], dtype: np.dtype[np.generic]) -> NDArray[np.generic]:
    """Give values as a detector stores them: integers are rounded and saturate."""
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype.str)
        values = np.clip(np.rint(values), limits.min, limits.max)
    return values.astype(dtype)


@dataclass(frozen=True)
class Images:
    """Frames in memory (`stend_tomo.Frames`)."""

    pixels: NDArray[np.generic]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Frames, rows, columns."""
        frames, rows, columns = self.pixels.shape
        return frames, rows, columns

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type of a pixel."""
        return self.pixels.dtype

    def rows(self, first: int, last: int) -> NDArray[np.generic]:
        """Rows first … last - 1 of all frames."""
        return self.pixels[:, first:last]

    def frame(self, index: int) -> NDArray[np.generic]:
        """One whole frame."""
        image: NDArray[np.generic] = self.pixels[index]
        return image


@dataclass(frozen=True)
class Camera:
    """A detector of 16 bits whose pixels differ and whose light flickers."""

    photons: float = 20_000
    """Expected in a pixel and an image when nothing is in the way; one is one count."""
    unevenness: float = 0.05
    """Standard deviation of the pixels' gains about 1."""
    flicker: float = 0.01
    """Standard deviation of the images' brightness about 1."""
    dark: float = 100
    """Counts without light, on average; pixels differ by a tenth of that, and by reading noise."""
    reading_noise: float = 2
    """Counts, standard deviation."""

    def scan(
        self,
        projections: Floats,
        angles: ArrayLike,
        rng: np.random.Generator,
        *,
        attenuation: float = 1.0,
        flats: int = 10,
        darks: int = 10,
        pixel: float | None = None,
    ) -> Scan:
        """Take a scan: projections, then flat and dark fields, as counts of 16 bits.

        Args:
            projections: Line integrals (angles, rows, columns).
            angles: Radians, one a projection.
            rng: Where chance comes from.
            attenuation: Of the value 1, along a detector pixel's side.
            flats: Images without the object.
            darks: Images without light.
            pixel: The side of a detector pixel in mm.

        Raises:
            BadOption: projections are not three-dimensional, or a number can't be.
        """
        if projections.ndim != 3:
            raise BadOption(
                f"Projections are (angles, rows, columns), not of shape {projections.shape}."
            )
        light = expected(projections, self.photons, attenuation)
        frame = projections.shape[1:]
        gain = np.maximum(rng.normal(1, self.unevenness, frame), 0)
        level = np.maximum(rng.normal(self.dark, self.dark / 10, frame), 0)
        open_beam = np.full((flats, *frame), self.photons)
        return Scan(
            projections=Images(self._images(light, gain, level, rng)),
            angles=np.asarray(angles, np.float64),
            flats=Images(self._images(open_beam, gain, level, rng)),
            darks=Images(self._images(np.zeros((darks, *frame)), gain, level, rng)),
            pixel=pixel,
        )

    def _images(
        self,
        light: NDArray[np.float64],
        gain: NDArray[np.float64],
        level: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.generic]:
        brightness = np.maximum(rng.normal(1, self.flicker, len(light)), 0)
        counted = gain * rng.poisson(light * brightness[:, None, None])
        counted += level + rng.normal(0, self.reading_noise, light.shape)
        return within(counted, np.dtype(np.uint16))
