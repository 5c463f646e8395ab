"""Fuzz the reading of scans and volumes: mutated good files in; out a file that broke the promise.

The promise: any bytes give images of the shape that was told, or one error of stend's whose
sentence is short and printable; soon, with little memory. Seeds are made here, one of each format,
scans by other libraries and volumes by stend. They are read in processes of their own, so that a
crash inside a library, or one that never returns, is caught as well; what was being read is kept.

    python engines/tomo/fuzz/tomo_files.py [SECONDS] [SEED]
"""

import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pydicom
import tifffile
import zarr
from PIL import Image

from stend_tomo.errors import TomoError
from stend_tomo.reading import read, read_volume
from stend_tomo.scan import Scan, StoredVolume
from stend_tomo.writing import write

IMAGES = np.arange(6 * 9 * 12, dtype="u2").reshape(6, 9, 12)
BATCH = 200
"""Files that one process reads."""
SLOW = 10.0
"""Seconds that nothing so small may take."""
MEMORY = 4 << 30
"""Bytes of address space."""
INTERESTING = [b"\0", b"\1", b"\x7f", b"\x80", b"\xff", b"\0" * 4, b"\xff" * 4, b"\xff" * 8,
               b"\0\0\0\x80", b"\x7f\xff\xff\xff", b"\0" * 64]  # fmt: skip
JSON = [None, True, -1, 0, 1, 2**31, 2**63, 1e308, "", "x" * 500, "\x1b", [], [[]], {}, "uint8"]


def make_seeds(folder: Path) -> list[Path]:
    """One small good file or folder of each kind."""
    hdf5(folder / "exchange.h5", "exchange/data", "exchange/theta")
    hdf5(folder / "packed.h5", "exchange/data", "exchange/theta", compression="gzip", chunks=True)
    hdf5(folder / "nexus.h5", "e/instrument/detector/data", "e/sample/rotation_angle")
    for name, options in {
        "plain": {}, "pages": {"metadata": None}, "packed": {"compression": "zlib"},
        "tiles": {"tile": (16, 16)}, "imagej": {"imagej": True}, "big": {"bigtiff": True},
    }.items():  # fmt: skip
        tifffile.imwrite(folder / f"{name}.tif", IMAGES, photometric="minisblack", **options)
    Image.fromarray(IMAGES[0]).save(folder / "16.png")
    Image.fromarray(IMAGES[0].astype("u1")).save(folder / "8.png", dpi=(5000, 5000))
    np.save(folder / "a.npy", IMAGES)
    np.savez(folder / "plain.npz", data=IMAGES, theta=np.arange(6.0))
    np.savez_compressed(folder / "packed.npz", data=IMAGES, theta=np.arange(6.0))
    dicom(folder / "a.dcm", IMAGES)
    (folder / "series").mkdir()
    for number, image in enumerate(IMAGES[:3]):
        dicom(folder / f"series/{number}.dcm", image[np.newaxis])
    for version in (2, 3):
        root = zarr.open_group(str(folder / f"v{version}.zarr"), mode="w", zarr_format=version)
        root.create_array("data", data=IMAGES, chunks=(2, 9, 12))
        root.create_array("theta", data=np.arange(6.0))
    for name in ("dicom", "png", "tiff", "hdf5", "zarr"):
        path = folder / f"slices.{name}"
        write(path, IMAGES[:2], format=name, pixel=0.1, window=(0, 700), about={"sample": "x"})
    return sorted(folder.iterdir())


def hdf5(path: Path, data: str, theta: str, **options: object) -> None:
    with h5py.File(path, "w") as file:
        file.create_dataset(data, data=IMAGES, **options)
        file[theta] = np.arange(6.0)
        file[theta].attrs["units"] = "deg"
        file["e/instrument/detector/image_key"] = np.zeros(6, int)
        file["measurement/sample/name"] = "x"
        file[data].attrs["description"] = "x" * 5000  # a heap that is read in two pieces


def dicom(path: Path, images: "np.ndarray[Any, Any]") -> None:
    data = pydicom.Dataset()
    data.SOPClassUID, data.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.12.1", "1.2"
    data.NumberOfFrames, data.Rows, data.Columns = images.shape
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 16, 15, 0
    data.PixelData = images.tobytes()
    data.file_meta = pydicom.dataset.FileMetaDataset()
    data.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    data.save_as(path, enforce_file_format=True)


