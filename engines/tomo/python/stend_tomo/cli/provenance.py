"""What slices come from and how they are made: kept beside them, and told in their files."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from stend_tomo.cli.opening import Source

if TYPE_CHECKING:
    from stend_tomo import Scan
    from stend_tomo.preparation import Preparation


def how_made(
    file: Path,
    source: Source,
    scan: "Scan",
    method: Mapping[str, object],
    prepare: "Preparation",
    phase: str | None = None,
) -> dict[str, str]:
    """How the slices are made: kept beside them, and what a later call must agree with."""
    steps = {
        "zingers": prepare.zingers,
        "phase": phase,
        "angles": source.angles,
        "flats": source.flats and source.flats.name,
        "darks": source.darks and source.darks.name,
        "white": source.white,
        "dead stripes": prepare.dead_stripes,
        "large stripes": prepare.large_stripes,
        "stripes": prepare.stripes,
    }
    texts = {key: str(value) for key, value in {**method, **steps}.items() if value is not None}
    return {**scan.about, "scan": file.name, **texts}


def origin_of(file: Path, source: Source, scan: "Scan") -> dict[str, str]:
    """What the slices come from: half of them from another scan would not be seen."""
    from hashlib import sha256

    from stend_tomo.reading.hdf5 import other_files
    from stend_tomo.reading.stack import files_of

    assert scan.angles is not None
    parts = {str(part.relative_to(file)): part for part in files_of(file)}
    for given in filter(None, (source.flats, source.darks)):
        parts |= {str(part.resolve()): part for part in files_of(given)}
    for frames in (scan.projections, scan.flats, scan.darks):
        parts |= {str(other): other for other in other_files(frames)}
    return {
        "file": str(file.resolve()),
        "sizes and dates": sizes_and_dates(parts),
        "entry": source.entry or "",
        "projections": f"{scan.projections.shape} {scan.normalized}",
        "angles": sha256(scan.angles.tobytes()).hexdigest(),
    }


def sizes_and_dates(parts: Mapping[str, Path]) -> str:
    """A sum that is another one where a file, by its name, was changed."""
    from hashlib import sha256

    states = []
    for name, part in parts.items():
        told = part.stat()
        states.append(f"{name} {told.st_size} {told.st_mtime_ns}")
    return sha256(os.fsencode("\n".join(states))).hexdigest()
