"""Two runs → what differs between them beside the figures: machine, versions, conditions."""

from typing import Any

from msgspec.structs import replace

from stend.record import Machine, Record, Run

VARIES = {
    "clocks", "memory_available", "threads_free", "threads_limit", "unknown", "versions",
    "mitigations",
}  # fmt: skip
"""Facts that are taken anew in each run, or are tables with rows of their own."""


class Difference(Record, frozen=True, kw_only=True):
    """One fact that is not the same on both sides, as words; "unknown" where unreadable."""

    what: str
    a: str
    b: str


def differences(a: Run, b: Run) -> tuple[Difference, ...]:
    """What a reader should know before believing that the code alone made the difference."""
    return (
        *_of("size", a.size, b.size),
        *_of("stend", a.stend, b.stend),
        *_facts(a.machine, b.machine),
        *_tables("version of ", a.machine.versions, b.machine.versions),
        *_tables("mitigation of ", a.machine.mitigations, b.machine.mitigations),
        *_conditions(a, b),
    )


def _facts(a: Machine, b: Machine) -> list[Difference]:
    return [
        difference
        for field in Machine.__struct_fields__
        if field not in VARIES
        for difference in _of(field.replace("_", " "), fact(a, field), fact(b, field))
    ]


def fact(machine: Machine, field: str) -> Any:
    """One of its facts, without what changes from minute to minute."""
    if field == "numa":
        return tuple(replace(node, available=None) for node in machine.numa)
    return getattr(machine, field)


def _tables(what: str, a: dict[str, str], b: dict[str, str]) -> list[Difference]:
    names = sorted({*a, *b})
    return [d for name in names for d in _of(what + name, a.get(name), b.get(name))]


def _conditions(a: Run, b: Run) -> list[Difference]:
    said = [
        {d.kind: d.said for d in (*run.conditions.before, *run.conditions.during)} for run in (a, b)
    ]
    return [
        Difference(what=f"condition: {kind}", a=said[0].get(kind, "–"), b=said[1].get(kind, "–"))
        for kind in sorted(said[0].keys() ^ said[1].keys())
    ]


def _of(what: str, a: Any, b: Any) -> list[Difference]:
    return [] if a == b else [Difference(what=what, a=words(a), b=words(b))]


def words(value: Any) -> str:
    """A fact as it is read; None is unknown."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(words, value)) or "none"
    if isinstance(value, Record):
        known = {f: getattr(value, f) for f in value.__struct_fields__}
        return " ".join(f"{f}={words(v)}" for f, v in known.items() if v is not None)
    return str(value)
