"""The installed fio: its path, version and I/O engines, or what to install."""

import functools
import os
import subprocess
from dataclasses import dataclass
from shutil import which

from stend.errors import SetupError
from stend.processes.child import Child
from stend.processes.packages import install

_PATIENCE = 30
"""Seconds that fio may take to tell its version: cold, from a network file system."""


@dataclass(frozen=True, slots=True)
class Fio:
    """A fio that answers."""

    path: str
    version: str
    """As it calls itself: "fio-3.33"."""


def find() -> Fio:
    """Give the fio in PATH.

    Raises:
        SetupError: there is none, or it doesn't start.
    """
    found = _found(os.environ.get("PATH", ""))
    if isinstance(found, str):
        raise SetupError(found)
    return found


def lacking() -> str | None:
    """Say why there is no fio to use, and how to install it; None: there is one."""
    found = _found(os.environ.get("PATH", ""))
    return found if isinstance(found, str) else None


def engines() -> frozenset[str]:
    """Names of the I/O engines that this fio was built with.

    Raises:
        SetupError: there is no fio.
    """
    return _engines(find().path)


def refuse_missing_engine(engine: str) -> None:
    """Refuse what would end as fio's "failed to load engine".

    Raises:
        SetupError: this fio was built without that engine, or there is no fio.
    """
    if engine not in engines():
        fio = find()
        raise SetupError(
            f"{fio.version} at {fio.path} was built without the engine {engine}; install one "
            f"that has it with `{install('fio')}`, or name another engine in the profile."
        )


@functools.cache
def _found(path: str) -> Fio | str:
    program = which("fio", path=path)
    if program is None:
        return f"fio is not installed (not found in PATH); install it with `{install('fio')}`."
    try:
        version = _output(program, "--version").strip()
    except (OSError, subprocess.SubprocessError) as error:
        return f"{program} does not start: {error}; reinstall fio with `{install('fio')}`."
    if not version.startswith("fio-"):
        return f"{program} is another program: it gives its version as {version[:80]!r}."
    return Fio(program, version)


@functools.cache
def _engines(program: str) -> frozenset[str]:
    lines = _output(program, "--enghelp").splitlines()
    return frozenset(line.strip() for line in lines if line.startswith("\t"))


def _output(program: str, option: str) -> str:
    done = Child([program, option], folder="/").result(_PATIENCE)
    done.check_returncode()
    return done.stdout
