"""A volume of slices in a file of any format, what stend writes first of all → a StoredVolume."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from stend_tomo.errors import library, printable
from stend_tomo.reading import arrays, ct_series, png, stack, tiff, zarr_store
from stend_tomo.reading.frames import Chosen, Scaled, Source
from stend_tomo.reading.hdf5 import File, Inside
from stend_tomo.reading.kinds import kind_of
from stend_tomo.reading.limits import fault, told
from stend_tomo.reading.stack import UNFINISHED
from stend_tomo.scan import StoredVolume

MOST_ARRAYS = 100
"""Of an HDF5 file's root that are looked at."""


def read_volume(path: Path, limit: int | None) -> StoredVolume:
    """What `stend_tomo.read_volume` gives."""
    match kind_of(path):
        case "hdf5":
            return _hdf5(File(path, limit=limit))
        case "zarr":
            return _zarr(path, limit)
        case "npy":
            return StoredVolume(arrays.read_npy(path, limit, single=True).projections)
        case "npz":
            scan = arrays.read_npz(path, limit)
            return StoredVolume(scan.projections, pixel=scan.pixel)
        case "dicom":
            return ct_series.read_series(path, [path], limit)
        case "tiff":
            layout = tiff.layout_of(path, limit)
            return _tiff(tiff.Pages(path, layout), path, layout.pixel)
        case "png":
            return _png(path, [path], limit)
        case _:
            return _folder(path, limit)


def _folder(path: Path, limit: int | None) -> StoredVolume:
    if (path / stack.JOURNAL).exists():
        raise fault(path, UNFINISHED)
    with told(path, "a folder of slices"):
        files = stack.images_in(path)
    match stack.kind_of_images(path, files):
        case "dicom":
            return ct_series.read_series(path, files, limit)
        case "png":
            return _png(path, files, limit)
        case kind:
            source = stack.source_of(path, kind, files, limit)
            return _tiff(source, files[0], stack.pixel_of(source))


def _tiff(source: Source, first: Path, pixel: float | None) -> StoredVolume:
    with tiff.opened(first) as file:
        said = tiff.described(file)
        about = json.loads(said.get("Info", "{}")) if "values" in said else {}
        return StoredVolume(
            slices=Chosen.all(source),
            unit=printable(str(said.get("values", ""))),
            pixel=pixel,
            spacing=tiff.spacing_in(said),
            window=_window([said.get("min"), said.get("max")]),
            about={printable(str(key)): printable(str(value)) for key, value in about.items()},
        )


def _png(path: Path, files: list[Path], limit: int | None) -> StoredVolume:
    source = stack.source_of(path, "png", files, limit)
    with told(files[0], png.KIND), library("PIL.Image").open(files[0], formats=["PNG"]) as image:
        said = dict(image.text)
    window = _window(said.get("Window", "").split())
    if window is None:
        return StoredVolume(Chosen.all(source), pixel=stack.pixel_of(source))
    step = (window[1] - window[0]) / np.iinfo(source.dtype).max
    exact = [_number(said.get(name, "").removesuffix(" mm")) for name in ("Pixel", "Spacing")]
    own = ("Window", "Unit", "Slice", "Pixel", "Spacing", "Software")
    return StoredVolume(
        slices=Chosen.all(Scaled(source, window[0], step)),
        unit=printable(said.get("Unit", "")),
        pixel=exact[0] or stack.pixel_of(source),
        spacing=exact[1],
        window=window,
        about={printable(k): printable(str(v)) for k, v in said.items() if k not in own},
    )


def _hdf5(file: File) -> StoredVolume:
    """NeXus: the default data's signal, as the attributes lead there from the file's root.

    Without them the only array of images at the root.
    """
    with file.described() as inside:
        entry = inside.attribute("", "default") or "entry"
        data = f"{entry}/{inside.attribute(entry, 'default') or 'reconstruction'}"
        name = f"{data}/{inside.attribute(data, 'signal') or 'data'}"
        if inside.find(name) is None:
            name = _only_images(inside)
        images = inside.images(name, one=True)
        if images is None:
            names = ", ".join(printable(child) for child in inside.children("")[:10]) or "nothing"
            raise fault(
                file.path,
                f"has no default data (NXdata), nor one array of images; its root has {names}.",
            )
        window = inside.numbers_of(name, "window")
        return StoredVolume(
            slices=Chosen.all(images),
            unit=inside.attribute(name, "units"),
            pixel=_number(inside.attribute(name, "pixel_mm")),
            spacing=_number(inside.attribute(name, "spacing_mm")),
            window=_window(window),
            about=_about(inside, f"{entry}/about"),
        )


def _only_images(inside: Inside) -> str:
    """The name of the root's only array of two sides or more; none if there are several."""
    names = inside.children("")[:MOST_ARRAYS]
    found = [name for name in names if len(getattr(inside.dataset(name), "shape", ())) > 1]
    return found[0] if len(found) == 1 else ""


def _about(inside: Inside, name: str) -> dict[str, str]:
    group = inside.find(name)
    keys = [] if group is None else list(group.attrs)
    return {printable(key): inside.attribute(name, key) for key in keys if key != "NX_class"}


def _zarr(path: Path, limit: int | None) -> StoredVolume:
    with zarr_store.opened(path) as root:
        scan = zarr_store.read_store(path, limit, angles_given=True)  # slices have none
        said = dict(root.attrs)
        about = said.get("about")
        return StoredVolume(
            slices=scan.projections,
            unit=printable(str(said.get("unit", ""))),
            pixel=scan.pixel,
            spacing=zarr_store.spacing_in(said),
            window=_window(said.get("window")),
            about={printable(str(k)): printable(str(v)) for k, v in about.items()}
            if isinstance(about, dict)
            else {},
        )


def _number(said: str) -> float | None:
    try:
        value = float(said)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


def _window(said: Any) -> tuple[float, float] | None:
    try:
        low, high = map(float, said)
    except (TypeError, ValueError):
        return None
    return (low, high) if -math.inf < low < high < math.inf else None
