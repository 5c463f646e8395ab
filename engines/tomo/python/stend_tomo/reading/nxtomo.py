"""NXtomo, the NeXus application definition for tomography → a scan.

https://manual.nexusformat.org/classes/applications/NXtomo.html: frames of all kinds in one dataset,
and image_key tells which is which: 0 a projection, 1 a flat field, 2 a dark field, 3 invalid.
"""

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption, Keyword, printable
from stend_tomo.reading.angles import millimetres, told_angles
from stend_tomo.reading.frames import Chosen
from stend_tomo.reading.hdf5 import File, Inside, told_of
from stend_tomo.reading.limits import fault
from stend_tomo.scan import Scan

PROJECTION, FLAT, DARK = 0, 1, 2
DATA, KEYS = "instrument/detector/data", "instrument/detector/image_key"
MOST_GROUPS = 100
"""In a group at the top, that are looked into."""
ANGLES = "sample/rotation_angle"
PIXELS = ("sample/x_pixel_size", "instrument/detector/x_pixel_size")
"""Where the pixel's side stands; the first is as seen at the sample."""
ABOUT = {
    "title": "title",
    "sample": "sample/name",
    "energy": "beam/incident_energy",
    "instrument": "instrument/name",
    "source": "instrument/source/name",
    "distance": "instrument/detector/distance",
    "date": "start_time",
}


def entries(inside: Inside) -> list[str]:
    """Names of the scans in a file: of groups that hold frames and their keys.

    Such a group is at the top or, as Diamond Light Source has it, in one that is.
    """
    tops = [name for name in inside.children("") if _is_local_group(inside, name)]
    if found := [name for name in tops if _has_keys(inside, name)]:
        return found
    below = [f"{name}/{inner}" for name in tops for inner in inside.children(name)[:MOST_GROUPS]]
    return [name for name in below if _is_local_group(inside, name) and _has_keys(inside, name)]


def _has_keys(inside: Inside, name: str) -> bool:
    return inside.find(f"{name}/{KEYS}") is not None


def _is_local_group(inside: Inside, name: str) -> bool:
    return hasattr(inside.find(name), "keys")


def scan_of(file: File, inside: Inside, entry: str | None, angles_given: bool) -> Scan:
    """One scan of an open file; `entry` names it where there are several.

    Its angles are not looked at where the user gives others.
    """
    name = _chosen(file, entries(inside), entry)
    images, keys = inside.images(f"{name}/{DATA}"), inside.numbers(f"{name}/{KEYS}")
    if images is None or keys is None:
        raise fault(file.path, f"has no dataset at {name}/{DATA}.")
    if len(keys) != images.shape[0]:
        raise fault(
            file.path, f"holds {images.shape[0]:,} images and {len(keys):,} keys that tell of them."
        )
    kinds = {key: np.flatnonzero(keys == key).tolist() for key in (PROJECTION, FLAT, DARK)}
    angles = None if angles_given else _angles(file, inside, f"{name}/{ANGLES}")
    if angles is not None and len(angles) == images.shape[0]:
        angles = angles[kinds[PROJECTION]]  # of another number: told when the scan is assembled
    return Scan(
        projections=Chosen(images, kinds[PROJECTION]),
        angles=angles,
        flats=Chosen(images, kinds[FLAT]),
        darks=Chosen(images, kinds[DARK]),
        pixel=_pixel(inside, name),
        about=told_of(inside, {key: f"{name}/{place}" for key, place in ABOUT.items()}),
    )


def _chosen(file: File, names: list[str], entry: str | None) -> str:
    shown = ", ".join(printable(name) for name in names[:10])
    if entry is not None:
        if entry not in names:
            raise BadOption(
                f"There is no scan {printable(entry)!r} in the file, but: {shown}.",
                parameter="entry",
            )
        return entry
    if len(names) > 1:
        raise fault(
            file.path,
            f"holds {len(names)} scans; choose one with ",
            Keyword("entry"),
            f": {shown}.",
        )
    return names[0]


def _angles(file: File, inside: Inside, name: str) -> NDArray[np.float64] | None:
    """Angles as the file has them: one for every frame."""
    angles = inside.numbers(name)
    if angles is None:
        return None
    return told_angles(file.path, printable(name), angles, inside.attribute(name, "units"))


def _pixel(inside: Inside, entry: str) -> float | None:
    for name in PIXELS:
        found = inside.number(f"{entry}/{name}")
        if found and (side := millimetres(*found)):
            return side
    return None
