"""What a key of a profile may hold, and what values of TOML mean."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from stend.benchmarks.parameters import parse_bytes
from stend.errors import BadValue
from stend.record.text import printable

T = TypeVar("T")
U = TypeVar("U")

_SHOWN = 60
"""Characters of a wrong value that are shown."""
_UNITS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
MOST_SECONDS = 30 * 86400.0


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """A kind of value."""

    allowed: str
    """What it takes, to be read after "give"."""
    take: Callable[[Any], T | None]
    """What the value means; None: it isn't one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which file a value stands: "workload[2]"."""

    file: str
    path: str = ""

    def __truediv__(self, key: str) -> "Place":
        """Go one key further."""
        return Place(self.file, f"{self.path}.{key}" if self.path else key)

    def read(self, value: object, kind: Kind[T]) -> T:
        """Give what the value means.

        Raises:
            BadValue: it isn't of that kind.
        """
        taken = kind.take(value)
        if taken is None:
            raise self.refused(f"is {shown(value)}; give {kind.allowed}")
        return taken

    def refused(self, why: str) -> BadValue:
        """Make the sentence of what is wrong here."""
        return BadValue(f"{printable(self.file)}: {printable(self.path)} {why}.")

    def table(self, value: object, keys: Iterable[str], elsewhere: Mapping[str, str]) -> "Table":
        """Give a table that has no other keys than these.

        Args:
            value: what should be the table.
            keys: what it may have.
            elsewhere: names that others give a key, and what it is called here.

        Raises:
            BadValue: it is no table, or has another key.
        """
        if not isinstance(value, dict):
            raise self.refused(f"is {shown(value)}; give a table of keys")
        known = sorted(keys)
        for key in value:
            if key not in known:
                where = f"{printable(self.path)} has" if self.path else "there is"
                raise BadValue(
                    f"{printable(self.file)}: {where} no key {shown(key)}; "
                    f"{_instead(key, known, elsewhere)}"
                )
        return Table(self, value)


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose keys are known; its values are looked at when they are asked for."""

    place: Place
    values: Mapping[str, Any]

    def get(self, key: str, kind: Kind[T], usual: U) -> T | U:
        """Give what a key holds, or the usual where it is left out; raises BadValue."""
        return (self.place / key).read(self.values[key], kind) if key in self.values else usual

    def need(self, key: str, kind: Kind[T]) -> T:
        """Give what a key holds that can't be left out; raises BadValue."""
        if key not in self.values:
            raise (self.place / key).refused(f"is missing; give {kind.allowed}")
        return (self.place / key).read(self.values[key], kind)


def _instead(key: str, known: list[str], elsewhere: Mapping[str, str]) -> str:
    if elsewhere.get(key) in known:
        return f"here it is called {elsewhere[key]!r}."
    near = difflib.get_close_matches(key[:_SHOWN], known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"the keys are: {', '.join(known)}."


def shown(value: object) -> str:
    """A value as a sentence may quote it: short, and safe to show."""
    try:
        text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    except (ValueError, RecursionError):  # repr of an integer of thousands of digits
        return "a value too large to be shown"
    return printable(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def whole(least: int, most: int) -> Kind[int]:
    """A whole number."""

    def take(value: Any) -> int | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return value if fits else None

    return Kind(f"a whole number from {least} to {most}", take)


def word(choices: Iterable[T]) -> Kind[T]:
    """One of these words."""
    known = tuple(choices)
    said = ", ".join(f'"{each}"' for each in known)
    return Kind(f"one of {said}", lambda x: next((each for each in known if each == x), None))


def matching(pattern: str, allowed: str) -> Kind[str]:
    """Text of this form."""
    form = re.compile(pattern)
    return Kind(allowed, lambda x: x if isinstance(x, str) and form.fullmatch(x) else None)


def line(most: int) -> Kind[str]:
    """One line of text."""

    def take(value: Any) -> str | None:
        text = " ".join(value.split()) if isinstance(value, str) else ""
        return text if text and len(text) <= most and printable(text) == text else None

    return Kind(f"a text of at most {most} characters", take)


def listed(kind: Kind[T], most: int = 100) -> Kind[tuple[T, ...]]:
    """A value, or a list of different ones."""

    def take(value: Any) -> tuple[T, ...] | None:
        values = value if isinstance(value, list) else [value]
        if not 0 < len(values) <= most:
            return None
        taken = [each for each in map(kind.take, values) if each is not None]
        complete = len(taken) == len(values) == len(set(taken))
        return tuple(taken) if complete else None

    return Kind(f"{kind.allowed}, or a list of different ones", take)


def size(least: int, most: int, step: int) -> Kind[int]:
    """Bytes; a unit is of 1024, as fio has it: 4096, "4KiB", "128k", "1GiB"."""

    def take(value: Any) -> int | None:
        taken = _bytes(value)
        return taken if taken is not None and least <= taken <= most and not taken % step else None

    return Kind(
        f'a size like "4KiB", "128k" or "1GiB", from {in_bytes(least)} to {in_bytes(most)} and a '
        f"multiple of {in_bytes(step)}",
        take,
    )


def _bytes(value: Any) -> int | None:
    """Decimal units are not taken: fio's "4KB" is 4096 bytes, and others' 4000."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9.]+ ?(?:[kKMGT](?:iB)?|B)?", value):
        return None
    try:
        return parse_bytes(value + "iB" if value[-1] in "kKMGT" else value)
    except BadValue:
        return None


def in_bytes(count: int) -> str:
    """The shortest way to write a size: "4KiB", "1GiB", "1000"."""
    for unit, scale in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count and count % scale == 0:
            return f"{count // scale}{unit}"
    return f"{count}"


def time(least: float, most: float = MOST_SECONDS) -> Kind[float]:
    """Seconds, or a number with a unit: 30, "500ms", "30s", "7m", "1h", "1d"."""

    def take(value: Any) -> float | None:
        taken = _seconds(value)
        return taken if taken is not None and least <= taken <= most else None

    ends = f"from {_duration_text(least)} to {_duration_text(most)}"
    return Kind(f'a time like "30s", "7m" or "1h", {ends}', take)


def _seconds(value: Any) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if 0 <= value <= MOST_SECONDS else None
    if not isinstance(value, str):
        return None
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?(ms|s|m|h|d)|0", value)
    if found and found[2] is None:
        return 0.0
    return float(found[1]) * _UNITS[found[2]] if found else None


def _duration_text(seconds: float) -> str:
    if seconds and seconds < 1:
        return f"{seconds * 1e3:g}ms"
    return f"{seconds / 86400:g}d" if seconds >= 86400 else f"{seconds:g}s"


truth: Kind[bool] = Kind("true or false", lambda x: x if isinstance(x, bool) else None)
