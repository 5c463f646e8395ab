"""Needs of a case: a sentence why it cannot run on a machine, or None."""

from stend.record import Machine

SHARE = 0.9
"""Of the available memory that a case may take, so that it never calls for the OOM killer."""
PROCESSES = 1 << 26
"""Bytes that stend and a worker take beside what a case asks for, after the machine was looked at:
31 MB were measured, and in a small container that is more than the tenth that is left free."""

OTHER_THREADS = 32
"""That stend, its workers and their libraries may make after the machine was looked at."""


def cpus_lack(count: int, machine: Machine, what: str = "threads") -> str | None:
    """Why so many threads, or what the parameter `what` counts, have no CPU each."""
    if not machine.usable or count <= len(machine.usable):
        return None
    return (
        f"{count} {what} need as many CPUs, and this process may use {len(machine.usable)}; "
        f"use --set {what}=N with a smaller N."
    )


def cpu_lacks(cpu: int, machine: Machine) -> str | None:
    """Why this process can't sit on that CPU."""
    if not machine.usable or cpu in machine.usable:
        return None
    usable = ", ".join(map(str, machine.usable))
    return f"this process may not use CPU {cpu}; use --set cpu=N with one of {usable}."


def threads_lack(count: int, machine: Machine, parameter: str | None = None) -> str | None:
    """Why so many threads can't live at a time; `parameter` is the one that makes them fewer."""
    if machine.threads_free is None or count + OTHER_THREADS <= machine.threads_free:
        return None
    fewer = f"; or use --set {parameter}=N with a smaller N" if parameter else ""
    return (
        f"{count} threads at a time exceed the "
        f"{max(0, machine.threads_free - OTHER_THREADS)} that can be made now: "
        f"{machine.threads_limit or 'a limit of the system'}{fewer}."
    )


def most_memory(machine: Machine) -> float | None:
    """Bytes that a case may take; None where it is unknown how many are available."""
    there = machine.memory_available
    return None if there is None else max(0.0, min(SHARE * there, there - PROCESSES))


def room(machine: Machine, share: float, beside: int = 0) -> int:
    """Bytes for a default: this share of the available memory, and `beside` must fit with them.

    Where it is unknown how many are available, 1 GiB is taken to be.
    """
    there = machine.memory_available
    most = most_memory(machine)
    wanted = share * (1 << 30 if there is None else there)
    return max(0, int(wanted if most is None else min(wanted, most - beside)))


def memory_lacks(what: str, wanted: float, machine: Machine, parameter: str) -> str | None:
    """Why `what`, so many bytes, doesn't fit; `parameter` is the one to make smaller."""
    there, most = machine.memory_available, most_memory(machine)
    if there is None or most is None or wanted <= most:
        return None
    return (
        f"{what}: {wanted / 1e9:.4g} GB, more than the {most / 1e9:.4g} GB that a case may take of "
        f"the {there / 1e9:.4g} GB available; use --set {parameter} with less."
    )
