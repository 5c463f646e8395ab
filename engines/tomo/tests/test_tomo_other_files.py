"""HDF5 files that take data from other files: only where the user trusts them."""

import h5py
import numpy as np
import pytest

import stend_tomo
from scan_files import known, refused, write_data_exchange
from stend_tomo.reading.hdf5 import other_files


@pytest.fixture
def scan_file(tmp_path):
    return write_data_exchange(tmp_path / "a.h5", known())


def test_other_files_are_opened_only_where_the_user_trusts(tmp_path, scan_file):
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["exchange"] = h5py.ExternalLink("a.h5", "/exchange")
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file["exchange/data"] = h5py.SoftLink("/other/data")
        file["other"] = h5py.ExternalLink("a.h5", "/exchange")
    layout = h5py.VirtualLayout((7, 5, 8), "u2")
    layout[...] = h5py.VirtualSource("a.h5", "exchange/data", (7, 5, 8))
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file.create_virtual_dataset("exchange/data", layout)
    for name in ("b", "c", "d"):
        path = tmp_path / f"{name}.h5"
        refused(path, r"takes data from another file, a\.h5\. If you trust it.*external=True")
        frames = stend_tomo.read(path, external=True).projections
        assert np.array_equal(frames.frame(3), known().projections[3])


def test_raw_data_outside_is_opened_only_where_the_user_trusts(tmp_path):
    (tmp_path / "secret").write_bytes(bytes(range(256)) * 4)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        where = [(str(tmp_path / "secret"), 0, 560)]
        file.create_dataset("exchange/data", (7, 5, 8), "u2", external=where)
    refused(tmp_path / "a.h5", "takes data from another file, .*secret")


def test_the_files_that_stand_behind_images_are_told_where_they_are_trusted(tmp_path, scan_file):
    (tmp_path / "raw").write_bytes(bytes(560))
    layout = h5py.VirtualLayout((7, 5, 8), "u2")
    layout[...] = h5py.VirtualSource("a.h5", "exchange/data", (7, 5, 8))
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file.create_virtual_dataset("exchange/data", layout)
        where = [(str(tmp_path / "raw"), 0, 560)]
        file.create_dataset("exchange/data_white", (7, 5, 8), "u2", external=where)
        file["exchange/data_dark"] = h5py.ExternalLink("a.h5", "/exchange/data_dark")
    scan = stend_tomo.read(tmp_path / "b.h5", external=True)
    frames = (scan.projections, scan.flats, scan.darks)
    assert [{path.name for path in other_files(each)} for each in frames] == [
        {"a.h5", "b.h5"}, {"b.h5", "raw"}, {"a.h5"}
    ]  # fmt: skip
    assert other_files(stend_tomo.read(scan_file).projections) == []


@pytest.mark.parametrize("way", ["raw data outside", "another virtual dataset"])
def test_no_way_within_a_file_leads_out_of_it(tmp_path, way):
    (tmp_path / "secret").write_bytes(bytes(range(256)) * 4)
    layout = h5py.VirtualLayout((7, 5, 8), "u2")
    layout[...] = h5py.VirtualSource(".", "part", (7, 5, 8))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        if way == "another virtual dataset":
            within = h5py.VirtualLayout((7, 5, 8), "u2")
            within[...] = h5py.VirtualSource("b.h5", "data", (7, 5, 8))
            file.create_virtual_dataset("part", within)
        else:
            where = [(str(tmp_path / "secret"), 0, 560)]
            file.create_dataset("part", (7, 5, 8), "u2", external=where)
        file.create_virtual_dataset("exchange/data", layout)
    refused(tmp_path / "a.h5", "made of part.*may have its data in another file.*external=True")


def test_a_virtual_dataset_of_its_own_files_parts_is_read(tmp_path):
    layout = h5py.VirtualLayout((2, 5, 8), "u2")
    layout[...] = h5py.VirtualSource(".", "part", (2, 5, 8))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["part"] = np.arange(80, dtype="u2").reshape(2, 5, 8)
        file.create_virtual_dataset("exchange/data", layout)
    assert stend_tomo.read(tmp_path / "a.h5").projections.frame(1)[4, 7] == 79
