"""Block devices by /sys/block."""

import re

from stend.machine.tree import Tree, known
from stend.record import Disk

BLOCK = "/sys/block"

NOT_DISKS = re.compile(r"(loop|ram|zram)\d+")
"""Devices that only dress up a file or memory."""

SECTOR = 512
"""/sys/block/*/size counts in 512 bytes whatever the device's sector is."""


def disks(tree: Tree) -> tuple[Disk, ...]:
    """Every disk that holds something; a field is None where the device does not tell it."""
    names = [name for name in tree.names(BLOCK) if not NOT_DISKS.fullmatch(name)]
    found = tuple(_disk(tree, name) for name in names)
    return tuple(disk for disk in found if disk.bytes != 0)


def _disk(tree: Tree, name: str) -> Disk:
    folder = f"{BLOCK}/{name}"
    sectors = known(tree.integer, f"{folder}/size")
    rotational = known(tree.integer, f"{folder}/queue/rotational")
    return Disk(
        name=name,
        bytes=sectors * SECTOR if sectors is not None and 0 <= sectors < 2**54 else None,
        model=known(tree.line, f"{folder}/device/model"),
        rotational=None if rotational is None else rotational != 0,
        scheduler=_chosen(known(tree.line, f"{folder}/queue/scheduler")),
    )


def _chosen(schedulers: str | None) -> str | None:
    """`none [mq-deadline] kyber` → mq-deadline; a sole one stands without brackets."""
    if schedulers is None:
        return None
    match = re.search(r"\[([\w-]+)\]", schedulers)
    return match[1] if match else schedulers
