"""SIRT and CGLS among the algorithms: how often they iterate, and a batch of slices iterated."""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stend_tomo.errors import (
    BadBuffer,
    BadOption,
    BadProjections,
    BadSlices,
    Parameter,
    Part,
    TomoError,
)
from stend_tomo.memory import slices_read, spoilt_slices
from stend_tomo.validation import sentences, shaped_slices, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from stend_tomo import native


ITERATIONS = {"sirt": 100, "cgls": 20}
"""The algorithms that iterate, and how often unless told otherwise."""
MOST_ITERATIONS = 1 << 20
FILTERING = {"filter": "ram-lak", "cutoff": 1.0, "taper": 0.0}
"""What iterations can't heed, as it is where nobody asked for it."""

Told: TypeAlias = Callable[[int, int, float], None]
"""Told before each iteration of some slices: iterations that slices have had, of how many (those
of all slices), and the root mean square of what these slices leave of their line integrals."""


def checked_iterations(
    algorithm: str, iterations: int | None, non_negative: bool, **filtering: str | float
) -> int:
    """Give how often an algorithm iterates, 0 for one that doesn't; `filtering` as FILTERING.

    Raises:
        BadOption: the algorithm doesn't heed what was asked for, or the number can't be.
    """
    if algorithm not in ITERATIONS:
        iterating = {"iterations": iterations is not None, "non_negative": non_negative}
        if asked := [name for name, given in iterating.items() if given]:
            raise BadOption(
                f'"{algorithm}" does not iterate; leave ',
                *_listed(asked),
                f" out, or choose {' or '.join(ITERATIONS)}.",
            )
        return 0
    if asked := [name for name, given in filtering.items() if given != FILTERING[name]]:
        raise BadOption(f'"{algorithm}" filters nothing; leave ', *_listed(asked), " out.")
    count = ITERATIONS[algorithm] if iterations is None else iterations
    return whole(count, Parameter("iterations", "The number of iterations"), MOST_ITERATIONS)


@dataclass(frozen=True)
class Course:
    """Where the iterations of a call begin and who is told of them."""

    iterations: int
    rows: int
    rays: int
    """Of a slice."""
    start: Any
    """Slices as they are at first; None: zeros."""
    progress: Told | None

    def iterate(
        self,
        made: "native.IterativeReconstruction",
        part: "NDArray[np.float32]",
        room: "NDArray[np.float32]",
        first: int,
        pixel: float,
    ) -> tuple[int, int, int] | None:
        """Iterate the slices from `first` on of all the call's.

        Returns:
            Where a value of the sinograms is no finite number, and `room` is as it was.
        """
        if self.start is not None:
            _begin(room, self.start, first, pixel)
        telling = _Telling(self, first)
        try:
            with _as_raised(telling), sentences(BadBuffer):
                bad = made.run(part, room, self.start is not None, telling)
        finally:
            if pixel != 1:  # of what was stopped, too: the start may be the result's array
                room /= np.float32(pixel)
        if bad is None and not all(np.isfinite(each).all() for each in room):
            raise BadProjections(
                "These values are too large for float32: their sums are not finite; divide them."
            )
        return bad


def checked_start(start: "ArrayLike", slices: "NDArray[np.float32]") -> Any:
    """Give slices to begin at, for those of the result.

    Raises:
        BadSlices: they are no slices of that shape.
        BadBuffer: they lie across the result's array.
    """
    given = shaped_slices(start)
    if tuple(given.shape) != slices.shape:
        raise BadSlices(
            f"The start has shape {given.shape}; the result's is {slices.shape}.",
            parameter="start",
        )
    if given is not slices and isinstance(given, np.ndarray) and np.may_share_memory(given, slices):
        raise BadBuffer(
            "The start overlaps the array for the slices; give the same or another.",
            parameter="start",
        )
    return given


def _begin(room: "NDArray[np.float32]", start: Any, first: int, pixel: float) -> None:
    """Write where to begin, in attenuation per detector pixel."""
    room[...] = slices_read(start, first, first + len(room))
    if not np.isfinite(room).all():
        row, line, column = (int(i) for i in np.argwhere(~np.isfinite(room))[0])
        raise spoilt_slices(room, (row, line, column), first)
    if pixel != 1:
        room *= np.float32(pixel)


class _Telling:
    """What the compiled part calls before each iteration of slices of a batch."""

    def __init__(self, course: Course, begins: int) -> None:
        self._course, self._begins = course, begins
        self.raised: Exception | None = None

    def __call__(self, first: int, iterations: int, norms: list[float]) -> None:
        course = self._course
        if course.progress is None:
            return
        done = (self._begins + first) * course.iterations + iterations * len(norms)
        squares = sum(norm * norm for norm in norms)
        residual = math.sqrt(squares / (len(norms) * course.rays))
        try:
            course.progress(done, course.rows * course.iterations, residual)
        except Exception as error:
            self.raised = error
            raise


@contextmanager
def _as_raised(telling: _Telling) -> Iterator[None]:
    """Let what was raised by who was told pass as it is, not as a refusal of the compiled part."""
    try:
        yield
    except TomoError:
        if telling.raised is not None:
            raise telling.raised from None
        raise


def _listed(names: Iterable[str]) -> list[Part]:
    """Give parameters' names with "and" between them."""
    parts: list[Part] = []
    for name in names:
        parts += [" and ", Parameter(name)] if parts else [Parameter(name)]
    return parts
