"""HDF5 files that hold scans: Data Exchange and NXtomo → a scan.

Data Exchange is what the Advanced Photon Source writes (De Carlo et al., "Scientific data exchange:
a schema for HDF5-based storage of raw and analyzed data", J. Synchrotron Rad. 21 (2014), 1224).

NXtomo is the NeXus application definition for tomography,
https://manual.nexusformat.org/classes/applications/NXtomo.html: frames of all kinds in one dataset,
and image_key tells which is which: 0 a projection, 1 a flat field, 2 a dark field, 3 invalid.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import BadOption, Keyword, ScanFileError, printable
from stend_tomo.reading.angles import millimetres, told_angles
from stend_tomo.reading.frames import Chosen
from stend_tomo.reading.hdf5 import File, Inside
from stend_tomo.reading.limits import fault
from stend_tomo.scan import LINE_INTEGRALS, Scan

DATA, ANGLES = "exchange/data", "exchange/theta"
PIXELS = (
    "measurement/instrument/detection_system/objective/resolution",
    "measurement/instrument/detector/pixel_size_x",
    "measurement/instrument/detector/pixel_size",
)
"""Where the pixel's side stands; the first is as seen at the sample."""
ABOUT = {
    "sample": "measurement/sample/name",
    "description": "measurement/sample/description",
    "energy": "measurement/instrument/monochromator/energy",
    "instrument": "measurement/instrument/name",
    "distance": "measurement/instrument/detector_motor_stack/setup/z",
    "exposure": "measurement/instrument/detector/exposure_time",
    "date": "process/acquisition/start_date",
    "title": "exchange/title",
}


def is_scan(file: File) -> bool:
    """Whether a file is laid out as a scan."""
    with file.described() as inside:
        return _is_data_exchange(inside) or bool(_entries(inside))


def read_file(file: File, entry: str | None, angles_given: bool) -> Scan:
    """The scan in a file; its angles are not looked at where the user gives others.

    `entry` names it where there are several (NXtomo).
    """
    with file.described() as inside:
        if _is_data_exchange(inside):
            return _data_exchange(file, inside, angles_given)
        if _entries(inside):
            return _nxtomo(file, inside, entry, angles_given)
        names = ", ".join(printable(name) for name in inside.children("")[:10]) or "nothing"
        raise fault(
            file.path,
            f"is neither Data Exchange (/exchange/data) nor NXtomo; at its top it has {names}.",
        )


def _is_data_exchange(inside: Inside) -> bool:
    """It has what every such file has."""
    return inside.find(DATA) is not None


def _data_exchange(file: File, inside: Inside, angles_given: bool) -> Scan:
    projections = inside.images(DATA)
    if projections is None:
        raise fault(file.path, f"has no dataset at /{DATA}.")
    flats = inside.images("exchange/data_white", one=True)
    darks = inside.images("exchange/data_dark", one=True)
    return Scan(
        projections=Chosen.all(projections),
        angles=None if angles_given else _angles(file, inside, ANGLES, f"/{ANGLES}"),
        flats=Chosen.all(flats) if flats else None,
        darks=Chosen.all(darks) if darks else None,
        pixel=_pixel(inside, PIXELS),
        normalized=inside.attribute(DATA, "description") == LINE_INTEGRALS,
        about=_told_of(inside, ABOUT),
    )


PROJECTION, FLAT, DARK = 0, 1, 2
NX_DATA, NX_KEYS = "instrument/detector/data", "instrument/detector/image_key"
MOST_GROUPS = 100
"""In a group at the top, that are looked into."""
NX_ANGLES = "sample/rotation_angle"
NX_PIXELS = ("sample/x_pixel_size", "instrument/detector/x_pixel_size")
"""Where the pixel's side stands; the first is as seen at the sample."""
NX_ABOUT = {
    "title": "title",
    "sample": "sample/name",
    "energy": "beam/incident_energy",
    "instrument": "instrument/name",
    "source": "instrument/source/name",
    "distance": "instrument/detector/distance",
    "date": "start_time",
}


def _entries(inside: Inside) -> list[str]:
    """Names of the scans in a file: of groups that hold frames and their keys.

    Such a group is at the top or, as Diamond Light Source has it, in one that is.
    """
    tops = [name for name in inside.children("") if _is_local_group(inside, name)]
    if found := [name for name in tops if _has_keys(inside, name)]:
        return found
    below = [f"{name}/{inner}" for name in tops for inner in inside.children(name)[:MOST_GROUPS]]
    return [name for name in below if _is_local_group(inside, name) and _has_keys(inside, name)]


def _has_keys(inside: Inside, name: str) -> bool:
    return inside.find(f"{name}/{NX_KEYS}") is not None


def _is_local_group(inside: Inside, name: str) -> bool:
    return hasattr(inside.find(name), "keys")


def _nxtomo(file: File, inside: Inside, entry: str | None, angles_given: bool) -> Scan:
    name = _chosen(file, _entries(inside), entry)
    images, keys = inside.images(f"{name}/{NX_DATA}"), inside.numbers(f"{name}/{NX_KEYS}")
    if images is None or keys is None:
        raise fault(file.path, f"has no dataset at {name}/{NX_DATA}.")
    if len(keys) != images.shape[0]:
        raise fault(
            file.path, f"holds {images.shape[0]:,} images and {len(keys):,} keys that tell of them."
        )
    kinds = {key: np.flatnonzero(keys == key).tolist() for key in (PROJECTION, FLAT, DARK)}
    place = f"{name}/{NX_ANGLES}"
    angles = None if angles_given else _angles(file, inside, place, printable(place))
    if angles is not None and len(angles) == images.shape[0]:
        angles = angles[kinds[PROJECTION]]  # of another number: told when the scan is assembled
    return Scan(
        projections=Chosen(images, kinds[PROJECTION]),
        angles=angles,
        flats=Chosen(images, kinds[FLAT]),
        darks=Chosen(images, kinds[DARK]),
        pixel=_pixel(inside, (f"{name}/{side}" for side in NX_PIXELS)),
        about=_told_of(inside, {key: f"{name}/{place}" for key, place in NX_ABOUT.items()}),
    )


def _chosen(file: File, names: list[str], entry: str | None) -> str:
    shown = ", ".join(printable(name) for name in names[:10])
    if entry is not None:
        if entry not in names:
            raise BadOption(
                f"There is no scan {printable(entry)!r} in the file; it has: {shown}.",
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


def _angles(file: File, inside: Inside, name: str, shown: str) -> NDArray[np.float64] | None:
    """Angles as the file has them: one for every frame."""
    angles = inside.numbers(name)
    if angles is None:
        return None
    return told_angles(file.path, shown, angles, inside.attribute(name, "units"))


def _pixel(inside: Inside, names: Iterable[str]) -> float | None:
    for name in names:
        found = inside.number(name)
        if found and (side := millimetres(*found)):
            return side
    return None


def _told_of(inside: Inside, names: dict[str, str]) -> dict[str, str]:
    """What else a file tells: the values at these names, with their units, where there are any."""
    told_here = {}
    for key, name in names.items():
        try:
            said, unit = inside.text(name), inside.attribute(name, "units")
        except (ScanFileError, OSError, TypeError, ValueError):
            continue  # a malformed remark is no reason to refuse the images
        if said:
            told_here[key] = f"{said} {unit}".rstrip()
    return told_here
