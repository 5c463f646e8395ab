"""The facts of a machine, a stored run as a row, and names that tell runs apart, in words."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stend.record import HARMLESS, Cache, ClockFacts, Machine, Run
from stend.record.text import between, minute
from stend.report.quantities import binary, figure

if TYPE_CHECKING:
    from stend.comparing import Side
    from stend.store import Summary

Fact = tuple[str, str]


def facts(machine: Machine) -> list[Fact]:
    """What is known, in the order of interest; unknown facts are left to `unknown`."""
    found = [
        ("processor", machine.cpu_model),
        ("architecture", machine.architecture),
        ("cores", _cores(machine)),
        ("instruction sets", ", ".join(machine.isa)),
        ("caches", ", ".join(map(_cache, machine.caches))),
        ("memory", _memory(machine)),
        ("memory modules", _modules(machine)),
        ("NUMA nodes", str(len(machine.numa)) if machine.numa else None),
        ("huge pages", machine.huge_pages),
        ("disks", ", ".join(_disk(d.name, d.bytes, d.model) for d in machine.disks)),
        ("operating system", machine.os),
        ("kernel", machine.kernel),
        ("virtualisation", machine.virtualisation),
        ("container", _container(machine)),
        ("room for threads", _threads(machine)),
        ("clock source", machine.clock_source),
        ("governor", machine.governor),
        ("turbo", _switch(machine.turbo)),
        ("simultaneous multithreading", _switch(machine.smt)),
        ("microcode", machine.microcode),
        ("mitigations", _mitigations(machine.mitigations)),
        ("versions", ", ".join(_version(k, v) for k, v in machine.versions.items())),
    ]
    return [(name, value) for name, value in found if value]


def processor(machine: Machine) -> list[Fact]:
    """Those that the processor card opens with."""
    wanted = {"processor", "architecture", "cores", "caches", "memory", "NUMA nodes", "governor",
              "turbo", "virtualisation"}  # fmt: skip
    return [fact for fact in facts(machine) if fact[0] in wanted]


def unknown(machine: Machine) -> list[Fact]:
    """What could not be read, and why."""
    return [(name.replace("_", " "), why) for name, why in machine.unknown.items()]


def clocks(machine: Machine) -> list[tuple[str, str, str, str]]:
    """Each clock: its name, frequency, smallest step and what a reading costs."""
    return [
        (
            clock.name,
            _frequency(clock),
            figure(clock.resolution, "s") if clock.resolution is not None else "–",
            figure(clock.overhead, "s")
            if clock.overhead is not None
            else (clock.reason or "not calibrated"),
        )
        for clock in machine.clocks
    ]


def headline(machine: Machine) -> str:
    """The machine in one line."""
    words = [machine.cpu_model or machine.architecture or "an unknown processor"]
    words += [_cores(machine) or "", f"{binary(machine.memory_bytes)} of memory"
              if machine.memory_bytes else "", machine.os or ""]  # fmt: skip
    return " · ".join(filter(None, words))


def command(words: Sequence[str]) -> str:
    """The command line that made a run."""
    return shlex.join(words) if words else "a run without a command"


def _threads(machine: Machine) -> str | None:
    if machine.threads_free is None:
        return None
    return f"{machine.threads_free} more; {machine.threads_limit}"


def _cores(machine: Machine) -> str | None:
    words = []
    if machine.packages and machine.packages > 1:
        words.append(f"{machine.packages} packages")
    if machine.cores:
        words.append(f"{machine.cores} core{'s' * (machine.cores != 1)}")
    if machine.threads and machine.threads != machine.cores:
        words.append(f"{machine.threads} hardware threads")
    if machine.threads and machine.usable and len(machine.usable) != machine.threads:
        words.append(f"{len(machine.usable)} usable")
    return ", ".join(words) or None


def _cache(cache: Cache) -> str:
    kind = {"data": "d", "instruction": "i", "unified": ""}[cache.kind]
    copies = f" × {cache.count}" if cache.count and cache.count > 1 else ""
    return f"L{cache.level}{kind} {binary(cache.bytes)}{copies}"


def _frequency(clock: ClockFacts) -> str:
    if not clock.hz:
        return "–"
    u = clock.hz_uncertainty
    return figure(clock.hz, "Hz", (clock.hz - u, clock.hz + u) if u else None)


def _version(name: str, version: str) -> str:
    """Programs begin what they tell with their name, packages don't."""
    return version if version.split()[:1] == [name] else f"{name} {version}"


