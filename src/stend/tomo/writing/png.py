"""Slices → PNG, a file each, 8 or 16 bits: values between the window's ends become grey levels.

The window, the unit and the slice's number stand in each file (tEXt), so that values can be
computed again: value = low + (high - low) · grey / white, where white is 255 or 65535.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend.tomo.libraries import library
from stend.tomo.writing.unfinished import write_durably
from stend.tomo.writing.volume import Plan, refuse_what_integers_lack

COMPRESSION = 1
"""zlib's fastest: a slice's noise hardly compresses better by a higher one, which takes longer."""


class Pictures:
    """A folder of PNG files."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        assert plan.window, "open_volume asks for it"
        self._path, self._plan, self._window = path, plan, plan.window
        self._image, self._info = library("PIL.Image"), library("PIL.PngImagePlugin").PngInfo

    def begin(self) -> None:
        """Make the folder."""
        self._path.mkdir()

    def put(self, first: int, slices: NDArray[np.float32]) -> None:
        """Write each slice into a file of its own."""
        refuse_what_integers_lack(slices, first, "PNG")
        for number, values in enumerate(slices, first):
            write_durably(self._path / f"slice_{number:05}.png", self._file(number, values))

    def _file(self, number: int, values: NDArray[np.float32]) -> bytes:
        plan, info = self._plan, self._info()
        low, high = self._window
        info.add_text("Window", f"{low!r} {high!r}")
        info.add_text("Unit", plan.unit)
        info.add_text("Slice", f"{number} of {plan.shape[0]}")
        if plan.pixel:
            info.add_text("Pixel", f"{plan.pixel!r} mm")
        for key, said in plan.about.items():
            info.add_itxt(key[:79], said)
        dots = {"dpi": (25.4 / plan.pixel,) * 2} if plan.pixel else {}
        out = io.BytesIO()
        picture = self._image.fromarray(greys(values, self._window, plan.bits))
        picture.save(out, "PNG", pnginfo=info, compress_level=COMPRESSION, **dots)
        return out.getvalue()


def greys(
    values: NDArray[np.float32], window: tuple[float, float], bits: int
) -> NDArray[np.unsignedinteger[Any]]:
    """Grey levels from 0 at the window's lower end to all ones at its upper end, rounded."""
    white, (low, high) = 2**bits - 1, window
    scaled = (values.astype(np.float64) - low) * (white / (high - low))
    levels: NDArray[np.unsignedinteger[Any]] = np.clip(np.rint(scaled), 0, white).astype(
        np.uint8 if bits == 8 else np.uint16
    )
    return levels
