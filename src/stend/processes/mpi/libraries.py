"""MPI libraries on this machine: wrapper and launcher of each, or why there is none."""

import functools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from stend.processes.child import ask

WRAPPERS = ("mpicxx", "mpicxx.openmpi", "mpicxx.mpich")
"""Debian keeps several MPIs side by side under names of their own; mpicxx is one of them."""
LAUNCHERS = ("mpirun", "mpiexec")
INSTALL = {
    "openmpi": "apt-get install openmpi-bin libopenmpi-dev",
    "mpich": "apt-get install mpich libmpich-dev",
}
_NAMES = (
    ("Open MPI", "openmpi"),
    ("Intel", "intel"),
    ("MVAPICH", "mvapich"),
    ("MPICH", "mpich"),
)
"""What a wrapper calls itself → the variant's name. Those that descend from MPICH come first."""


@dataclass(frozen=True, slots=True)
class Mpi:
    """One MPI as a variant: `reason` is empty when it can be tried."""

    name: str
    reason: str = ""
    wrapper: str = ""
    """Path of its compiler."""
    launcher: str = ""
    """Path of its mpirun or mpiexec."""
    version: str = ""
    """As the wrapper tells it."""

    @property
    def available(self) -> bool:
        """Whether it can be tried."""
        return not self.reason


def libraries() -> tuple[Mpi, ...]:
    """Those found and those that stend knows how to install; PATH's own mpicxx last."""
    return _libraries(os.environ.get("PATH", ""))


def library(name: str) -> Mpi:
    """The one of that name, which must be one of `libraries()`."""
    return next(each for each in libraries() if each.name == name)


@functools.cache
def _libraries(path: str) -> tuple[Mpi, ...]:
    found: dict[str, Mpi] = {}
    for mpi in _found(path):
        found.setdefault(mpi.name, mpi)
    for name, install in INSTALL.items():
        lacking = f"No mpicxx of {name} is in PATH; install it with `{install}`."
        found.setdefault(name, Mpi(name, lacking))
    return tuple(reversed(found.values()))


def _found(path: str) -> Iterator[Mpi]:
    for name in WRAPPERS:
        wrapper = which(name, path=path)
        version = _version(wrapper) if wrapper else ""
        known = next((variant for word, variant in _NAMES if word in version), None)
        if wrapper and known:
            yield _with_launcher(known, wrapper, version)


def _version(wrapper: str) -> str:
    """Open MPI's wrappers know --showme:version, MPICH's and their descendants -v."""
    for option in ("--showme:version", "-v"):
        told = ask([wrapper, option])
        if not told:  # it can't be started, or hangs
            return ""
        first = told.strip().partition("\n")[0]
        if any(word in first for word, _ in _NAMES):
            return first
    return ""


def _with_launcher(name: str, wrapper: str, version: str) -> Mpi:
    for own in _own_names(Path(wrapper)):
        suffix = own.name.removeprefix("mpicxx")
        for launcher in LAUNCHERS:
            beside = own.with_name(launcher + suffix)
            if os.access(beside, os.X_OK):
                return Mpi(name, "", wrapper, str(beside), version)
    brings = f"; install one with `{INSTALL[name]}`" if name in INSTALL else ""
    return Mpi(
        name, f"{wrapper} has no mpirun or mpiexec next to it{brings}.", wrapper, "", version
    )


def _own_names(wrapper: Path) -> list[Path]:
    """The wrapper by the most telling of its names first: /usr/bin/mpicxx.openmpi, mpicxx.

    Without links among their folders: Open MPI's launcher takes its files to lie beside its own,
    and where /bin is /usr/bin, beside /bin lies nothing.
    """
    link = wrapper.parent.resolve() / wrapper.name
    names = [link]
    while link.is_symlink() and len(names) < 10:
        link = link.parent / link.readlink()
        names.append(link)
    telling = [each for each in names if re.fullmatch(r"mpicxx\..+", each.name)]
    return [*telling, *(each for each in names if each.name == "mpicxx")]
