"""Slices → a DICOM CT series: a file a slice, 16 bits (PS3.3, A.3, CT Image IOD).

Values. With the attenuation of water, Hounsfield units: stored = value, from -32768 to 32767.
Without, attenuation in 1/m (a thousandth of 1/pixel where the pixel's unit is not 1/mm), of rescale
type US, unspecified: as large as Hounsfield units usually are, because viewers set windows in whole
numbers. Each slice then has a slope of its own, so that all 16 bits are used and nothing is clipped
though later slices are not known yet.

Space. Row 0 of a slice is at its top, slices follow on each other downwards like the detector's
rows: x to the right, y down, z down is a right-handed system, so nothing is mirrored.
"""

import io
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stend.tomo.libraries import library
from stend.tomo.writing.unfinished import write_durably
from stend.tomo.writing.volume import Plan, refuse_what_integers_lack

CT_IMAGE_STORAGE = "1.2.840.10008.5.1.4.1.1.2"
EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1"
THOUSAND = 1000.0
"""From 1/mm to 1/m."""
LEVELS = 65535
ABOUT = ("sample", "description", "instrument")
"""What of `about` has a place in the files."""
LONGEST_TEXT = 64
"""Characters of a long string (PS3.5, 6.2: VR LO and PN)."""


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
        self._path, self._plan, self._pixel = path, plan, plan.pixel
        self._series, self._made = uuid.UUID(kept["series"]["uuid"]), kept["series"]["made"]
        self._pydicom = library("pydicom")

    def begin(self) -> None:
        """Make the folder."""
        self._path.mkdir()

    def put(self, first: int, slices: NDArray[np.float32]) -> None:
        """Write each slice into a file of its own."""
        refuse_what_integers_lack(slices, first, "DICOM")
        for number, values in enumerate(slices, first):
            out = io.BytesIO()
            self._image(number, values).save_as(out, enforce_file_format=True)
            write_durably(self._path / f"slice_{number:05}.dcm", out.getvalue())

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
            "PatientName": said["sample"].replace("^", " ") + "^",
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
            "SeriesDescription": f"Reconstruction, values in {self._unit()}",
            "Modality": "CT",
            "Manufacturer": "stend",
            "ManufacturerModelName": said["instrument"],
            "ImageType": ["DERIVED", "SECONDARY", "AXIAL"],
            "BodyPartExamined": "WHOLEBODY",
            "PositionReferenceIndicator": "",
            "KVP": None,
        }

    def _where(self, number: int) -> dict[str, Any]:
        """The slice's number and place."""
        _, rows, columns = self._plan.shape
        corner = [-(columns - 1) / 2, -(rows - 1) / 2, number]
        return {
            "InstanceNumber": number + 1,
            "PatientPosition": "HFS",
            "PixelSpacing": [decimal(self._pixel)] * 2,
            "SliceThickness": decimal(self._pixel),
            "SpacingBetweenSlices": decimal(self._pixel),
            "ImageOrientationPatient": [1, 0, 0, 0, 1, 0],
            "ImagePositionPatient": [decimal(place * self._pixel) for place in corner],
            "SliceLocation": decimal(number * self._pixel),
        }

    def _pixels(self, values: NDArray[np.float32]) -> dict[str, Any]:
        shown = self._shown(values.astype(np.float64))
        slope, intercept, signed = "1", "0", True
        if self._plan.water is None:
            low, high = float(shown.min()), float(shown.max())
            slope, intercept = decimal((high - low) / LEVELS if high > low else 1.0), decimal(low)
            signed = False
        stored = np.rint((shown - float(intercept)) / float(slope))
        limits = np.iinfo(np.int16 if signed else np.uint16)
        stored = np.clip(stored, limits.min, limits.max).astype("<i2" if signed else "<u2")
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
            "RescaleType": "HU" if self._plan.water else "US",
            "PixelData": stored.tobytes(),
        }

    def _window(self) -> dict[str, Any]:
        if self._plan.window is None:
            return {}
        low, high = map(float, self._shown(np.array(self._plan.window)))
        return {"WindowCenter": decimal((low + high) / 2), "WindowWidth": decimal(high - low)}

    def _shown(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values as the file has them, in HU or thousandfold."""
        if self._plan.water is None:
            return values * THOUSAND
        return (values - self._plan.water) * (THOUSAND / self._plan.water)

    def _unit(self) -> str:
        if self._plan.water is not None:
            return "HU"
        return "1/m" if self._plan.unit == "1/mm" else f"0.001 {self._plan.unit}"
