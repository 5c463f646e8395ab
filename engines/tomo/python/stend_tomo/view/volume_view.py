"""A volume to be shown: slices as they are, planes across them from a smaller copy.

A plane across all slices would take the whole of a file or of a reconstruction to make. So all
slices are made once, coarse, by a thread of their own, and every such plane is cut out of them.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stend_tomo.errors import BadOption
from stend_tomo.reading.frames import Chosen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo import Frames, StoredVolume


@dataclass(frozen=True)
class Plane:
    """An image, and where its pixels are in the full scan or volume."""

    values: "NDArray[np.float32]"
    step: int = 1
    """Pixels of the full plane to one of this, along a side."""
    origin: tuple[float, float] = (0.0, 0.0)
    """Row and column, in the full plane, of the middle of this one's pixel (0, 0)."""


def averaged(values: "NDArray[Any]", steps: tuple[int, int, int]) -> "NDArray[np.float32]":
    """Give means of boxes of steps[0] × steps[1] × steps[2]; what fills no box is left out."""
    counts = [size // step for size, step in zip(values.shape, steps, strict=True)]
    whole = tuple(slice(count * step) for count, step in zip(counts, steps, strict=True))
    means: NDArray[np.float32] = values[whole].astype(np.float32, copy=False)
    for axis, (count, step) in enumerate(zip(counts, steps, strict=True)):
        sides = (*means.shape[:axis], count, step, *means.shape[axis + 1 :])
        if step > 1:  # an axis after the other, the slowest first: twice as fast as all at once
            means = means.reshape(sides).mean(axis=axis + 1, dtype=np.float32)
    return means


def checked(index: int, count: int, what: str) -> int:
    """Give an index back that lies within; else a sentence."""
    if not 0 <= index < count:
        raise BadOption(f"There is no {what} {index}; there are {count}, counted from 0.")
    return index


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


class ShownVolume:
    """What the server asks of a volume; no request's path or name reaches its file."""

    def __init__(self, volume: "StoredVolume", name: str) -> None:
        """Read nothing yet; `name` is shown."""
        self._volume, self._name = volume, name
        self._lock = threading.Lock()
        self._overview: Overview | None = None

    def about(self) -> dict[str, Any]:
        """What the page has to know."""
        slices, rows, columns = self._volume.slices.shape
        return {
            "kind": "volume",
            "name": self._name,
            "slices": slices,
            "height": rows,
            "width": columns,
            "unit": self._volume.unit,
            "pixel": self._volume.pixel,
            "spacing": self._volume.spacing,
            "window": self._volume.window,
            "about": dict(self._volume.about),
            "lacking": None,
        }

    def slice(self, index: int, asked: Mapping[str, str]) -> Plane:
        """Give a slice in full."""
        place = checked(index, self._volume.slices.shape[0], "slice")
        return Plane(self._volume.slices.frame(place).astype(np.float32))

    def overview(self, asked: Mapping[str, str]) -> Overview:
        """Give what planes across the slices are cut from; it is made meanwhile."""
        with self._lock:
            if self._overview is None:
                self._overview = self._begun()
            return self._overview

    def close(self) -> None:
        """End what is under way, and let go of what was kept."""
        with self._lock:
            if self._overview is not None:
                self._overview.stop()
            self._overview = None

    def _begun(self) -> Overview:
        slices, rows, columns = self._volume.slices.shape
        step = step_for((slices, rows, columns))
        steps = [min(step, side) for side in (slices, rows, columns)]
        across, down, along = steps
        shape = slices // across, rows // down, columns // along
        middle = (step - 1) / 2
        together = max(1, SLAB // (4 * across * rows * columns))

        def slabs() -> Slabs:
            for first in range(0, shape[0], together):
                last = min(first + together, shape[0])
                images = _images(self._volume.slices, first * across, last * across)
                yield averaged(images, (across, down, along))

        return Overview(shape, step, (middle, middle, middle), slabs)


def _images(slices: "Frames", first: int, last: int) -> "NDArray[np.generic]":
    """Some slices, at once where they are of a file."""
    if isinstance(slices, Chosen):
        return slices.images(first, last)
    return np.stack([slices.frame(k) for k in range(first, last)])
