"""Slices → PNG, a file each, 8 or 16 bits: values between the window's ends become grey levels.

The window, the unit and the slice's number stand in each file (tEXt), so that values can be
computed again: value = low + (high - low) · grey / white, where white is 255 or 65535.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_tomo.writing.durable import write_each
from stend_tomo.writing.png_file import png
from stend_tomo.writing.present import all_there
from stend_tomo.writing.volume import Plan, Values, refuse_what_integers_lack, software

NAME = "slice_{:05}.png"


class Pictures:
    """A folder of PNG files."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        assert plan.window, "open_volume asks for it"
        self._path, self._plan, self._window = path, plan, plan.window

    def begin(self) -> None:
        """Make the folder."""
        self._path.mkdir()

    def holds(self, written: int) -> bool:
        """Whether the folder has a file for each slice."""
        files = (self._path / NAME.format(number) for number in range(written))
        return self._path.is_dir() and all_there(files)

    def put(self, first: int, slices: Values) -> None:
        """Write each slice into a file of its own."""
        refuse_what_integers_lack(slices, first, "PNG")
        write_each(self._path, NAME, first, slices, self._file)

    def _file(self, number: int, values: Values) -> bytes:
        plan, (low, high) = self._plan, self._window
        texts = {
            "Window": f"{low!r} {high!r}",
            "Unit": plan.unit,
            "Slice": f"{number} of {plan.shape[0]}",
            "Software": software(),
        }
        if plan.pixel:
            texts |= {"Pixel": f"{plan.pixel!r} mm", "Spacing": f"{plan.spacing!r} mm"}
        levels = greys(values, self._window, plan.bits)
        return png(levels, {**plan.about, **texts}, plan.pixel)


def greys(
    values: Values, window: tuple[float, float], bits: int
) -> NDArray[np.unsignedinteger[Any]]:
    """Grey levels from 0 at the window's lower end to all ones at its upper end, rounded."""
    white, (low, high) = 2**bits - 1, window
    scaled = values.astype(np.float64)
    scaled -= low
    scaled *= white / (high - low)
    np.clip(np.rint(scaled, out=scaled), 0, white, out=scaled)
    return scaled.astype(np.uint8 if bits == 8 else np.uint16)
