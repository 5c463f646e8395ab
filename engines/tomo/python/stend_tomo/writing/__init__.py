"""Slices → DICOM, PNG, TIFF, HDF5 or Zarr: whole, or marked as unfinished.

    write("tooth", slices, format="dicom", pixel=0.0052)        all at once
    volume = open_volume("tooth.h5", "hdf5", (1261, 1175, 1175), pixel=0.0052)
    volume.write(volume.written, slab) … volume.finish()        a slab at a time

docs/tomo-files.md has what is written of each format.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stend_tomo.errors import BadOption, Keyword, printable
from stend_tomo.writing import dicom, hdf5, png, tiff, zarr_store
from stend_tomo.writing.atomic_output import Unfinished, refusals_told
from stend_tomo.writing.volume import (
    Output,
    Plan,
    Values,
    WrittenVolume,
    as_json,
    planned,
    values_of,
)

__all__ = ["FORMATS", "WrittenVolume", "open_volume", "write"]

FORMATS: dict[str, Callable[[Path, Plan, dict[str, Any]], Output]] = {
    "dicom": dicom.Series,
    "png": png.Pictures,
    "tiff": tiff.output,
    "hdf5": hdf5.Dataset,
    "zarr": zarr_store.Store,
}
"""Formats of volumes by their names, with what writes each."""


def open_volume(
    path: str | Path,
    format: str,
    shape: tuple[int, int, int],
    *,
    pixel: float | None = None,
    spacing: float | None = None,
    unit: str | None = None,
    window: tuple[float, float] | None = None,
    bits: int = 16,
    water: float | None = None,
    about: Mapping[str, str] | None = None,
    origin: Mapping[str, str] | None = None,
    first: int = 0,
    labels: bool = False,
    resume: bool = True,
) -> WrittenVolume:
    """Begin a volume, or go on with the one that an earlier call has left unfinished.

    Until it is finished, everything lies in `path`.unfinished.

    Args:
        path: a file (HDF5; TIFF when it ends with .tif or .tiff) or a folder (DICOM, PNG, TIFF with
            one file a slice, Zarr); it must not exist.
        format: dicom, png, tiff, hdf5 or zarr.
        shape: slices, rows, columns.
        pixel: side of a slice's pixel in mm; DICOM can't do without. Of slices made with `zoom`
            it is the detector's pixel divided by that.
        spacing: distance of slices in mm, that of the detector's rows; the pixel when not given.
        unit: of the values; 1/mm, or 1/pixel without a pixel's side, when not given. At most 32
            characters.
        window: the values that are black and white; PNG can't do without, viewers of DICOM begin
            with it.
        bits: of a PNG's pixel, 8 or 16.
        water: attenuation of water in the same unit: DICOM's values are then Hounsfield units.
        about: what else is known: sample, description, instrument, date. Work is gone on with
            only where this is the same, so what the slices were made with belongs here as well.
        origin: what the slices come from, which has to be the same, too, but is not written into
            their files.
        first: the detector's row that the first slice is of: volumes of several parts of a scan
            then lie beside each other in space (HDF5, DICOM).
        labels: whether values are classes of pixels, whole numbers from 0 to 255: each is then a
            byte. A PNG's window, 0 to 255 when not given, may be 0 to 1, 3, 5, 15, 17, 51 or 85,
            so that few classes are told apart by eye. Not for DICOM.
        resume: whether to go on with what an earlier call has left; else that is thrown away.

    Raises:
        BadOption: what was asked for makes no sense, the path exists, or an unfinished volume there
            was begun with other settings.
        OutputError: it can't be written.
        Missing: the library for this format is not installed.
    """
    if format not in FORMATS:
        raise BadOption(
            f"There is no format {format!r}; there are {', '.join(FORMATS)}.", parameter="format"
        )
    target = Path(path)
    plan = planned(
        target,
        format,
        shape,
        pixel=pixel,
        spacing=spacing,
        unit=unit,
        window=window,
        bits=bits,
        water=water,
        about=about,
        first=first,
        labels=labels,
    )
    texts = {str(key): str(said) for key, said in (origin or {}).items()}
    kept = {"series": dicom.new_series()}
    begun_with = {**as_json(plan, format), "origin": texts, "kept": kept}
    place = Unfinished(target, begun_with, resume)
    with place.turn(), refusals_told(target):
        output = FORMATS[format](place.output, plan, place.plan["kept"])
        if not place.begun:
            output.begin()
            place.record(0)
        elif not output.holds(place.written):
            raise BadOption(
                f"{printable(str(place.folder))} lacks slices that it had; remove it, or "
                "start over with ",
                Keyword("resume", False),
                ".",
            )
    return WrittenVolume(place, output, plan)


def write(path: str | Path, slices: ArrayLike, *, format: str, **settings: Any) -> None:
    """Write a volume that is in memory, (slices, rows, columns); the settings are open_volume's.

    A PNG without a window gets one from the lowest to the highest value. What an earlier call with
    the same settings has left unfinished is begun anew; with others it is refused, unless
    resume=False.
    """
    labels = bool(settings.get("labels"))
    values = values_of(slices, labels)
    if values.ndim != 3:
        raise BadOption(
            f"A volume must be (slices, rows, columns), not of shape {values.shape}.",
            parameter="slices",
        )
    if format == "png" and settings.get("window") is None and not labels:
        settings["window"] = _lowest_to_highest(values)
    count, rows, columns = values.shape
    volume = open_volume(path, format, (count, rows, columns), **settings)
    if volume.written:  # by a call that was given other values, perhaps
        anew = {**settings, "resume": False}
        volume = open_volume(path, format, (count, rows, columns), **anew)
    volume.write(0, values)
    volume.finish()


def _lowest_to_highest(values: Values) -> tuple[float, float] | None:
    """Give a window; None where values have none."""
    if not values.size or not np.isfinite(values).all():
        return None
    low, high = float(values.min()), float(values.max())
    return low, high if high > low else low + 1