def _mitigations(found: dict[str, str]) -> str:
    """Those that cost something, and how many do not apply."""
    active = {name: said for name, said in found.items() if said != "Not affected"}
    words = [f"{name}: {said}" for name, said in active.items()]
    rest = len(found) - len(active)
    return "; ".join([*words, f"{rest} not affected"] if rest else words)


def _memory(machine: Machine) -> str | None:
    if machine.memory_bytes is None:
        return None
    available = machine.memory_available
    return binary(machine.memory_bytes) + (
        f", {figure(available, 'B')} available" if available is not None else ""
    )


def _modules(machine: Machine) -> str | None:
    limit = machine.memory_bandwidth
    said = f"at most {figure(limit, 'B/s')} in theory" if limit is not None else None
    return ", ".join(filter(None, [machine.memory_modules, said])) or None


def _disk(name: str, size: int | None, model: str | None) -> str:
    return " ".join(filter(None, [name, figure(size, "B") if size else "", model]))


def _container(machine: Machine) -> str | None:
    limits = []
    if machine.cpu_limit:
        limits.append(f"at most {machine.cpu_limit:g} cores")
    if machine.memory_limit:
        limits.append(f"at most {figure(machine.memory_limit, 'B')}")
    return ", ".join(filter(None, [machine.container, *limits])) or None


def _switch(value: bool | None) -> str | None:
    return None if value is None else "on" if value else "off"


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in words; each is made when it is shown, as lists can be long."""

    run: "Summary"

    @property
    def id(self) -> str:
        """The beginning of the id, which is enough to name the run."""
        return self.run.id[:8]

    @property
    def name(self) -> str:
        """The label, or the id."""
        return self.run.label or self.id

    @property
    def begun(self) -> str:
        """To the minute, in UTC."""
        return minute(self.run.started)

    @property
    def command(self) -> str:
        """The command without the program."""
        return command(self.run.command[1:])

    @property
    def took(self) -> str:
        """How long it took; empty where it has not ended."""
        return between(self.run.started, self.run.finished) if self.run.finished else ""

    @property
    def trouble(self) -> list[tuple[str, int]]:
        """How many cases went wrong how."""
        return [(status, n) for status, n in self.run.statuses.items() if status not in HARMLESS]


@dataclass(frozen=True, slots=True)
class _Known:
    """What there is to tell one by."""

    name: str
    host: str
    started: str
    id: str


_TELLING: tuple[Callable[[_Known], str], ...] = (
    lambda one: one.host,
    lambda one: one.started[:10],
    lambda one: minute(one.started),
)
"""What is added to a name that several have, the first that differs for each: machine, day, minute;
the id where none does."""


def run_names(runs: Sequence[Run]) -> list[str]:
    """Label, machine or id of each; and what tells it from others of the same name."""
    known = [_Known(_name(r.label, r.machine.host, r.id), r.machine.host or "", r.started, r.id)
             for r in runs]  # fmt: skip
    return [_distinct(one, known) for one in known]


def side_names(sides: "Sequence[Side]") -> list[str]:
    """The same of sides, of which one that is there again has the same name again."""
    known = [_Known(_name(s.variant or s.label, s.host, s.id), s.host or "", s.started, s.id)
             for s in sides]  # fmt: skip
    return [_distinct(one, tuple(dict.fromkeys(known))) for one in known]


def joined(names: Sequence[str]) -> str:
    """All of a few names; of many the first, and how many more there are."""
    return " and ".join(names) if len(names) < 4 else f"{names[0]} and {len(names) - 1} more"


def _name(label: str, host: str | None, id: str) -> str:
    return label or host or id[:8]


def _distinct(one: _Known, of: Sequence[_Known]) -> str:
    alike = [other for other in of if other.name == one.name]
    if len(alike) == 1:
        return one.name
    for tell in _TELLING:
        if len({tell(other) for other in alike}) == len(alike):
            return f"{one.name} {tell(one)}"
    return f"{one.name} {one.id[:8]}"
