"""One library's transform as a kernel: an array comes in, and every execution is proved.

The first element, which every bin of the spectrum holds once, is the number of the execution
modulo a prime. Each execution reads it from a bin that the one before left behind, so that one
that was left out is missing for ever after. For libraries in C native/kernels/fft does that; in
Python, for the others, it takes about 10 µs beside the transform, whose arrays have filled the
caches.
"""

from collections.abc import Iterator
from ctypes import c_double

import numpy as np
from numpy.typing import NDArray

from stend import native
from stend.benchmarks.families.fft.libraries import Complex, InC, Library

NUMBERS = 1009
"""Executions are numbered modulo this prime: fewer than so many left out are seen."""

BINS = 16
"""Places of the spectrum that are looked at after each batch."""

PROVED_OPERATIONS = 2_000_000_000
"""Multiplications along columns, and as many along rows, for the part of the spectrum that is
proved at the end: all of it up to about 1200 × 1200."""

PROVED_WAVES = 20_000_000
"""Elements of all matrices of waves along columns, and as many along rows: a few seconds."""

MATRIX = 4_000_000
"""Elements of one matrix of waves; what makes one takes some 48 bytes for each."""

SEED = 20150521

Places = NDArray[np.int64]
"""Rows or columns of an array."""


class Transform:
    """A kernel that transforms an array of `rows` × `columns` (native.sampler.Work)."""

    def __init__(self, library: Library, rows: int, columns: int) -> None:
        self.library = library
        self.variant = library.name
        self.shape = (rows, columns)
        self.loop: native.sampler.Loop | None = None

    @property
    def about(self) -> str:
        """The library with its version."""
        return self.library.about()

    def prepare(self) -> None:
        """Plan, fill the input, compute some bins directly, and transform once."""
        self._input, out = aligned(self.shape), aligned(self.shape)
        plan = self.library.plan(self._input, out)
        random = np.random.default_rng(SEED)
        self._input[...] = random.standard_normal(self.shape) + 1j * random.standard_normal(
            self.shape
        )
        self._input[0, 0] = 0
        self._tolerance = tolerance(self._input)
        self._bins = [tuple(map(int, random.integers(self.shape))) for _ in range(BINS)]
        self._without_first = [
            complex(direct(self._input, np.array([row]), np.array([column]))[0, 0])
            for row, column in self._bins
        ]
        self._told_by = int(np.ravel_multi_index(self._bins[0], self.shape))
        self._told_without = self._without_first[0].real
        self._first = c_double.from_address(self._input.ctypes.data)
        if isinstance(plan, InC):
            self.loop = native.fft.chain(
                plan.function,
                plan.plan,
                self._input.ctypes.data,
                out.ctypes.data,
                2 * self._told_by,
                self._told_without,
                NUMBERS,
            )
            self._out = out
            self._out[self._bins[0]] = self._told_without - 1  # so that this one is number 0
            self.loop.repeat(1)
        else:
            self._transform = plan
            self._out = self._transform()

    def __call__(self) -> None:
        """Number the input after what the last execution left, and transform it."""
        before = self._out.item(self._told_by).real - self._told_without
        del self._out  # a library that allocates its result can take the same memory again
        self._first.value = ((before + 0.5) // 1 + 1) % NUMBERS  # rounded; what is no number stays
        self._out = self._transform()

    def check(self, executions: int) -> bool:
        """Whether some bins hold the last execution, which holds all before it."""
        number = executions % NUMBERS
        return all(
            abs(self._out[place] - (without + number)) <= self._tolerance
            for place, without in zip(self._bins, self._without_first, strict=True)
        )

    def prove(self, executions: int) -> tuple[bool, str]:
        """Compare a part of the spectrum with direct sums, and all its energy with Parseval.

        Returns whether they agree, and the sentence.
        """
        if not self.check(executions):
            return False, f"The spectrum is not that of execution {executions}."
        energy, expected = np.vdot(self._out, self._out).real, energy_of(self._input)
        if not abs(energy - expected) <= 1e-12 * expected:
            return False, f"The spectrum's energy is {energy:.15g} and not {expected:.15g}."
        rows, columns = proved_part(*self.shape)
        off = np.abs(self._out[np.ix_(rows, columns)] - direct(self._input, rows, columns)).max()
        said = (
            f"in {len(rows)} of {self.shape[0]} rows and {len(columns)} of {self.shape[1]} columns "
            f"of the spectrum after {executions} executions, compared with direct sums, differs by "
            f"{off:.1e} at most, and {self._tolerance:.1e} are allowed"
        )
        if not off <= self._tolerance:
            return False, f"An element {said}."
        return True, f"No element {said}; the whole spectrum's energy is right to 1e-12."


def aligned(shape: tuple[int, int]) -> Complex:
    """An array of zeros that begins at a cache line, as the libraries advise."""
    count = shape[0] * shape[1]
    raw = np.zeros(count + 4, np.complex128)
    first = -raw.ctypes.data % 64 // 16
    return raw[first : first + count].reshape(shape)


def tolerance(array: Complex) -> float:
    """By how much an element of the spectrum may differ.

    Both sides sum along rows and along columns. A direct sum of n terms is off by at most n
    roundings of the terms' size (Higham 2002, section 3.1), a fast transform by a logarithm of
    it; an element of the spectrum is as large as the input's norm.
    """
    largest = float(np.sqrt(np.vdot(array, array).real)) + NUMBERS
    return float(4 * np.finfo(float).eps * sum(array.shape) * largest)


def energy_of(array: Complex) -> float:
    """The energy that the array's spectrum must have (Parseval)."""
    return float(array.size * np.vdot(array, array).real)


def waves(size: int, frequencies: Places) -> Complex:
    """exp(−2πi·j·k/size) for each place j and frequency k; j·k is reduced, so it is accurate."""
    turns = np.outer(np.arange(size), frequencies) % size
    found: Complex = np.exp(-2j * np.pi / size * turns)
    return found


def direct(array: Complex, rows: Places, columns: Places) -> Complex:
    """Those rows and columns of the spectrum, by the sums that define them, as matrix products."""
    across = np.hstack([array @ w for w in _waves_in_parts(array.shape[1], columns)])
    return np.vstack([w.T @ across for w in _waves_in_parts(array.shape[0], rows)])


def _waves_in_parts(size: int, frequencies: Places) -> Iterator[Complex]:
    for part in np.array_split(frequencies, -(-size * len(frequencies) // MATRIX)):
        yield waves(size, part)


def proved_part(rows: int, columns: int) -> tuple[Places, Places]:
    """As many rows and columns as PROVED_OPERATIONS and PROVED_WAVES allow, or eight."""
    across = min(PROVED_OPERATIONS // (rows * columns), PROVED_WAVES // columns)
    proved = _spread(columns, across)
    along = min(PROVED_OPERATIONS // (rows * len(proved)), PROVED_WAVES // rows)
    return _spread(rows, along), proved


def _spread(size: int, most: int) -> Places:
    """Numbers below `size`, the first and the last of them and others between."""
    count = min(max(8, most), size)
    return np.unique(np.linspace(0, size - 1, count).round().astype(np.int64))
