"""Packed chunks that unpack to more than they have room for, and those that don't."""

import bz2
import gzip
import json
import lzma
import struct
import subprocess
import sys
import zlib

import h5py
import numcodecs
import numpy as np
import pytest
import zarr
from zarr.codecs import Crc32cCodec, GzipCodec, ZstdCodec

import stend_tomo
from scan_files import refused
from stend_tomo.reading import hdf5
from tomo_support import PATIENCE

LARGE = 100 << 20
"""Bytes that bombs unpack to."""
IMAGES = np.arange(4 * 5 * 6, dtype="u2").reshape(4, 5, 6)

READ = """
import os, re, sys
import stend_tomo
from stend_tomo.errors import ScanFileError
import h5py, zarr

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1])

before = peak()
for path in sys.argv[1:]:
    try:
        stend_tomo.read(path).projections.rows(0, 5)
    except ScanFileError as error:
        print(error)
print(peak() - before)
"""


def zstd_run(size):
    """A frame that tells no size: blocks of one repeated byte (RFC 8878, 3.1.1)."""
    blocks = size >> 17
    headers = [int(last) | 1 << 1 | 1 << 17 << 3 for last in [0] * (blocks - 1) + [1]]
    body = b"".join(header.to_bytes(3, "little") + b"\0" for header in headers)
    return b"\x28\xb5\x2f\xfd\x00\x58" + body


def write_v3(path, name, packed, **how):
    """A store whose only chunk has these bytes, packed by a codec of format 3."""
    zarr.create_array(str(path), shape=(4, 5, 6), dtype="u2", chunks=(4, 5, 6), compressors=None)
    said = json.loads((path / "zarr.json").read_text())
    said["codecs"].append({"name": name, "configuration": how})
    (path / "zarr.json").write_text(json.dumps(said))
    (path / "c/0/0").mkdir(parents=True)
    (path / "c/0/0/0").write_bytes(packed)


def write_v2(path, codec, packed):
    options = {"shape": (4, 5, 6), "dtype": "u2", "chunks": (4, 5, 6), "zarr_format": 2}
    zarr.create_array(str(path), **options, compressors=codec)
    (path / "0.0.0").write_bytes(packed)


def write_hdf5(path, name, packed, shape=(4, 5, 6)):
    with h5py.File(path, "w") as file:
        file["exchange/data"] = IMAGES
        file["exchange"].pop(name, None)
        data = file.create_dataset(
            f"exchange/{name}", shape, "u2", chunks=shape, compression="gzip", shuffle=True
        )
        data.id.write_direct_chunk((0,) * len(shape), packed)


def test_a_chunk_that_unpacks_to_more_than_it_holds_takes_no_memory(tmp_path):
    zeros = bytes(LARGE)
    parts = LARGE >> 20  # of formats that are slow to pack: streams one behind the other
    write_v3(tmp_path / "gzip", "gzip", gzip.compress(zeros, 1), level=1)
    write_v3(tmp_path / "zstd", "zstd", zstd_run(LARGE), level=0, checksum=False)
    told = numcodecs.Zstd(1).encode(zeros)
    write_v3(tmp_path / "zstd-told", "zstd", told, level=0, checksum=False)
    write_v2(tmp_path / "zlib", numcodecs.Zlib(), zlib.compress(zeros, 1))
    write_v2(tmp_path / "bz2", numcodecs.BZ2(), parts * bz2.compress(bytes(1 << 20)))
    write_v2(tmp_path / "lzma", numcodecs.LZMA(), parts * lzma.compress(bytes(1 << 20)))
    write_v2(tmp_path / "blosc", numcodecs.Blosc(), numcodecs.Blosc().encode(zeros))
    write_v2(tmp_path / "lz4", numcodecs.LZ4(), numcodecs.LZ4().encode(zeros))
    write_hdf5(tmp_path / "deflate.h5", "data", zlib.compress(zeros, 1))
    paths = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", READ, *map(str, paths)],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    *said, took = done.stdout.splitlines()
    assert [line.partition(" has more packed into a chunk than ")[0] for line in said] == [
        str(path) for path in paths
    ]
    assert int(took) < LARGE / 2


