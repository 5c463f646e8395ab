"""A profile: which workloads are run, how long, how often, after what; times are in seconds.

In: the name of one that comes with stend, or a TOML file of the user's. Out: it, checked.
"""

import difflib
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from stend.errors import BadValue, UnknownName
from stend.record.text import printable
from stend.storage.fio.schema import Place, line, shown, size, time, whole
from stend.storage.fio.workload import Workload, read_workloads

NAMES = ("quick", "aerodisk-2021", "aerodisk-2020", "curve", "steady")
"""Those that come with stend, the default one first."""
MIB = 1 << 20
LONGEST = 1 << 16
"""Bytes of a profile; those that come with stend have about 2,000."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The wait for the steady state: rounds of the workload, until five in a row are steady."""

    seconds: float
    """How long one round takes."""
    most: int
    """Rounds after which the workload is measured all the same, and marked as unsteady."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What `stend storage run` does."""

    name: str
    about: str
    """What it is for, in a sentence."""
    source: str
    """Where its settings were published; empty: nowhere."""
    file_bytes: int
    """Size of the file that is made where no target is named."""
    precondition: int
    """Sequential passes that write the whole target before all else; 0: none."""
    warm_up: float
    """Seconds that each workload runs before a measured round, or before those of `steady`."""
    steady: Rounds | None
    seconds: float
    """How long one measured round takes."""
    rounds: int
    """Measured rounds of each workload; intervals and verdicts are over these."""
    log_average_ms: int | None
    """fio writes its own log files too, averaged over so many milliseconds; None: it doesn't."""
    workloads: tuple[Workload, ...]

    @property
    def writes(self) -> bool:
        """Whether a workload or the preconditioning destroys the target's data."""
        return self.precondition > 0 or any(each.writes for each in self.workloads)

    @property
    def least_seconds(self) -> float:
        """How long its runs take where each state is steady after five rounds; no filling."""
        return self._lasts(5)

    @property
    def most_seconds(self) -> float:
        """How long its runs take where no workload gets steady; without filling."""
        return self._lasts(self.steady.most if self.steady else 0)

    def unlimited(self, workload: Workload) -> Workload:
        """Give the workload whose IOPS are the 100% of one with a `load`; it runs before it."""
        wanted = replace(workload, load=None)
        return next(each for each in self.workloads if replace(wanted, name=each.name) == each)

    def _lasts(self, rounds: int) -> float:
        """Where it waits for a steady state it warms up once, and else before each round."""
        if self.steady:
            before = self.warm_up + rounds * self.steady.seconds
        else:
            before = self.rounds * self.warm_up
        return (before + self.rounds * self.seconds) * len(self.workloads)


KEYS = (
    *("about", "source", "file_size", "precondition", "warm_up", "runtime", "rounds"),
    *("log_average", "steady", "defaults", "workload"),
)
"""What stands at the top of a profile."""
ELSEWHERE = {
    "ramp_time": "warm_up",
    "time": "runtime",
    "seconds": "runtime",
    "log_avg_msec": "log_average",
    "filesize": "file_size",
    "loops": "rounds",
    "global": "defaults",
    "workloads": "workload",
}
"""What else its users may call them; the first are fio's words."""


def read_profile(name_or_path: str) -> Profile:
    """Give the profile of that name, or the one in that file.

    Raises:
        UnknownName: there is neither.
        BadValue: the file can't be read, or is no profile: its place, value, and what is allowed.
    """
    if name_or_path in NAMES:
        return _shipped(name_or_path)
    text = _text_of(name_or_path)
    return parsed(text, printable(Path(name_or_path).name.removesuffix(".toml")), name_or_path)


def profiles() -> tuple[Profile, ...]:
    """Give those that come with stend."""
    return tuple(map(_shipped, NAMES))


def profile_text(name: str) -> str:
    """Give the TOML of one that comes with stend, to be copied and changed.

    Raises:
        UnknownName: there is none of that name.
    """
    if name not in NAMES:
        raise _unknown(f"There is no profile {shown(name)}", name)
    return files(__package__).joinpath(f"profiles/{name}.toml").read_text(encoding="utf-8")


def parsed(text: str, name: str, file: str) -> Profile:
    """Read a profile.

    Args:
        text: TOML.
        name: what the profile is called.
        file: what an error calls the file.

    Raises:
        BadValue: it is none.
    """
    place = Place(file)
    table = place.table(_toml(text, file), KEYS, ELSEWHERE)
    average = table.get("log_average", time(0.001, 3600), None)
    return Profile(
        name=name,
        about=table.need("about", line(500)),
        source=table.get("source", line(500), ""),
        file_bytes=table.get("file_size", size(MIB, 1 << 50, MIB), 1 << 30),
        precondition=table.get("precondition", whole(0, 100), 0),
        warm_up=table.get("warm_up", time(0), 0.0),
        steady=_steady(place / "steady", table.values.get("steady")),
        seconds=table.need("runtime", time(1)),
        rounds=table.get("rounds", whole(1, 1000), 1),
        log_average_ms=None if average is None else round(average * 1000),
        workloads=read_workloads(place, table),
    )


def _steady(place: Place, value: object) -> Rounds | None:
    if value is None:
        return None
    table = place.table(value, ("round", "most"), {"rounds": "most", "runtime": "round"})
    return Rounds(table.need("round", time(1, 86400)), table.get("most", whole(5, 1000), 25))


@cache
def _shipped(name: str) -> Profile:
    return parsed(profile_text(name), name, f"{name}.toml")


def _text_of(name: str) -> str:
    if "/" not in name and not name.endswith(".toml") and not Path(name).exists():
        raise _unknown(f"There is no profile and no file {shown(name)}", name)
    try:
        with Path(name).open("rb") as file:
            held = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise BadValue(f"The profile {printable(name)} can't be read: {said}.") from error
    if len(held) > LONGEST:
        raise BadValue(
            f"The profile {printable(name)} has more than {LONGEST:,} bytes; "
            "give a shorter file, as `stend storage profiles quick` prints one."
        )
    try:
        return held.decode()
    except UnicodeDecodeError as error:
        raise BadValue(
            f"The profile {printable(name)} is not UTF-8 text: byte {error.start} is "
            f"0x{held[error.start]:02x}; save it as UTF-8."
        ) from error


def _toml(text: str, file: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise BadValue(f"{printable(file)}: it is nested too deeply to be a profile.") from error
    except ValueError as error:  # TOMLDecodeError is one, and integers of thousands of digits
        raise BadValue(
            f"{printable(file)}: it is not TOML: {printable(str(error)[:300]).rstrip('.')}."
        ) from error


def _unknown(name_given: str, name: str) -> UnknownName:
    near = difflib.get_close_matches(name[:80], NAMES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(NAMES)}."
    return UnknownName(f"{name_given}; {hint}")
