"""The parameters a benchmark can have: what each means, which values it takes on a machine.

A parameter turns a machine and a size into default values, and a word from the command
line into a value, refusing what it doesn't take with a sentence.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from stend.errors import BadValue
from stend.record import Machine, Scalar

Size = Literal["quick", "full", "check"]

MIB = 1 << 20

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class SameAs:
    """A default that follows another parameter: squares, unless both sides are named."""

    parameter: str


Scales = Literal["", "cores", "caches", "memory"]
"""Of what of a machine a parameter's largest default takes all, or as much as is right for it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `defaults` gives the values a run of that size takes on that machine."""

    help: str
    parse: Callable[[str], Scalar]
    defaults: Callable[[Machine, Size], Sequence[Scalar | SameAs]]
    accepts: str = ""
    """What can be written on the command line; empty: the words that the help names."""
    unit: Literal["", "B", "s"] = ""
    depends: str = ""
    """What of the machine the default values follow; empty: nothing."""
    scales: Scales = ""
    """A rate at this parameter's largest default can stand beside that of a machine of another
    size at its own."""


def whole(
    help: str,
    defaults: Callable[[Machine, Size], Sequence[int | SameAs]],
    least: int = 1,
    most: int = 1 << 40,
    depends: str = "",
    scales: Scales = "",
) -> Parameter:
    """A whole number from `least` to `most`; on the command line 1000 or 1e3."""

    def parse(word: str) -> int:
        found = re.fullmatch(r"([+-]?[0-9]{1,40})(?:[eE]\+?([0-9]{1,2}))?", word)
        if not found:
            raise BadValue(f"{word!r} is not a whole number; give one from {least} to {most}.")
        value: int = int(found[1]) * 10 ** int(found[2] or 0)
        return _within(value, least, most)

    accepts = f"a whole number from {_round(least)} to {_round(most)}"
    return Parameter(help, parse, defaults, accepts, depends=depends, scales=scales)


def size_in_bytes(
    help: str,
    defaults: Callable[[Machine, Size], Sequence[int]],
    least: int = 1,
    most: int = 1 << 50,
    depends: str = "",
    scales: Scales = "",
) -> Parameter:
    """A number of bytes; on the command line with a unit: 4096, 0.5MiB, 2GB."""

    def parse(word: str) -> int:
        return _within(parse_bytes(word), least, most)

    accepts = f"{_round(least)} to {_round(most)} bytes, as 4096, 0.5MiB or 2GB"
    return Parameter(help, parse, defaults, accepts, "B", depends, scales)


def seconds(
    help: str, defaults: Callable[[Machine, Size], Sequence[float]], least: float, most: float
) -> Parameter:
    """A time; on the command line in seconds or with a unit: 0.01, 10ms, 50us."""

    def parse(word: str) -> float:
        found = re.fullmatch(
            r"([0-9]{1,9}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,2})?)\s*(s|ms|us|ns)?", word
        )
        if not found:
            raise BadValue(f"{word!r} is not a time; write it like 0.01, 10ms or 50us.")
        scale = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[found[2] or "s"]
        return _within(float(found[1]) * scale, least, most)

    accepts = f"{least:g} to {most:g} seconds, as 0.01, 10ms or 50us"
    return Parameter(help, parse, defaults, accepts, "s")


def choice(
    help: str, defaults: Callable[[Machine, Size], Sequence[str]], depends: str = ""
) -> Parameter:
    """A word; which words there are is the benchmark's `needs` to say."""
    return Parameter(help, lambda word: word, defaults, depends=depends)


def _round(number: int) -> str:
    """A power of two too long to be read is written as one."""
    power = number.bit_length() - 1
    return f"2^{power}" if power > 20 and number == 1 << power else f"{number:,}"


def parse_bytes(word: str) -> int:
    """Bytes of "4096", "0.5MiB" (2^20) or "2GB" (10^9); raises BadValue."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([kKMGT]?)(i?)B?", word)
    if not found or (found[3] and not found[2]):
        raise BadValue(f"{word!r} is not a size; write it like 4096, 0.5MiB or 2GB.")
    base = 1024 if found[3] else 1000
    exponent = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}[found[2].upper()]
    return round(float(found[1]) * float(base**exponent))


def _within(value: N, least: N, most: N) -> N:
    if not least <= value <= most:
        raise BadValue(f"{value} is out of range; give a value from {least} to {most}.")
    return value


def most_threads(machine: Machine) -> int:
    """As many as there are CPUs that this process may use."""
    return len(machine.usable) or machine.threads or 1


def thread_counts(machine: Machine, size: Size) -> tuple[int, ...]:
    """One and all; with --full those between too, or from 16 on their doublings."""
    most = most_threads(machine)
    if size == "full":
        return tuple(range(1, most + 1)) if most <= 16 else _doubling(most)
    return tuple(sorted({1, most}))


def _doubling(most: int) -> tuple[int, ...]:
    counts = [1]
    while counts[-1] * 2 < most:
        counts.append(counts[-1] * 2)
    return (*counts, most)


def _four_last_caches(machine: Machine, size: Size, copies: int = 1) -> tuple[int, ...]:
    """STREAM's rule: an array is at least four times all last-level caches (McCalpin, FAQ).

    The memory is shared out among so many copies of three arrays.
    """
    if size == "check":
        return (MIB // 8,)
    wanted = 4 * (machine.last_cache or 32 * MIB)
    share = 2 if size == "full" else 8
    room = (machine.memory_available or 1 << 30) // share // 3 // copies
    return (max(1, wanted if wanted <= room else rounded_down(room)) // 8,)


def past_the_caches(machine: Machine, size: Size) -> int:
    """Bytes of which caches hold little: a power of two, at least twice the last-level caches.

    With --full at least four times. At most an eighth of the available memory, with --full a
    quarter of it.
    """
    full = size == "full"
    wanted = (4 if full else 2) * (machine.last_cache or 32 * MIB)
    room = (machine.memory_available or 1 << 30) // (4 if full else 8)
    return 1 << min((wanted - 1).bit_length(), max(room.bit_length() - 1, MIB.bit_length() - 1))


def rounded_down(size: int) -> int:
    """To three binary digits: free memory changes from run to run, a default must not."""
    step = 1 << max(0, size.bit_length() - 3)
    return size // step * step


CPUS = "the CPUs that the process may use"
CACHES = "the last-level caches and the available memory"

up_to_all_cores = whole(
    "threads that work at the same time",
    thread_counts,
    least=1,
    most=1 << 16,
    scales="cores",
    depends=CPUS,
)
four_last_caches = whole(
    "float64 elements of each array; by default four times the last-level caches, for all "
    "three at most half of the available memory with --full and an eighth of it otherwise",
    _four_last_caches,
    least=1,
    most=1 << 44,
    scales="caches",
    depends=CACHES,
)
four_last_caches_a_copy = whole(
    "float64 elements of each array of each copy; by default four times the last-level caches, "
    "for all arrays of as many copies as there are CPUs at most half of the available memory "
    "with --full and an eighth of it otherwise",
    lambda machine, size: _four_last_caches(machine, size, most_threads(machine)),
    least=1,
    most=1 << 44,
    scales="caches",
    depends="the last-level caches, the available memory and the CPUs",
)
up_to_a_copy_each = whole(
    "copies that run at the same time, each on its own CPU",
    lambda machine, size: (
        thread_counts(machine, size) if size == "full" else (most_threads(machine),)
    ),
    least=1,
    most=1 << 16,
    scales="cores",
    depends=CPUS,
)
