"""What a case needs of the machine → why it can't run there, in a sentence, or None."""

from stend.record import Machine

SHARE = 0.9
"""Of the available memory that a case may take, so that it never calls for the OOM killer."""


def cpus_lack(count: int, machine: Machine, what: str = "threads") -> str | None:
    """Why so many threads, or what the parameter `what` counts, have no CPU each."""
    if not machine.usable or count <= len(machine.usable):
        return None
    return (
        f"{count} {what} need as many CPUs, and this process may use {len(machine.usable)}; "
        f"use --set {what}=N with a smaller N."
    )


def memory_lacks(what: str, wanted: float, machine: Machine, parameter: str) -> str | None:
    """Why `what`, so many bytes, doesn't fit; `parameter` is the one to make smaller."""
    there = machine.memory_available
    if there is None or wanted <= SHARE * there:
        return None
    return (
        f"{what}: {wanted / 1e9:.4g} GB, more than 90% of the {there / 1e9:.4g} GB available; "
        f"use --set {parameter} with less."
    )
