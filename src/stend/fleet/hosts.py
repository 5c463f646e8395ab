"""Hosts by a hostfile, or by the Slurm allocation that this program is in."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from stend.errors import BadValue, SetupError
from stend.processes.child import Child
from stend.record.text import printable

SLURM = "slurm"
MOST = 1024
"""Hosts: each is a process and a connection here."""
_LIMIT = 1 << 20
"""Bytes of a hostfile that are read."""

# What a shell or an option parser could take for something else is no name: it goes into commands.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}", re.ASCII)
_MPICH = re.compile(r":([0-9]+)", re.ASCII)
_ATTRIBUTE = re.compile(r"[A-Za-z_-]+\s*=\s*\S+", re.ASCII)
_COUNTS = ("slots", "max_slots", "max-slots")


@dataclass(frozen=True, slots=True)
class Hosts:
    """The hosts to measure, each once, in their order."""

    names: tuple[str, ...]
    slurm: bool = False
    notes: tuple[str, ...] = ()
    """Sentences about what was read otherwise than it may have been meant."""


def find_hosts(word: str) -> Hosts:
    """The hosts of a hostfile, or of the allocation when the word is `slurm`.

    Raises:
        BadValue: there is no such file, it can't be understood or names no host; or this is not
            inside an allocation.
        SetupError: Slurm's programs are missing.
    """
    if word == SLURM:
        return _allocation()
    try:
        with Path(word).open("rb") as file:
            text = file.read(_LIMIT + 1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise BadValue(
            f"The hostfile {printable(word)} can't be read: {said}. Name a file with a host on "
            "each line, or `slurm` inside an allocation."
        ) from None
    if len(text) > _LIMIT:
        raise BadValue(f"The hostfile {printable(word)} is too large for a list of hosts.")
    return read_hostfile(text.decode("utf-8-sig", errors="replace"), printable(word))


def read_hostfile(text: str, name: str = "hostfile") -> Hosts:
    """Hosts of a hostfile as Open MPI (`n1 slots=2`) and MPICH (`n1:2`) take it.

    How many processes a host has room for is read, for its mistakes, and not used: each node is
    measured by all of its processors. A host on several lines is measured once.

    Raises:
        BadValue: with the line and what is wrong with it.
    """
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        host = _host(words, f"Line {number} of {name}")
        lines[host] = lines.get(host, 0) + 1
    if not lines:
        raise BadValue(f"{name} names no host; write one on each line, like `n1 slots=2` or `n1`.")
    if len(lines) > MOST:
        raise BadValue(f"{name} names {len(lines):,} hosts; at most {MOST:,} are measured at once.")
    repeated = [f"{host} ({count} lines)" for host, count in lines.items() if count > 1]
    notes = (f"Named more than once, measured once: {', '.join(repeated)}.",) if repeated else ()
    return Hosts(tuple(lines), notes=notes)


def _host(words: str, where: str) -> str:
    name = _NAME.match(words)
    shown = printable(words)[:80]
    if name is None:
        raise BadValue(
            f"{where}, {shown!r}, does not begin with a host name; write it like `n1 slots=2` or "
            "`n1:2`."
        )
    rest = words[name.end() :]
    slots = _MPICH.match(rest)
    if slots:
        _refuse_none(int(slots[1]), where, shown)
        rest = rest[slots.end() :]
    if rest and not rest[0].isspace():
        raise BadValue(
            f"{where}, {shown!r}, can't be read from {printable(rest)[:20]!r} on; write it like "
            "`n1 slots=2` or `n1:2`."
        )
    while rest := rest.lstrip():
        rest = _after_attribute(rest, where, shown)
    return name[0]


def _after_attribute(rest: str, where: str, shown: str) -> str:
    found = _ATTRIBUTE.match(rest)
    if found is None:
        raise BadValue(
            f"{where}, {shown!r}, can't be read from {printable(rest)[:20]!r} on; give each host "
            "its own line, followed only by words like slots=2."
        )
    key, _, value = (part.strip() for part in found[0].partition("="))
    if key in _COUNTS:
        if not re.fullmatch("[0-9]{1,9}", value, re.ASCII):
            raise BadValue(f"{where}, {shown!r}: {key} must be a whole number, not {value!r}.")
        _refuse_none(int(value), where, shown)
    return rest[found.end() :]


def _refuse_none(slots: int, where: str, shown: str) -> None:
    if slots < 1:
        raise BadValue(f"{where}, {shown!r}, gives its host no slot; remove the line instead.")


def _allocation() -> Hosts:
    listed = os.environ.get("SLURM_JOB_NODELIST") or os.environ.get("SLURM_NODELIST")
    if not listed:
        raise BadValue(
            "--hosts slurm works only inside an allocation: start it with `salloc -N4 stend run "
            "--hosts slurm …`, or from a script for sbatch."
        )
    for program in ("scontrol", "srun"):
        if shutil.which(program) is None:
            raise SetupError(f"{program} is not in PATH; install Slurm's programs on this machine.")
    try:
        done = Child(["scontrol", "show", "hostnames", listed]).result(60)
    except subprocess.TimeoutExpired:
        raise SetupError("scontrol gave no answer in 60 s; check that Slurm works.") from None
    if done.returncode or not done.stdout.split():
        raise BadValue(
            f"Slurm can't list the hosts of {printable(listed)}: {printable(done.stderr.strip())}."
        )
    return Hosts(read_hostfile(done.stdout, "the allocation").names, slurm=True)
