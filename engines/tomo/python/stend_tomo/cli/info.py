"""`stend-tomo info`: what a file of projections or slices holds, and what it lacks."""

import math
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from stend_tomo.cli.arguments import Given
from stend_tomo.cli.progress import Json, encodable, print_json
from stend_tomo.cli.scan_options import AsVolume, File, Source, opened, refuse_unheeded
from stend_tomo.errors import printable

if TYPE_CHECKING:
    from stend_tomo import Frames, Scan, StoredVolume


WIDTH = 80
"""Columns where no terminal tells."""
WIDEST_GAP = 10.0
"""Degrees between neighbouring directions; where more are not seen, shapes are distorted."""
UNEVEN = 3.0
"""Times the usual step: golden angles have gaps of up to 2.6, and few projections wide steps."""
EXACT = 1e-7
"""Of the largest value, what float32 can't tell from 0 beside it."""


def verb(
    given: Given,
    file: File,
    *,
    source: Source,
    volume: AsVolume = False,
    json: Json = False,
) -> None:
    """Show what a file holds, a scan or a volume of slices, and what is missing to reconstruct it.

    Examples: `info scan.h5`, `info slices --json`.
    """
    from stend_tomo.reading import is_volume, kind_of, read_volume

    found: dict[str, Any] = {"file": encodable(str(file)), "format": kind_of(file)}
    if volume or (source.angles is None and is_volume(file, limit=source.limit)):
        refuse_unheeded(given, file, "--volume", "--json")
        found |= {"holds": "slices"} | _volume(read_volume(file, limit=source.limit))
    else:
        scan = opened(file, source)
        found |= {"holds": "projections"} | _scan(scan)
    found |= _on_disk(file)
    if json:
        print_json(found)
    else:
        _print(found)


def _on_disk(file: Path) -> dict[str, Any]:
    """How many bytes, and of a folder the format of its images."""
    from stend_tomo.reading.stack import files_of, images_in, kind_of_images
    from stend_tomo.reading.zarr_store import is_store

    if not file.is_dir() or is_store(file):
        return {"disk": sum(part.stat().st_size for part in files_of(file))}
    images = images_in(file) or files_of(file)
    size = sum(part.stat().st_size for part in images)
    return {"disk": size, "format": kind_of_images(file, images)}


def _stored(frames: Any) -> str:
    """The type of a pixel before levels of grey become real numbers."""
    while hasattr(frames, "source"):
        frames = frames.source
    return str(frames.dtype.name)


def _frames(frames: "Frames") -> dict[str, Any]:
    import numpy as np

    number, rows, columns = frames.shape
    size = int(np.prod(frames.shape, dtype=object)) * frames.dtype.itemsize
    return {
        "images": number,
        "rows": rows,
        "columns": columns,
        "type": frames.dtype.name,
        "stored": _stored(frames),
        "bytes": size,
    }


def _scan(scan: "Scan") -> dict[str, Any]:
    return {
        **_frames(scan.projections),
        "kind": "line integrals" if scan.normalized else "intensities",
        "angles": _angles(scan),
        "flats": scan.flats.shape[0] if scan.flats else 0,
        "darks": scan.darks.shape[0] if scan.darks else 0,
        "pixel_mm": scan.pixel,
        "about": dict(scan.about),
        "missing": _missing(scan),
    }


def _angles(scan: "Scan") -> dict[str, Any] | None:
    """In degrees; `repeated` counts the directions that are seen again, from either side."""
    import numpy as np

    if scan.angles is None:
        return None
    degrees = np.degrees(scan.angles)
    steps = np.diff(np.sort(degrees))
    step = float(np.median(steps)) if len(steps) else 0.0
    return {
        "first": float(degrees[0]),
        "last": float(degrees[-1]),
        "step": step,
        "uniform": bool(np.allclose(steps, step, atol=0.01 * abs(step) + 1e-9)),
        "repeated": _repeated(degrees, step),
    }


def _repeated(degrees: Any, step: float) -> int:
    """How many lie nearer than a quarter of a step to another one, half turns not counted."""
    import numpy as np

    directions = np.sort(degrees % 180)
    gaps = np.diff(directions, append=directions[:1] + 180)
    return int(np.count_nonzero(gaps < step / 4)) if len(degrees) > 1 else 0


def _gap(degrees: Any) -> float | None:
    """Degrees of half a turn in a row that are not seen, if that is more than sparse angles have.

    Directions that are half a turn apart are the same.
    """
    import numpy as np

    directions = np.sort(degrees % 180)
    gaps = np.diff(directions, append=directions[:1] + 180)
    step = np.median(gaps[gaps > 1e-6])
    widest = float(gaps.max())
    return widest - float(step) if widest > max(WIDEST_GAP, UNEVEN * step) else None


