"""The literature's tables of the families that a run measured, with the run's row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stend.record import Machine
from stend.report.literature import (
    ciphers,
    equations,
    inference,
    operations,
    storage,
    tomography,
    transforms,
)
from stend.report.literature.table import Table
from stend.report.measured_case import Measured

_FAMILIES: Mapping[str, Callable[[Sequence[Measured], str], list[Table]]] = {
    "Ciphers": ciphers.tables,
    "Tomography": tomography.tables,
    "U-Net": inference.tables,
    "Threads": operations.tables,
    "LINPACK": equations.tables,
    "Fourier transform": transforms.tables,
    "Storage": storage.tables,
}


@dataclass(frozen=True, slots=True)
class Family:
    """The tables of one subject."""

    name: str
    tables: tuple[Table, ...]


def beside(measured: Sequence[Measured], machine: Machine) -> tuple[Family, ...]:
    """Those that there is a published figure of; figures that are not above 0 stand in none.

    With --versus, both sides are looked at: the better one is this machine's.
    """
    here = f"this machine ({machine.cpu_model})" if machine.cpu_model else "this machine"
    usable = [m for m in measured if 0 < m.estimate.value < float("inf")]
    found = (Family(name, tuple(tables(usable, here))) for name, tables in _FAMILIES.items())
    return tuple(family for family in found if family.tables)
