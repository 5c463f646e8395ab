"""Two machines or runs → whether they are the same one, set up in the same way."""

from stend.record import Machine, Run

_SETTINGS = ("kernel", "os", "governor", "turbo", "clock_source", "cpu_limit", "usable")


def same_machine(a: Machine, b: Machine) -> bool:
    """Whether both are one machine, by its name and what stays when it is set up anew."""
    return a.host is not None and _identity(a) == _identity(b)


def _identity(machine: Machine) -> tuple[object, ...]:
    return (
        machine.host,
        machine.architecture,
        machine.cpu_model,
        machine.packages,
        machine.threads,
        machine.virtualisation,
    )


def configuration(run: Run) -> tuple[object, ...]:
    """What a run was made with that can move its figures: runs alike in it ought to agree."""
    machine = run.machine
    return (
        run.stend,
        run.size,
        *(getattr(machine, field) for field in _SETTINGS),
        tuple(sorted(machine.mitigations.items())),
        tuple(sorted(machine.versions.items())),
    )
