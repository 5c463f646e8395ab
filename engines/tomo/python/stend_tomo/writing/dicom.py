"""Slices → a DICOM CT series: a file a slice, 16 bits (PS3.3, A.3, CT Image IOD).

Values. With the attenuation of water, or where they are so already, Hounsfield units, rounded; a
slice in which some don't fit 16 bits has a slope above 1. Else attenuation in 1/m (a thousandth of
the unit where that is not 1/mm), of rescale type US, unspecified: as large as Hounsfield units
usually are, because viewers set windows in whole numbers. Each slice then has a slope of its own,
so that all 16 bits are used. Nothing is clipped, though later slices are not known yet.

Space. Row 0 of a slice is at its top, slices follow on each other downwards like the detector's
rows: x to the right, y down, z down is a right-handed system, so nothing is mirrored.
"""

import io
import math
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend_tomo.errors import library
from stend_tomo.writing.durable_files import all_there, write_each
from stend_tomo.writing.volume import Plan, Values, refuse_what_integers_lack, software

CT_IMAGE_STORAGE = "1.2.840.10008.5.1.4.1.1.2"
EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1"
NAME = "slice_{:05}.dcm"
THOUSAND = 1000.0
"""From 1/mm to 1/m."""
LEVELS, HIGHEST = 65535, 32767
ABOUT = ("sample", "description", "instrument")
"""What of `about` has a place in the files."""
LONGEST_TEXT, LONGEST_COMMENT = 64, 10240
"""Characters of a long string and of a long text (PS3.5, 6.2: VR LO and PN; LT)."""


def new_series() -> dict[str, str]:
    """What all slices of a series share, also those that another run writes."""
    return {
        "uuid": str(uuid.uuid4()),
        "made": datetime.now(UTC).strftime("%Y%m%d%H%M%S"),
    }


def uid(of: uuid.UUID) -> str:
    """A unique identifier from a UUID (PS3.5, B.2)."""
    return f"2.25.{of.int}"


def decimal(value: float) -> str:
    """A number in the 16 characters that VR DS has (PS3.5, 6.2), as exactly as they allow."""
    for digits in range(16, 0, -1):
        said = f"{value:.{digits}g}"
        if len(said) <= 16:
            return said
    raise AssertionError(value)


