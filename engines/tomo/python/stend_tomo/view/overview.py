"""A volume made smaller until it fits into a fixed memory, for planes across its slices.

A plane across all slices would take the whole of a file or of a reconstruction to make. So all
slices are made once, coarse, by a thread of their own, and every such plane is cut out of them.
"""

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from stend_tomo.view.planes import Plane

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST = 128 << 20
"""Bytes of an overview: 322 pixels a side of a cube."""
SLAB = 64 << 20
"""Bytes of float32 that are read at once to make it."""

Slabs: TypeAlias = "Iterator[NDArray[np.float32]]"


def step_for(shape: tuple[int, int, int]) -> int:
    """Give the least whole factor that makes a volume small enough."""
    step = 1
    while 4 * np.prod([max(1, side // step) for side in shape], dtype=float) > LARGEST:
        step += 1
    return step


class Overview:
    """Slices of a coarse volume, as they come; `ready` when all are there."""

    def __init__(
        self,
        shape: tuple[int, int, int],
        step: int,
        origin: tuple[float, float, float],
        make: Callable[[], Slabs],
    ) -> None:
        """Begin at once; `make` gives slabs of coarse slices, from the first on."""
        self.of, self.done = shape[0], 0
        self._step, self._origin = step, origin
        self._failure: Exception | None = None
        self._stopped = threading.Event()
        self._volume = np.zeros(shape, np.float32)
        self._thread = threading.Thread(target=self._fill, args=(make,), daemon=True)
        self._thread.start()

    def _fill(self, make: Callable[[], Slabs]) -> None:
        try:
            for slab in make():
                if self._stopped.is_set():
                    return
                self._volume[self.done : self.done + len(slab)] = slab
                self.done += len(slab)
        except Exception as error:  # told by whoever asks for a plane
            self._failure = error

    @property
    def ready(self) -> bool:
        """Whether planes can be cut.

        Raises:
            Exception: whatever went wrong while it was made.
        """
        if self._failure is not None:
            raise self._failure
        return self.done == self.of

    def stop(self) -> None:
        """End the thread, after the slab under way."""
        self._stopped.set()
        self._thread.join()

    def coronal(self, row: int) -> Plane:
        """Give the plane at a row of the full slices: (slices, columns)."""
        slices, _, columns = self._origin
        return Plane(self._volume[:, self._nearest(row, 1)], self._step, (slices, columns))

    def sagittal(self, column: int) -> Plane:
        """Give the plane at a column of the full slices: (slices, rows)."""
        slices, rows, _ = self._origin
        return Plane(self._volume[:, :, self._nearest(column, 2)], self._step, (slices, rows))

    def _nearest(self, index: int, axis: int) -> int:
        place = round((index - self._origin[axis]) / self._step)
        return min(max(place, 0), self._volume.shape[axis] - 1)
