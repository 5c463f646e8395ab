"""Which libraries are found, by what name each is loaded, and what is said of those missing."""

from pathlib import Path

import pytest

from stend.machine import blas


@pytest.fixture
def system(tmp_path, monkeypatch):
    """An empty system: no folder of libraries but one, no wheel."""
    monkeypatch.setattr(blas, "_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr(blas, "find_spec", lambda name: None)
    monkeypatch.setattr(blas.sys, "prefix", str(tmp_path / "nowhere"))
    return tmp_path


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x7fELF")
    return path


def test_each_missing_library_names_the_command_that_brings_it(system):
    for each in blas.libraries():
        assert not each.available
        assert each.reason.startswith(
            f"The library {each.name} is not installed; install it with `"
        )
        assert "install" in each.reason


def test_the_reference_is_not_a_link_to_another_library(system):
    other = put(system / "elsewhere/libopenblas.so")
    (system / "libblas.so.3").symlink_to(other)
    put(system / "liblapack.so.3")
    assert not blas.library("reference").available
    put(system / "blas/libblas.so.3")
    put(system / "lapack/liblapack.so.3")
    assert blas.library("reference").files.blas == system / "blas/libblas.so.3"


def test_a_real_file_of_that_name_is_the_reference_where_there_are_no_folders(system):
    real = put(system / "libblas.so.3.12.0")
    (system / "libblas.so.3").symlink_to(real.name)
    put(system / "liblapack.so.3")
    assert blas.library("reference").available


def test_openblas_with_threads_is_preferred(system):
    put(system / "libopenblas.so.0")
    put(system / "openblas-pthread/libopenblas.so.0")
    found = blas.library("openblas")
    assert found.files.blas == system / "openblas-pthread/libopenblas.so.0"
    assert found.threaded


def test_a_wheel_with_64_bit_integers_is_told_by_its_symbols(system, monkeypatch):
    from types import SimpleNamespace

    file = put(system / "w/lib/libscipy_openblas64_.so")
    spec = SimpleNamespace(submodule_search_locations=[str(file.parent.parent)])
    monkeypatch.setattr(blas, "find_spec", lambda n: spec if n == "scipy_openblas64" else None)
    found = blas.library("openblas-wheel")
    assert found.files.wide
    assert found.to_load() is not None


def test_blis_is_its_blas_under_the_reference_lapack(system):
    put(system / "blis-pthread/libblas.so.3")
    assert not blas.library("blis").available
    put(system / "lapack/liblapack.so.3")
    assert blas.library("blis").files.lapack == system / "lapack/liblapack.so.3"
