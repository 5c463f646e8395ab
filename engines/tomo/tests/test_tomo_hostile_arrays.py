"""Broken and hostile NumPy files and Zarr stores: one sentence each, and nothing in them is run."""

import json
import os
import pickle
import struct

import numcodecs
import numpy as np
import pytest
import zarr

import stend_tomo
from scan_files import known, refused
from stend_tomo.errors import OutputError, ScanFileError


class Bomb:
    """Says so when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("exploded",)


def test_python_objects_are_never_unpacked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    objects = np.empty((2, 2, 2), object)
    objects[...] = Bomb()
    np.save("a.npy", objects, allow_pickle=True)
    np.savez("b.npz", data=objects)
    np.savez("c.npz", data=np.zeros((2, 2, 2)), theta=objects)
    (tmp_path / "d.npy").write_bytes(pickle.dumps(Bomb()))
    refused(tmp_path / "a.npy", "holds Python objects")
    refused(tmp_path / "b.npz", "holds Python objects")
    refused(tmp_path / "c.npz", "angles of type object")
    refused(tmp_path / "d.npy", "none of the known formats")
    assert not (tmp_path / "exploded").exists()


def npy(header, data=b""):
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text + data


@pytest.mark.parametrize(
    "data",
    [
        b"\x93NUMPY",
        npy("{"),
        npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3, 4)}", b"\0" * 47),
        npy("{'descr': '<u2', 'fortran_order': False, 'shape': (-2, 3, 4)}"),
        npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2000, 3000, 400000)}"),
        npy("{'descr': '<u2', 'fortran_order': False, 'shape': (0, 3, 4)}"),
        npy("{'descr': '<u2', 'fortran_order': False, 'shape': (3,)}", b"\0" * 6),
        npy("__import__('os').mkdir('exploded')"),
    ],
)
def test_npy_that_makes_no_sense_is_refused(tmp_path, monkeypatch, data):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.npy").write_bytes(data)
    refused(tmp_path / "a.npy", "a.npy")
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_an_array_that_is_cut_after_it_was_looked_at_is_refused(tmp_path, name):
    images = np.ones((40, 64, 64), "u2")
    np.save(tmp_path / name, images) if name == "a.npy" else np.savez(tmp_path / name, data=images)
    projections = stend_tomo.read(tmp_path / name).projections
    os.truncate(tmp_path / name, 3 * 4096)
    with pytest.raises(ScanFileError, match=r"can't be read as NumPy's format: .* incomplete"):
        projections.rows(0, 64)


def test_a_packed_array_is_unpacked_onto_the_disk_where_there_is_room(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "a.npz", data=known().projections)
    projections = stend_tomo.read(tmp_path / "a.npz").projections
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(OutputError, match=r"nowhere: No such .* TMPDIR .* room for 560 bytes"):
        projections.rows(0, 5)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert np.array_equal(projections.rows(0, 5), known().projections)
    assert [file.name for file in tmp_path.iterdir()] == ["a.npz"]


def test_npz_that_unpacks_to_much_more_is_refused(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        header = "{'descr': '<u2', 'fortran_order': False, 'shape': (1000, 1000, 10000)}"
        archive.writestr("data.npy", npy(header, b"\0" * 10**6))
    refused(tmp_path / "a.npz", "out of all proportion")


def test_a_zarr_codec_that_runs_code_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    zarr.create_array("a", data=known().projections, zarr_format=2, chunks=(7, 5, 8))
    plan = json.loads((tmp_path / "a/.zarray").read_text())
    plan["filters"], plan["compressor"] = [{"id": "pickle", "protocol": 5}], None
    (tmp_path / "a/.zarray").write_text(json.dumps(plan))
    (tmp_path / "a/0.0.0").write_bytes(pickle.dumps(Bomb()))
    refused(tmp_path / "a", "can't be read as Zarr")
    assert not (tmp_path / "exploded").exists()


@pytest.mark.filterwarnings("ignore::UserWarning")  # of zarr, about numcodecs' codecs
def test_only_codecs_that_are_known_are_run(tmp_path):
    numbers = known().projections
    codec = {"id": "base64"}
    zarr.create_array(str(tmp_path / "a"), data=numbers, zarr_format=2, compressors=None)
    plan = json.loads((tmp_path / "a/.zarray").read_text())
    (tmp_path / "a/.zarray").write_text(json.dumps({**plan, "compressor": codec}))
    refused(tmp_path / "a", "packed by base64, which is not known to be safe")


@pytest.mark.parametrize("name", ["projections", "angles"])
@pytest.mark.parametrize(
    ("form", "packer"), [(2, numcodecs.Blosc("lz4")), (3, zarr.codecs.BloscCodec(cname="lz4"))]
)
def test_a_blosc_chunk_that_is_shorter_than_it_says_is_refused(tmp_path, form, packer, name):
    root = zarr.create_group(str(tmp_path / "a"), zarr_format=form)
    for part, values in (("projections", known().projections), ("angles", known().degrees)):
        root.create_array(part, data=values, chunks=values.shape, compressors=packer)
    (chunk,) = (path for path in (tmp_path / "a" / name).rglob("*0") if path.is_file())
    stored = chunk.read_bytes()
    assert stend_tomo.read(tmp_path / "a").projections.rows(0, 5).sum() == known().projections.sum()
    for kept in (len(stored) - 1, 20, 15, 1):
        chunk.write_bytes(stored[:kept])
        refused(tmp_path / "a", f"Blosc says .* has {kept}")


def test_zarr_data_of_another_kind_is_refused(tmp_path):
    zarr.create_array(str(tmp_path / "a"), data=np.zeros((3, 4, 5), complex))
    refused(tmp_path / "a", "complex128; they must be integers or real")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("shape", [10**6, 10**6, 10**6], "out of all proportion"),
        ("shape", [7], r"shape \(7,\)"),
        ("codecs", [{"name": "evil"}], "can't be read as Zarr"),
        ("zarr_format", 9, "can't be read as Zarr"),
        ("node_type", 1, "is incomplete"),
    ],
)
def test_a_zarr_store_that_makes_no_sense_is_refused(tmp_path, key, value, said):
    zarr.create_array(str(tmp_path / "a"), data=known().projections)
    plan = json.loads((tmp_path / "a/zarr.json").read_text())
    plan[key] = value
    if key == "shape":
        plan["chunk_grid"]["configuration"]["chunk_shape"] = [1] * len(value)
    (tmp_path / "a/zarr.json").write_text(json.dumps(plan))
    refused(tmp_path / "a", said)
