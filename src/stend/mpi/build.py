"""One of the site's MPIs → our program compiled against it, once; later from the cache folder."""

import hashlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from stend.errors import MeasuringError, SetupError
from stend.folders import cache_folder
from stend.mpi.ask import ask
from stend.mpi.found import Mpi
from stend.mpi.launch import last_words

NAME = "stend-mpi"
OPTIONS = ("-std=c++17", "-O2", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX")
PATIENCE = 50.0
"""Seconds that compiling may take; a worker has little more than a minute."""


def program(mpi: Mpi) -> Path:
    """The program's path. It is kept for the wrapper, its version, what it adds, and the sources.

    Raises:
        MeasuringError: it can't be compiled; `detail` has the command and what was printed.
        SetupError: the sources are not installed.
    """
    sources = _sources()
    made = _cache() / _key(mpi, sources) / NAME
    if not os.access(made, os.X_OK):
        _compile(mpi, sources, made)
    return made


def _sources() -> Path:
    """The folder of the sources: installed as files beside the package."""
    folder = Path(str(files("stend") / "mpi_program"))
    if not (folder / "mpi" / "main.cpp").is_file():
        raise SetupError(f"stend's MPI program is missing in {folder}; install stend again.")
    return folder


def _cache() -> Path:
    """The user's: /root and homes are mostly shared by a cluster's nodes, /tmp never is."""
    try:
        return cache_folder() / "mpi"
    except RuntimeError:
        raise MeasuringError(
            "No home folder is known to keep the MPI program in; set XDG_CACHE_HOME."
        ) from None


def _key(mpi: Mpi, sources: Path) -> str:
    hashed = hashlib.sha256()
    for part in (mpi.wrapper, mpi.version, _shown(mpi), *OPTIONS):
        hashed.update(part.encode() + b"\0")
    for path in sorted(sources.glob("*/*")):
        hashed.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"{mpi.name}-{hashed.hexdigest()[:16]}"


def _shown(mpi: Mpi) -> str:
    """The compiler's own command, which tells of another MPI below the same wrapper."""
    return ask([mpi.wrapper, "-show"])


def _compile(mpi: Mpi, sources: Path, made: Path) -> None:
    try:
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            fresh = Path(folder) / NAME
            command = [mpi.wrapper, *OPTIONS, f"-I{sources}", *_files(sources), "-o", str(fresh)]
            done = _run(command)
            if done.returncode or not fresh.is_file():
                raise _failure(mpi, command, done.stdout)
            fresh.replace(made)  # whole, whoever else compiles it now
    except OSError as error:
        raise MeasuringError(
            f"The MPI program can't be kept in {made.parent}: {error.strerror}; set "
            "XDG_CACHE_HOME to a folder that can be written."
        ) from error


def _files(sources: Path) -> Iterator[str]:
    return (str(path) for path in sorted(sources.glob("*/*.cpp")))


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise MeasuringError(
            f"`{shlex.join(command)}` took longer than {PATIENCE:.0f} s."
        ) from None


def _failure(mpi: Mpi, command: list[str], printed: str) -> MeasuringError:
    errors = [line.strip() for line in printed.splitlines() if "error:" in line.lower()]
    telling = errors[0] if errors else last_words(printed)
    return MeasuringError(
        f"The MPI program can't be compiled against {mpi.name} by {mpi.wrapper}: {telling}.",
        {"compiling": shlex.join(command), "compiler": printed[-4000:]},
    )
