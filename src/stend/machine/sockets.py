"""Which CPUs are hardware threads of one core, and which cores lie in one socket, by /sys."""

from stend.machine.sysfs_topology import CORE, CPU, SOCKET, online
from stend.machine.tree import Tree, Unreadable

Core = tuple[int, ...]


def sockets(tree: Tree) -> tuple[tuple[Core, ...], ...]:
    """The CPUs of each core of each socket, all in ascending order; those that are online."""
    there = set(online(tree))
    found: dict[tuple[int, ...], set[Core]] = {}
    for cpu in there:
        socket, core = _beside(tree, cpu, SOCKET), _beside(tree, cpu, CORE)
        found.setdefault(socket, set()).add(tuple(other for other in core if other in there))
    return tuple(tuple(sorted(found[socket])) for socket in sorted(found))


def _beside(tree: Tree, cpu: int, names: tuple[str, str]) -> tuple[int, ...]:
    """The CPUs that a CPU shares its socket or core with, and itself."""
    reason: Unreadable | None = None
    for name in names:
        try:
            return tree.cpus_of(f"{CPU}/cpu{cpu}/topology/{name}")
        except Unreadable as why:
            reason = reason or why
    assert reason is not None
    raise reason
