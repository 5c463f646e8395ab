"""A specimen as a scanner sees it: projected, counted with noise, reconstructed.

Comes in: a random generator; goes out: slices, as `stend_tomo` reconstructs them, with the exact
share of each pixel that inclusions cover.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from outlines import Floats, coverage, projections
from specimens import Random, Specimen, between, specimen

from stend_tomo import phantoms, reconstruct

FILTERS = ("ram-lak", "ram-lak", "shepp-logan", "cosine", "hamming", "hann")


@dataclass(frozen=True)
class Scanner:
    """How projections are taken, and what goes wrong."""

    angles: int
    photons: float
    """Expected in a pixel when nothing is in the way."""
    opacity: float
    """-ln of the share of photons that pass the matrix where it is thickest."""
    off_center: float
    """Columns between the axis and where it is taken to be."""
    rings: float
    """Standard deviation of the columns' own errors, in units of -ln of the transmission."""
    hardening: float
    """What the thickest ray loses of its -ln, as of a beam of many energies: cupping."""
    algorithm: str
    filter: str

    def noise(self, thickness: float) -> float:
        """About the standard deviation in the middle of the slice of a matrix of 1.

        Of filtered back projection with the whole ramp: π / √(12 · angles) of a projection's (Kak
        and Slaney 1988, section 5.1, for pixels as wide as columns).
        """
        counted = np.sqrt(np.exp(self.opacity) / self.photons) * thickness / self.opacity
        return float(np.pi / np.sqrt(12 * self.angles) * counted)

    def slice(self, seen: Specimen, rng: Random) -> Floats:
        columns = seen.size
        angles = np.arange(self.angles) * np.pi / self.angles
        center = (columns - 1) / 2 + self.off_center
        exact = projections(seen.matter(), angles, columns, center)
        attenuation = self.opacity / seen.thickness()
        hardened = exact * (1 - self.hardening * exact / seen.thickness())
        counted = phantoms.noisy(hardened, self.photons, rng, attenuation=attenuation)
        ringed = phantoms.ringed(counted[:, None], self.rings / attenuation, rng, share=0.3)
        return reconstruct(ringed, angles, algorithm=self.algorithm, filter=self.filter, threads=1)[
            0
        ]


@dataclass(frozen=True)
class Case:
    """A slice with its truth."""

    specimen: Specimen
    scanner: Scanner
    slice: Floats
    covered: Floats
    """The share of each pixel that lies in an inclusion."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.covered >= 0.5


def scanner(rng: Random) -> Scanner:
    return Scanner(
        angles=int(rng.integers(120, 501)),
        photons=between(rng, 1e3, 3e5),
        opacity=rng.uniform(0.5, 3.0),
        off_center=rng.uniform(-0.7, 0.7) if rng.random() < 0.2 else 0.0,
        rings=between(rng, 0.002, 0.02) if rng.random() < 0.25 else 0.0,
        hardening=rng.uniform(0, 0.12) if rng.random() < 0.2 else 0.0,
        algorithm=str(rng.choice(["dfr", "fbp"])),
        filter=str(rng.choice(FILTERS)),
    )


def case(seed: tuple[int, ...], size: int) -> Case:
    """The specimen, the scanner and the noise of this seed, the same on every machine."""
    rng = np.random.default_rng(seed)
    by = scanner(rng)
    seen = specimen(rng, size, by.noise(0.8 * size))
    return scanned(seen, by, rng)


def scanned(seen: Specimen, by: Scanner, rng: Random) -> Case:
    covered = coverage([outline for outline, _ in seen.inclusions], seen.size)
    return Case(seen, by, by.slice(seen, rng), covered)


def measured_noise(of: Case, rng: Random) -> float:
    """The noise's standard deviation in the slice's middle half, by a scan of another count."""
    ideal = replace(of.scanner, photons=1e12, rings=0.0)
    again = replace(of.scanner, rings=0.0)
    error = again.slice(of.specimen, rng) - ideal.slice(of.specimen, rng)
    quarter = of.specimen.size // 4
    return float(error[quarter:-quarter, quarter:-quarter].std())