def _missing(scan: "Scan") -> list[str]:
    """What has to be given, and what results are worse without."""
    import numpy as np

    missing = []
    if scan.angles is None:
        missing.append(
            "no angles: give --angles FIRST:LAST:COUNT|FILE in degrees; if these are slices, "
            "--volume"
        )
    elif gap := _gap(np.degrees(scan.angles)):
        missing.append(
            f"{gap:.4g}° of half a turn are missing: shapes are distorted there, and the axis may "
            "need --center COLUMN"
        )
    if scan.flats is None and not scan.normalized:
        missing.append(
            "no flat fields: give --flats FILE; or --white 1 or --line-integrals if not needed"
        )
    if scan.darks is None and not scan.normalized:
        missing.append("no dark fields: 0 is assumed")
    if scan.pixel is None:
        missing.append("no pixel size: slices are in 1/pixel, and DICOM needs --pixel MM")
    for what in ("projections", "flats", "darks"):
        missing += _unwritten(what, getattr(scan, what))
    return missing


def _unwritten(what: str, frames: "Frames | None") -> list[str]:
    from stend_tomo.reading.frames import unwritten

    lacking, chunks = unwritten(frames)
    if not lacking:
        return []
    return [f"{lacking:,} of {chunks:,} chunks of the {what} hold only the fill value"]


def _volume(volume: "StoredVolume") -> dict[str, Any]:
    middle = volume.slices.frame(volume.slices.shape[0] // 2)
    return {
        **_frames(volume.slices),
        "unit": volume.unit,
        "pixel_mm": volume.pixel,
        "spacing_mm": volume.spacing,
        "window": list(volume.window) if volume.window else None,
        "middle": {"lowest": float(middle.min()), "highest": float(middle.max())},
        "about": dict(volume.about),
        "missing": _unwritten("slices", volume.slices),
    }


def _print(found: dict[str, Any]) -> None:
    lines = [(printable(name), printable(said, name=False)) for name, said in _lines(found)]
    indent = max(len(name) for name, _ in lines) + 2
    width = max(get_terminal_size((WIDTH, 24)).columns, indent + 20)
    for name, said in lines:
        first, *others = [
            row
            for line in said.splitlines() or [""]
            for row in wrap(line, width - indent, break_on_hyphens=False) or [""]
        ]
        print(f"{name:{indent}}{first}".rstrip())
        for row in others:
            print(" " * indent + row)


def _lines(found: dict[str, Any]) -> "list[tuple[str, str]]":
    images = f"{found['images']:,} of {found['rows']:,} rows × {found['columns']:,} columns"
    lines = [
        ("file", f"{printable(found['file'])} ({found['format']})"),
        (found["holds"], f"{images}, {_pixels(found)}"),
    ]
    if found["holds"] == "projections":
        lines += [("values", found["kind"]), ("angles", _angles_in_words(found["angles"]))]
        lines += [("flats, darks", f"{found['flats']}, {found['darks']}")]
    else:
        lines += [
            ("unit", found["unit"] or "not recorded"),
            ("middle slice", _range(found["middle"])),
        ]
        window = found["window"]
        lines += [("window", f"{window[0]:.6g} to {window[1]:.6g}" if window else "not recorded")]
    pixel = found["pixel_mm"]
    lines += [("pixel", f"{pixel:.6g} mm" if pixel else "not recorded")]
    if spacing := found.get("spacing_mm"):
        lines += [("between slices", f"{spacing:.6g} mm")]
    lines += list(found["about"].items())
    return lines + [("missing", said) for said in found.get("missing", [])]


def _pixels(found: dict[str, Any]) -> str:
    read = "" if found["stored"] == found["type"] else f", read as {found['type']}"
    return f"{found['stored']}{read}, {_size(found['disk'])} on the disk"


def _range(middle: dict[str, float]) -> str:
    if not all(map(math.isfinite, middle.values())):
        return "has values that are not numbers"
    largest = max(map(abs, middle.values()))
    low, high = (value if abs(value) > EXACT * largest else 0.0 for value in middle.values())
    return f"{low:.6g} to {high:.6g}"


def _angles_in_words(angles: dict[str, Any] | None) -> str:
    if angles is None:
        return "not recorded"
    steps = "evenly" if angles["uniform"] else "unevenly, most"
    said = f"{angles['first']:.6g}° to {angles['last']:.6g}°, {steps} by {angles['step']:.4g}°"
    if angles["repeated"]:
        said += f"; {angles['repeated']:,} repeat a direction and share its weight"
    return said


def _size(size: int) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} bytes"
