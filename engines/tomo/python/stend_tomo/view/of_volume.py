"""A volume of slices in a file, to be shown: slices as they are, planes across them coarser."""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.reading.frames import Chosen
from stend_tomo.view.overview import SLAB, Overview, Slabs, step_for
from stend_tomo.view.planes import Plane, averaged, checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stend_tomo import Frames, StoredVolume


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
