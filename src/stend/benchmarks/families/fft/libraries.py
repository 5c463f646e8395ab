"""The libraries that transform: which of them are here, and how each is called.

Those in C are only loaded where the user has them, never linked: FFTW's licence is the GPL.
A plan is made once for a pair of arrays, untimed. Plans end with their process.
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_long, c_void_p
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stend import native
from stend.machine.blas import first
from stend.processes.packages import install

Complex = NDArray[np.complex128]
Call = Callable[[], Complex]
"""Transforms once; gives the array with the result."""


@dataclass(frozen=True, slots=True)
class InC:
    """A plan of a library in C: `function(plan, into, out)`, both as addresses."""

    function: int
    plan: int


@dataclass(frozen=True, slots=True)
class Library:
    """One library: `plan(into, out)` readies it, `about()` gives its name and version."""

    name: str
    plan: Callable[[Complex, Complex], Call | InC]
    about: Callable[[], str]
    lacking: Callable[[], str]
    """A sentence why it can't be used; empty when it can."""


def library(name: str) -> Library:
    """The library of that name; raises ValueError when there is none."""
    for known in LIBRARIES:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in LIBRARIES)
    raise ValueError(f"There is no transform called {name!r}; there are {names}.")


def variants() -> Sequence[native.Variant]:
    """All libraries, slowest first, with the reason why one can't be used."""
    return [native.Variant(known.name, known.lacking()) for known in LIBRARIES]


def _numpy_plan(into: Complex, out: Complex) -> Call:
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        return lambda: np.fft.fft2(into, out=out)
    return lambda: np.fft.fft2(into)


def _scipy_plan(into: Complex, out: Complex) -> Call:
    """SciPy has no way to say where the result goes: it allocates an array each time."""
    from scipy.fft import fft2

    return lambda: fft2(into, workers=1)


def _scipy_lacking() -> str:
    return "" if find_spec("scipy") else "SciPy is not installed (`pip install scipy`)."


def _scipy_version() -> str:
    import scipy

    return f"SciPy {scipy.__version__} (pocketfft)"


_FORWARD, _MEASURE = -1, 0  # fftw3.h
_PLANNING_SECONDS = 20.0
"""FFTW then takes the best plan it has found; the sizes of a run need less."""


def _fftw_plan(into: Complex, out: Complex) -> InC:
    """Plans with FFTW_MEASURE, which tries algorithms out in the arrays and overwrites them."""
    fftw = _loaded(FFTW)
    fftw.fftw_set_timelimit.argtypes = [c_double]
    fftw.fftw_set_timelimit(_PLANNING_SECONDS)
    plan_2d = fftw.fftw_plan_dft_2d
    plan_2d.restype = c_void_p
    plan_2d.argtypes = [c_int, c_int, c_void_p, c_void_p, c_int, ctypes.c_uint]
    plan = plan_2d(*into.shape, into.ctypes.data, out.ctypes.data, _FORWARD, _MEASURE)
    if not plan:
        raise native.Unavailable(f"FFTW makes no plan for {into.shape[0]} × {into.shape[1]}.")
    return InC(_address(fftw.fftw_execute_dft), plan)


def _fftw_version() -> str:
    version = (c_char * 64).in_dll(_loaded(FFTW), "fftw_version").value
    return version.decode(errors="replace").replace("fftw-", "FFTW ")


# mkl_dfti.h and mkl_service.h
_DFTI_COMPLEX, _DFTI_PLACEMENT, _DFTI_NOT_INPLACE = 32, 11, 44
_SEQUENTIAL = 1


def _mkl_plan(into: Complex, out: Complex) -> InC:
    """A descriptor of MKL's DFTI, in MKL's sequential layer: one thread."""
    mkl = _loaded(MKL)
    mkl.MKL_Set_Threading_Layer(_SEQUENTIAL)
    create, commit = mkl.DftiCreateDescriptor_d_md, mkl.DftiCommitDescriptor
    create.argtypes = [POINTER(c_void_p), c_int, c_long, POINTER(c_long)]
    commit.argtypes = [c_void_p]
    descriptor = c_void_p()
    _require(mkl, create(byref(descriptor), _DFTI_COMPLEX, 2, (c_long * 2)(*into.shape)))
    _require(mkl, mkl.DftiSetValue(descriptor, _DFTI_PLACEMENT, c_int(_DFTI_NOT_INPLACE)))
    _require(mkl, commit(descriptor))
    return InC(_address(mkl.DftiComputeForward), descriptor.value or 0)


def _address(function: object) -> int:
    return ctypes.cast(function, c_void_p).value or 0  # type: ignore[arg-type]


def _require(mkl: ctypes.CDLL, status: int) -> None:
    if status:
        mkl.DftiErrorMessage.restype = c_char_p
        said = mkl.DftiErrorMessage(c_long(status)) or b"an unknown error"
        raise native.Unavailable(f"MKL refused this transform: {said.decode(errors='replace')}.")


def _mkl_version() -> str:
    text = ctypes.create_string_buffer(200)
    _loaded(MKL).MKL_Get_Version_String(text, c_int(len(text)))
    return text.value.decode(errors="replace").strip()


@dataclass(frozen=True, slots=True)
class Shared:
    """A library in C: the names of its file, a function that it must have, how to get it."""

    title: str
    files: tuple[str, ...]
    function: str
    install: str


FFTW = Shared(
    "FFTW 3",
    ("libfftw3.so.3",),
    "fftw_plan_dft_2d",
    f"install it with `{install('fftw')}`",
)
MKL = Shared(
    "MKL",
    ("libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"),
    "DftiCreateDescriptor_d_md",
    "install it with `pip install mkl`",
)


def _lacking(shared: Shared) -> str:
    """A sentence when there is no such file.

    Nothing is loaded to find out: a broken library may take the process along that tries it.
    """
    return "" if _file(shared) else f"{shared.title} is not on this machine; {shared.install}."


@cache
def _loaded(shared: Shared) -> ctypes.CDLL:
    """Raises Unavailable where there is none, or not with what is needed of it."""
    file = _file(shared)
    if file is None:
        raise native.Unavailable(_lacking(shared))
    try:
        found = ctypes.CDLL(str(file), mode=ctypes.RTLD_LOCAL)  # its symbols are kept to itself
        getattr(found, shared.function)
    except (OSError, AttributeError) as error:
        said = f"{shared.title} is broken ({error}); {shared.install}."
        raise native.Unavailable(said) from error
    return found


def _file(shared: Shared) -> Path | None:
    """Where the system's libraries are, then in Python's own prefix, where pip and conda put it."""
    own = (Path(sys.prefix, "lib", name) for name in shared.files)
    return first(*shared.files) or next((file for file in own if file.is_file()), None)


def _never() -> str:
    return ""


LIBRARIES = (
    Library("numpy", _numpy_plan, lambda: f"NumPy {np.__version__} (pocketfft)", _never),
    Library("scipy", _scipy_plan, _scipy_version, _scipy_lacking),
    Library("fftw", _fftw_plan, _fftw_version, lambda: _lacking(FFTW)),
    Library("mkl", _mkl_plan, _mkl_version, lambda: _lacking(MKL)),
)
"""Slowest first; NumPy is a dependency of stend."""