class Series:
    """A folder of DICOM files."""

    def __init__(self, path: Path, plan: Plan, kept: dict[str, Any]) -> None:
        assert plan.pixel, "open_volume asks for it"
        assert plan.spacing, "open_volume sets it"
        self._path, self._plan = path, plan
        self._pixel, self._spacing = plan.pixel, plan.spacing
        self._hounsfield = plan.water is not None or plan.unit == "HU"
        self._series, self._made = uuid.UUID(kept["series"]["uuid"]), kept["series"]["made"]
        self._pydicom = library("pydicom")

    def begin(self) -> None:
        """Make the folder."""
        self._path.mkdir()

    def holds(self, written: int) -> bool:
        """Whether the folder has a file for each slice."""
        files = (self._path / NAME.format(number) for number in range(written))
        return self._path.is_dir() and all_there(files)

    def put(self, first: int, slices: Values) -> None:
        """Write each slice into a file of its own."""
        refuse_what_integers_lack(slices, first, "DICOM")
        write_each(self._path, NAME, first, slices, self._file)

    def _file(self, number: int, values: NDArray[np.float32]) -> bytes:
        out = io.BytesIO()
        self._image(number, values).save_as(out, enforce_file_format=True)
        return out.getvalue()

    def _image(self, number: int, values: NDArray[np.float32]) -> Any:
        data = self._pydicom.Dataset()
        for part in (self._whose(), self._where(number), self._pixels(values), self._window()):
            for name, value in part.items():
                setattr(data, name, value)
        data.SOPInstanceUID = uid(uuid.uuid5(self._series, f"slice {number}"))
        data.file_meta = self._pydicom.dataset.FileMetaDataset()
        data.file_meta.TransferSyntaxUID = EXPLICIT_LITTLE_ENDIAN
        data.file_meta.MediaStorageSOPClassUID = data.SOPClassUID
        data.file_meta.MediaStorageSOPInstanceUID = data.SOPInstanceUID
        return data

    def _whose(self) -> dict[str, Any]:
        """Patient, study, series, equipment: the same in each file; what isn't known is empty."""
        about = self._plan.about
        said = {key: about.get(key, "").replace("\\", "/")[:LONGEST_TEXT] for key in ABOUT}
        day, time = self._made[:8], self._made[8:]
        return {
            "SpecificCharacterSet": "ISO_IR 192",
            "SOPClassUID": CT_IMAGE_STORAGE,
            "StudyInstanceUID": uid(uuid.uuid5(self._series, "study")),
            "SeriesInstanceUID": uid(self._series),
            "FrameOfReferenceUID": uid(uuid.uuid5(self._series, "frame of reference")),
            "PatientName": said["sample"].replace("^", " ")[: LONGEST_TEXT - 1] + "^",
            "PatientID": said["sample"],
            "PatientBirthDate": "",
            "PatientSex": "O",
            "StudyDate": day,
            "StudyTime": time,
            "SeriesDate": day,
            "SeriesTime": time,
            "ContentDate": day,
            "ContentTime": time,
            "StudyID": "1",
            "SeriesNumber": 1,
            "AcquisitionNumber": 1,
            "AccessionNumber": "",
            "ReferringPhysicianName": "",
            "StudyDescription": said["description"],
            "SeriesDescription": f"Slices, stored values in {self._unit()}",
            "Modality": "CT",
            "Manufacturer": "stend",
            "SoftwareVersions": software(),
            "ManufacturerModelName": said["instrument"],
            "ImageType": ["DERIVED", "SECONDARY", "AXIAL"],
            "BodyPartExamined": "WHOLEBODY",
            "PositionReferenceIndicator": "",
            "KVP": None,
            **self._comments(),
        }

    def _comments(self) -> dict[str, str]:
        """All that is known, a line each: how the slices were made has no other place."""
        lines = [f"{key}: {' '.join(said.split())}" for key, said in self._plan.about.items()]
        return {"ImageComments": "\r\n".join(lines)[:LONGEST_COMMENT]} if lines else {}

    def _where(self, number: int) -> dict[str, Any]:
        """The slice's number and place."""
        _, rows, columns = self._plan.shape
        left, top = -(columns - 1) / 2 * self._pixel, -(rows - 1) / 2 * self._pixel
        below = (self._plan.first + number) * self._spacing
        return {
            "InstanceNumber": number + 1,
            "PatientPosition": "HFS",
            "PixelSpacing": [decimal(self._pixel)] * 2,
            "SliceThickness": decimal(self._spacing),
            "SpacingBetweenSlices": decimal(self._spacing),
            "ImageOrientationPatient": [1, 0, 0, 0, 1, 0],
            "ImagePositionPatient": [decimal(place) for place in (left, top, below)],
            "SliceLocation": decimal(below),
        }

    def _pixels(self, values: NDArray[np.float32]) -> dict[str, Any]:
        low, high = map(float, self._shown(np.array([values.min(), values.max()], np.float64)))
        signed = self._hounsfield
        if signed:
            slope, intercept = decimal(max(1, math.ceil(max(high, -low) / HIGHEST))), "0"
        else:
            slope, intercept = decimal((high - low) / LEVELS if high > low else 1.0), decimal(low)
        scaled = self._shown(values.astype(np.float64))
        scaled -= float(intercept)
        scaled /= float(slope)
        limits = np.iinfo(np.int16 if signed else np.uint16)
        np.clip(np.rint(scaled, out=scaled), limits.min, limits.max, out=scaled)
        stored = scaled.astype("<i2" if signed else "<u2")
        return {
            "SamplesPerPixel": 1,
            "PhotometricInterpretation": "MONOCHROME2",
            "Rows": stored.shape[0],
            "Columns": stored.shape[1],
            "BitsAllocated": 16,
            "BitsStored": 16,
            "HighBit": 15,
            "PixelRepresentation": int(signed),
            "RescaleSlope": slope,
            "RescaleIntercept": intercept,
            "RescaleType": "HU" if self._hounsfield else "US",
            "PixelData": stored.tobytes(),
        }

    def _window(self) -> dict[str, Any]:
        if self._plan.window is None:
            return {}
        low, high = map(float, self._shown(np.array(self._plan.window)))
        # The usual function takes none below 1 (PS3.3, C.11.2.1.2); not all viewers know others.
        exact = {"VOILUTFunction": "LINEAR_EXACT"} if high - low < 1 else {}
        width = {"WindowCenter": decimal((low + high) / 2), "WindowWidth": decimal(high - low)}
        return width | exact

    def _shown(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values as the file has them, in HU or thousandfold."""
        if self._plan.water is not None:
            return (values - self._plan.water) * (THOUSAND / self._plan.water)
        return values if self._hounsfield else values * THOUSAND

    def _unit(self) -> str:
        if self._hounsfield:
            return "HU"
        return "1/m" if self._plan.unit == "1/mm" else f"0.001 {self._plan.unit}"
