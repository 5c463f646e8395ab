"""HDF5 Data Exchange, as the Advanced Photon Source writes it → a scan.

De Carlo et al., "Scientific data exchange: a schema for HDF5-based storage of raw and analyzed
data", J. Synchrotron Rad. 21 (2014), 1224.
"""

import numpy as np

from stend_tomo.reading.angles import millimetres, told_angles
from stend_tomo.reading.frames import Chosen
from stend_tomo.reading.hdf5 import File, Inside, told_of
from stend_tomo.reading.limits import fault
from stend_tomo.scan import Scan

DATA, ANGLES = "exchange/data", "exchange/theta"
LINE_INTEGRALS = "line integrals"
"""The description of projections that are that already, as stend writes it."""
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


def is_data_exchange(inside: Inside) -> bool:
    """Whether the file has what every such file has."""
    return inside.find(DATA) is not None


def scan_of(file: File, inside: Inside, angles_given: bool) -> Scan:
    """The scan in an open file; its angles are not looked at where the user gives others."""
    projections = inside.images(DATA)
    if projections is None:
        raise fault(file.path, f"has no dataset at /{DATA}.")
    flats = inside.images("exchange/data_white", one=True)
    darks = inside.images("exchange/data_dark", one=True)
    return Scan(
        projections=Chosen.all(projections),
        angles=None if angles_given else _angles(file, inside),
        flats=Chosen.all(flats) if flats else None,
        darks=Chosen.all(darks) if darks else None,
        pixel=_pixel(inside),
        normalized=inside.attribute(DATA, "description") == LINE_INTEGRALS,
        about=told_of(inside, ABOUT),
    )


def _angles(file: File, inside: Inside) -> "np.ndarray[tuple[int], np.dtype[np.float64]] | None":
    theta = inside.numbers(ANGLES)
    if theta is None:
        return None
    return told_angles(file.path, f"/{ANGLES}", theta, inside.attribute(ANGLES, "units"))


def _pixel(inside: Inside) -> float | None:
    for name in PIXELS:
        found = inside.number(name)
        if found and (side := millimetres(*found)):
            return side
    return None
