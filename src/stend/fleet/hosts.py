"""Hosts by a hostfile or a Slurm allocation, and the pairs of them that exchange messages."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stend.benchmarks.definition import Benchmark
from stend.errors import BadValue, SetupError, UsageError
from stend.processes.child import Child
from stend.processes.mpi import joined
from stend.record import Machine
from stend.record.text import printable
from stend.running.session import Asked

if TYPE_CHECKING:
    from stend.running.plan import Planned

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


BENCHMARK = "mpi.pingpong"
FAMILY = "mpi."

ALL_PAIRS = 16
"""Hosts of which every pair is measured: 120 pairs. Beyond, each host has a few partners."""

DISTANCES = (1, 2, 4, 8)
"""On a ring of more hosts. Neighbours and their neighbours make triangles, which it takes to tell
the slow end of a link from the other."""

_SIZES = ["8", "1MiB"]
"""Bytes of a message where the user names none: a latency and a bandwidth."""

Pair = tuple[str, str]


def tournament(hosts: Sequence[str]) -> list[Pair]:
    """All pairs, round by round, so that a host rests while the others of its round play.

    The circle method of a round robin: one host stays, the others turn around it.
    """
    circle: list[str | None] = [*hosts, *([None] if len(hosts) % 2 else [])]
    found: list[Pair] = []
    order = {host: place for place, host in enumerate(hosts)}
    for _ in range(len(circle) - 1):
        for a, b in zip(circle, reversed(circle[len(circle) // 2 :]), strict=False):
            if a is not None and b is not None:
                found.append((a, b) if order[a] < order[b] else (b, a))
        circle.insert(1, circle.pop())
    return found


def ring(hosts: Sequence[str], distances: Sequence[int] = DISTANCES) -> list[Pair]:
    """Each host with those at some distances along a ring of all, in the order of the hosts."""
    n = len(hosts)
    return [(hosts[i], hosts[(i + d) % n]) for d in distances for i in range(n)]


def pairs_of(hosts: Sequence[str]) -> tuple[list[Pair], str]:
    """The pairs to measure, and a sentence when they are not all."""
    if len(hosts) <= ALL_PAIRS:
        return tournament(hosts), ""
    found = ring(hosts)
    away = ", ".join(map(str, DISTANCES))
    return found, (
        f"Each of {len(hosts)} nodes is paired with those {away} places away ({len(found)} "
        f"pairs); all pairs are measured only for up to {ALL_PAIRS} nodes."
    )


def wants_pairs(benchmarks: Sequence[Benchmark]) -> Benchmark | None:
    """The benchmark that measures a pair, when one of its family was asked for."""
    from stend.benchmarks.registry import load

    if not any(benchmark.name.startswith(FAMILY) for benchmark in benchmarks):
        return None
    return load()[0].get(BENCHMARK)


def planned_pairs(
    benchmark: Benchmark, asked: Asked, pairs: Sequence[Pair], machine: Machine
) -> "tuple[Planned, ...]":
    """The cases of all pairs; none where not one can be measured."""
    from stend.running.plan import Choice, plan

    known = {k: v for k, v in asked.settings.items() if k in benchmark.parameters}
    usual = {} if asked.size == "full" or "bytes" not in benchmark.parameters else {"bytes": _SIZES}
    settings = {**usual, **known, "hosts": [joined(pair) for pair in pairs], "place": ["nodes"]}
    names = {variant.name for variant in benchmark.available()} | {"all", "default"}
    variants = [name for name in asked.variants if name in names]
    try:
        return plan([benchmark], machine, Choice(asked.size, settings, variants))
    except UsageError as error:
        raise UsageError(f"The pairs of nodes can't be measured: {error}") from error
