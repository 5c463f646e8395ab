"""The BLAS that the variant `blas` multiplies with: the fastest of those installed that are known.

MKL, OpenBLAS from its wheel, OpenBLAS of the system. What each exports was looked up in the library
itself (`nm -D`) and in its manual.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from stend_unet import native
from stend_unet.errors import Missing

_MKL = Path("/opt/intel/oneapi/mkl/latest/lib")
_OPENBLAS = (
    "openblas-pthread/libopenblas.so.0",
    "openblas-openmp/libopenblas.so.0",
    "libopenblasp.so.0",
    "libopenblas.so.0",
)
_WHEELS = (
    ("scipy_openblas32", "libscipy_openblas.so"),
    ("scipy_openblas64", "libscipy_openblas64_.so"),
)


@cache
def sgemm() -> native.Sgemm:
    """Load it, once: two libraries in a process would share what they export.

    Raises:
        Missing: none is installed, or it can't be loaded.
    """
    found = next(_installed(), None)
    if found is None:
        raise Missing(
            "The variant blas needs a BLAS, and none is installed; install one with `pip install "
            "scipy-openblas32`."
        )
    try:
        return found()
    except RuntimeError as error:
        raise Missing(str(error)) from None


def _installed() -> Iterator[Callable[[], native.Sgemm]]:
    """Give what loads each library that is there, the fastest first."""
    folders = list(_folders())
    for folder in (Path(sys.prefix) / "lib", _MKL, *folders):
        for file in sorted(folder.glob("libmkl_rt.so*"))[-1:]:
            yield _loading(
                "mkl", file, threads="MKL_Set_Num_Threads", version="MKL_Get_Version_String"
            )
    for package, name in _WHEELS:
        spec = find_spec(package)
        for home in (spec.submodule_search_locations or []) if spec else []:
            if (file := Path(home) / "lib" / name).is_file():
                yield _openblas("openblas-wheel", file, "scipy_", wide="64" in package)
    for file in (folder / name for folder in folders for name in _OPENBLAS):
        if file.is_file():
            yield _openblas("openblas", file)


def _openblas(
    name: str, file: Path, prefix: str = "", *, wide: bool = False
) -> Callable[[], native.Sgemm]:
    ending = "64_" * wide
    return _loading(
        name,
        file,
        prefix,
        wide=wide,
        threads=f"{prefix}openblas_set_num_threads{ending}",
        version=f"{prefix}openblas_get_config{ending}",
    )


def _loading(
    name: str, file: Path, prefix: str = "", *, wide: bool = False, threads: str, version: str
) -> Callable[[], native.Sgemm]:
    return partial(
        native.Sgemm,
        name=name,
        before=[],
        blas=str(file),
        lapack=str(file),
        prefix=prefix,
        suffix="_64_" if wide else "_",
        wide=wide,
        set_threads=threads,
        threads_variable="",
        version=version,
    )


def _folders() -> Iterator[Path]:
    """Give where the system's libraries are; Debian's folder is named for the architecture."""
    for named in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if named.isprintable() and named:  # a path that is no text can't be told of
            yield Path(named)
    for name in ("/usr/local/lib", f"/usr/lib/{platform.machine()}-linux-gnu", "/usr/lib64"):
        yield Path(name)
    yield Path("/usr/lib")