def test_lists_and_images_made_of_others_are_looked_at_as_well(tmp_path):
    bomb = zlib.compress(bytes(LARGE), 1)
    write_hdf5(tmp_path / "theta.h5", "theta", bomb, shape=(4,))
    refused(tmp_path / "theta.h5", "more packed into a chunk than the 1,048,584 bytes")
    write_hdf5(tmp_path / "virtual.h5", "others", bomb)
    with h5py.File(tmp_path / "virtual.h5", "r+") as file:
        layout = h5py.VirtualLayout((4, 5, 6), "u2")
        layout[:] = h5py.VirtualSource(".", "exchange/others", (4, 5, 6))
        del file["exchange/data"]
        file.create_virtual_dataset("exchange/data", layout)
    refused(tmp_path / "virtual.h5", "more packed into a chunk")


def test_chunks_that_were_deflated_twice_are_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_chunk((4, 5, 6))
        plan.set_deflate(1)
        plan.set_filter(h5py.h5z.FILTER_DEFLATE, h5py.h5z.FLAG_OPTIONAL, (1,))
        space = h5py.h5s.create_simple((4, 5, 6))
        h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.STD_U16LE, space, plan)
    refused(tmp_path / "a.h5", "deflated twice")


def test_a_filter_that_is_told_of_more_values_than_a_chunk_has_is_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        data = file.create_dataset(
            "exchange/data", data=IMAGES, chunks=(4, 5, 6), scaleoffset=9, shuffle=True
        )
        filters = data.id.get_create_plist()
        (told,) = [filters.get_filter(n)[2] for n in (0, 1) if filters.get_filter(n)[0] == 6]
    assert np.array_equal(stend_tomo.read(tmp_path / "a.h5").projections.rows(0, 5), IMAGES)
    stored = (tmp_path / "a.h5").read_bytes()
    assert told[2] == IMAGES.size
    more = (*told[:2], 1 << 27, *told[3:])
    pack = struct.Struct(f"<{len(told)}I").pack
    (tmp_path / "a.h5").write_bytes(stored.replace(pack(*told), pack(*more)))
    refused(tmp_path / "a.h5", "packed as if they had other sizes")  # the library would crash


def test_a_chunk_of_hdf5_is_looked_at_once_and_only_where_it_is_read(tmp_path, monkeypatch):
    looked = []

    def unpacked(path, name, packed, room):
        looked.append(packed)

    monkeypatch.setattr(hdf5, "UNSEEN", 0)
    monkeypatch.setattr(hdf5, "SPARE", 0)
    monkeypatch.setattr(hdf5, "unpacked", unpacked)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("exchange/data", data=IMAGES, chunks=(3, 2, 6), compression="gzip")
    projections = stend_tomo.read(tmp_path / "a.h5").projections
    for first, last, chunks in ((2, 4, 2), (1, 4, 4), (0, 4, 4), (4, 5, 6), (0, 5, 6)):
        assert np.array_equal(projections.rows(first, last), IMAGES[:, first:last])
        assert len(looked) == chunks


def named(codec, **how):
    return {"name": f"numcodecs.{codec}", "configuration": how}


RAW = [{"id": lzma.FILTER_LZMA2}]
V3 = {
    "gzip": {"compressors": GzipCodec()},
    "packed twice": {"compressors": [GzipCodec(), Crc32cCodec(), ZstdCodec()]},
    "shards": {"compressors": GzipCodec(), "chunks": (1, 5, 6), "shards": (2, 5, 6)},
    "lz4": {"compressors": named("lz4")},
    "wider": {"filters": named("delta", dtype="u2", astype="i8"), "compressors": named("zlib")},
    "raw lzma": {"compressors": named("lzma", format=lzma.FORMAT_RAW, filters=RAW)},
}
V2 = {
    "bz2": {"compressors": numcodecs.BZ2()},
    "blosc": {"compressors": numcodecs.Blosc()},
    "zlib": {"filters": [numcodecs.Delta("u2", astype="i8"), numcodecs.Zlib()]},
}


@pytest.mark.filterwarnings("ignore:Numcodecs codecs")
@pytest.mark.parametrize("way", [*V3, *V2])
def test_sound_chunks_are_read_whatever_packed_them(tmp_path, way):
    options = {"chunks": (2, 5, 6), "zarr_format": 2} | V2[way] if way in V2 else V3[way]
    images = np.random.default_rng(0).integers(0, 999, (4, 5, 6)).astype("u2")
    store = zarr.create_array(str(tmp_path / "a"), shape=(4, 5, 6), dtype="u2", **options)
    store[...] = images
    assert np.array_equal(stend_tomo.read(tmp_path / "a").projections.rows(1, 4), images[:, 1:4])
