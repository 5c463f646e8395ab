"""How often heat slowed the processor down: counters that x86 keeps in /sys."""

from stend.machine.sysfs_topology import CPU, online
from stend.machine.tree import Tree, Unreadable, known

COUNTERS = ("core_throttle_count", "package_throttle_count")


def paths(cpus: tuple[int, ...]) -> list[str]:
    """The counters' files."""
    return [f"{CPU}/cpu{cpu}/thermal_throttle/{name}" for cpu in cpus for name in COUNTERS]


def throttle_count(tree: Tree) -> int:
    """The largest counter: hardware threads of a core, and cores of a package, share theirs."""
    counts = (known(tree.integer, path) for path in paths(online(tree)))
    found = [count for count in counts if count is not None]
    if not found:
        raise Unreadable(f"{CPU}/cpu*/thermal_throttle counts nothing")
    return max(found)
