"""The command that installs what benchmarks can use: by this system's package manager, or by pip.

Reasons of skips hold such a command in backticks; all of a run's make one.
"""

import re
from collections.abc import Iterable
from functools import cache
from shutil import which

COMMANDS = {
    "apt-get": "sudo apt-get install",
    "dnf": "sudo dnf install",
    "zypper": "sudo zypper install",
    "apk": "sudo apk add",
}
"""By package manager; Debian's is taken where none is found."""
PIP = "pip install"
NAMES = {
    "openmpi": {
        "apt-get": "openmpi-bin libopenmpi-dev",
        "dnf": "openmpi-devel",
        "zypper": "openmpi-devel",
        "apk": "openmpi-dev",
    },
    "mpich": {
        "apt-get": "mpich libmpich-dev",
        "dnf": "mpich-devel",
        "zypper": "mpich-devel",
    },
    "reference": {
        "apt-get": "libblas3 liblapack3",
        "dnf": "blas lapack",
        "zypper": "libblas3 liblapack3",
    },
    "atlas": {"apt-get": "libatlas3-base"},
    "blis": {"apt-get": "libblis4-pthread liblapack3"},
    "openblas": {
        "apt-get": "libopenblas0-pthread",
        "dnf": "openblas-threads",
        "zypper": "libopenblas_pthreads0",
        "apk": "openblas",
    },
    "fftw": {
        "apt-get": "libfftw3-double3",
        "dnf": "fftw-libs-double",
        "zypper": "libfftw3-3",
        "apk": "fftw-double-libs",
    },
    "fio": dict.fromkeys(COMMANDS, "fio"),
    "util-linux": dict.fromkeys(COMMANDS, "util-linux"),
}
"""What may be missing → its packages, where stend finds what they bring; else Debian's are told."""


def install(what: str, manager: str | None = None) -> str:
    """The command that installs it here, or with that package manager."""
    names = NAMES[what]
    there = manager or _manager()
    used = there if there in names else "apt-get"
    return f"{COMMANDS[used]} {names[used]}"


@cache
def _manager() -> str:
    return next((name for name in COMMANDS if which(name)), "apt-get")


_CALLED = "|".join([*(each.removeprefix("sudo ") for each in COMMANDS.values()), PIP])
_COMMAND = re.compile(rf"`(?:sudo )?({_CALLED}) ([a-z0-9][a-z0-9+._ -]*)`")


def command_in(reason: str) -> tuple[str, tuple[str, ...]] | None:
    """What a reason says is to be called, and with which packages; None: it names no command."""
    found = _COMMAND.search(reason)
    if not found:
        return None
    called = found[1] if found[1] == PIP else f"sudo {found[1]}"
    return called, tuple(found[2].split())


def together(reasons: Iterable[str]) -> str:
    """One line that installs what all the reasons name; "" where they name nothing."""
    wanted: dict[str, dict[str, None]] = {}
    for named in filter(None, map(command_in, reasons)):
        called, packages = named
        wanted.setdefault(called, {}).update(dict.fromkeys(packages))
    lines = sorted(wanted.items(), key=lambda one: one[0] == PIP)
    return " && ".join(f"{called} {' '.join(packages)}" for called, packages in lines)