def mutate(path: Path, source: random.Random) -> None:
    """Change a file, or one file of a folder."""
    if path.is_dir():
        path = source.choice(sorted(file for file in path.rglob("*") if file.is_file()))
        if source.random() < 0.7 and path.suffix == ".json":
            path.write_text(json.dumps(_mutated_tree(json.loads(path.read_text()), source)))
            return
    data = bytearray(path.read_bytes())
    for _ in range(source.choice([1, 1, 2, 4, 8])):
        place = _place(len(data), source)
        put = source.choice([*INTERESTING, source.randbytes(source.randrange(1, 9))])
        match source.randrange(5):
            case 0:
                del data[place : place + source.choice([1, 8, 500])]
            case 1:
                data[place:place] = put
            case 2:
                other = _place(len(data), source)
                data[place : place + 16] = data[other : other + 16]
            case _:
                data[place : place + len(put)] = put
    path.write_bytes(data if source.random() < 0.9 else data[: _place(len(data), source)])


def _place(size: int, source: random.Random) -> int:
    """Half the time near the beginning, where headers are."""
    return source.randrange(min(size, source.choice([256, 2048, size])) + 1) if size else 0


def _mutated_tree(tree: Any, source: random.Random) -> Any:
    places = list(_places(tree))
    if places:
        parent, key = source.choice(places)
        parent[key] = source.choice(JSON)
    return tree


def _places(tree: Any) -> list[tuple[Any, Any]]:
    keys = tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    return [(tree, key) for key in keys] + [place for key in keys for place in _places(tree[key])]


def try_one(path: Path) -> bool:
    """Read it as a scan and as a volume; True when it was one. Anything but the promise raises."""
    began = time.process_time()
    sound = [_sound(lambda: read(path)), _sound(lambda: read_volume(path))]
    assert time.process_time() - began < SLOW, "slow"
    return any(sound)


def _sound(opened: Callable[[], Scan | StoredVolume]) -> bool:
    try:
        found = opened()
        images = found.projections if isinstance(found, Scan) else found.slices
        frames, rows, columns = images.shape
        assert images.rows(0, 1).shape == (frames, 1, columns)
        assert images.frame(frames - 1).shape == (rows, columns)
        assert all(said.isprintable() for said in found.about.values())
    except TomoError as error:
        said = str(error)
        assert len(said) < 1000, said
        assert said.isprintable(), said
        return False
    return True


def batch(seeds: list[Path], seed: int, work: Path) -> None:
    """Read BATCH mutants."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    source = random.Random(seed)
    for number in range(BATCH):
        good = source.choice(seeds)
        path = work / f"{number}-{good.name}"
        (shutil.copytree if good.is_dir() else shutil.copy)(good, path)
        mutate(path, source)
        signal.setitimer(signal.ITIMER_REAL, 2 * SLOW)  # which ends this process
        try_one(path)
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def main(seconds: float = 60.0, seed: int | None = None) -> None:
    seed = random.randrange(2**32) if seed is None else seed
    end, tried = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        good, work = _made(Path(folder) / "seeds"), Path(folder) / "work"
        assert in_child(lambda: check_seeds(make_seeds(good))) == 0, "a seed is not sound"
        seeds = sorted(good.iterdir())
        while time.monotonic() < end:
            _made(work)
            if in_child(partial(batch, seeds, seed + tried, work)):
                (left,) = work.iterdir()
                kept = Path(f"tomo_files.crash.{left.name}")
                (shutil.copytree if left.is_dir() else shutil.copy)(left, kept)
                raise SystemExit(f"tomo_files: seed {seed}: kept in {kept}")
            tried += BATCH
            shutil.rmtree(work)
    print(f"tomo_files: {tried:,} files from seed {seed}; none broke the promise.")


def in_child(function: Callable[[], None]) -> int:
    """Call it in a process of its own; 0 when it came back.

    This one reads no file: libraries make threads then, which a process does not inherit.
    """
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        function()
        code = 0
    finally:
        if code:
            sys.excepthook(*sys.exc_info())
        os._exit(code)


def check_seeds(seeds: list[Path]) -> None:
    for path in seeds:
        assert try_one(path), path


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
