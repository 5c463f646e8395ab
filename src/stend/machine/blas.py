"""BLAS libraries with LAPACK on this machine: how to load each, or why it is missing.

Nothing is loaded to find out: a library that is there but broken is told by the process that
tries it. What each exports was looked up in the library itself (`nm -D`) and in its manual.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from stend.processes.packages import install

if TYPE_CHECKING:
    from stend import native


@dataclass(frozen=True, slots=True)
class Files:
    """Where a library's routines are."""

    blas: Path
    lapack: Path
    wide: bool = False
    """Integers have 64 bits; then every symbol ends in 64_."""


class Description(TypedDict):
    """How to load a library, as native/ground/blas takes it."""

    name: str
    before: list[str]
    blas: str
    lapack: str
    prefix: str
    suffix: str
    wide: bool
    set_threads: str
    threads_variable: str
    version: str


@dataclass(frozen=True, slots=True)
class Library:
    """One library as a variant: `reason` is empty when its files are there."""

    name: str
    reason: str
    files: Files | None = None
    prefix: str = ""
    set_threads: str = ""
    """The function that takes the number of threads."""
    threads_variable: str = ""
    """The environment variable that is read for it when the library is loaded."""
    version: str = ""
    """The function that gives a line about the library."""

    @property
    def available(self) -> bool:
        """Whether it can be tried."""
        return not self.reason

    @property
    def threaded(self) -> bool:
        """Whether it can be told how many threads to use."""
        return bool(self.set_threads or self.threads_variable)

    def to_load(self) -> "native.linpack.Library":
        """What the laboratory needs to load it; only of an available one."""
        from stend import native

        return native.linpack.Library(**self.described())

    def described(self) -> Description:
        """What a compiled module needs to load it; only of an available one."""
        assert self.files is not None, self.reason
        shared = self.files.blas == self.files.lapack
        return {
            "name": self.name,
            "before": [] if shared else [str(self.files.blas)],
            "blas": str(self.files.blas),
            "lapack": str(self.files.lapack),
            "prefix": self.prefix,
            "suffix": "_64_" if self.files.wide else "_",
            "wide": self.files.wide,
            "set_threads": self.set_threads
            + ("64_" if self.set_threads and self.files.wide else ""),
            "threads_variable": self.threads_variable,
            "version": self.version + ("64_" if self.version and self.files.wide else ""),
        }


def libraries() -> tuple[Library, ...]:
    """All that stend knows, about as fast as they are on most machines, the slowest first."""
    return (
        _library("reference", _reference, install("reference")),
        _library("atlas", _atlas, install("atlas")),
        _library(
            "blis",
            _blis,
            install("blis"),
            threads_variable="BLIS_NUM_THREADS",
        ),
        _library(
            "openblas",
            _openblas,
            install("openblas"),
            set_threads="openblas_set_num_threads",
            version="openblas_get_config",
        ),
        _library(
            "openblas-wheel",
            _wheel,
            "pip install scipy-openblas32",
            prefix="scipy_",
            set_threads="scipy_openblas_set_num_threads",
            version="scipy_openblas_get_config",
        ),
        _library(
            "mkl",
            _mkl,
            "pip install mkl",
            set_threads="MKL_Set_Num_Threads",
            version="MKL_Get_Version_String",
        ),
    )


def library(name: str) -> Library:
    """The library of that name, which must be one of `libraries()`."""
    return next(each for each in libraries() if each.name == name)


def _library(name: str, find: Callable[[], Files | None], command: str, **how: str) -> Library:
    files = find()
    reason = "" if files else f"The library {name} is not installed; install it with `{command}`."
    return Library(name, reason, files, **how)


def _folders() -> Iterator[Path]:
    """Where the system's libraries are; Debian's folder is named for the architecture."""
    for named in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if named.isprintable() and named:  # a path that is no text can't be told of
            yield Path(named)
    machine = platform.machine()
    for name in ("/usr/local/lib", f"/usr/lib/{machine}-linux-gnu", "/usr/lib64", "/usr/lib"):
        yield Path(name)


def first(*names: str) -> Path | None:
    """The first file of one of these names among the system's libraries."""
    return next((f / n for f in _folders() for n in names if (f / n).is_file()), None)


def _both(blas: str, *lapack: str) -> Files | None:
    blas_file, lapack_file = first(blas), first(*lapack)
    return Files(blas_file, lapack_file) if blas_file and lapack_file else None


def _one(file: Path | None) -> Files | None:
    return Files(file, file) if file else None


def _reference() -> Files | None:
    """Debian keeps it in folders of its own; elsewhere libblas.so.3 itself is the reference."""
    if found := _both("blas/libblas.so.3", "lapack/liblapack.so.3"):
        return found
    found = _both("libblas.so.3", "liblapack.so.3")
    if found and found.blas.resolve().parent == found.blas.parent.resolve():
        return found
    return None  # a link that the system's administrator points at any library


def _atlas() -> Files | None:
    return _both("atlas/libblas.so.3", "atlas/liblapack.so.3")


def _blis() -> Files | None:
    """Its BLAS under the reference LAPACK: liblapack.so.3 takes the libblas.so.3 loaded before."""
    return _both("blis-pthread/libblas.so.3", "lapack/liblapack.so.3")


def _openblas() -> Files | None:
    return _one(
        first(
            "openblas-pthread/libopenblas.so.0",
            "openblas-openmp/libopenblas.so.0",
            "libopenblasp.so.0",
            "libopenblas.so.0",
        )
    )


def _wheel() -> Files | None:
    for package, file in (
        ("scipy_openblas32", "libscipy_openblas.so"),
        ("scipy_openblas64", "libscipy_openblas64_.so"),
    ):
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            path = Path(folder) / "lib" / file
            if path.is_file():
                return Files(path, path, wide="64" in package)
    return None


def _mkl() -> Files | None:
    """Its wheel puts it beside Python, Intel's installer under /opt."""
    folders = [Path(sys.prefix) / "lib", Path("/opt/intel/oneapi/mkl/latest/lib"), *_folders()]
    for folder in folders:
        if found := sorted(folder.glob("libmkl_rt.so*")):
            return _one(found[-1])
    return None
