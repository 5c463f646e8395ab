"""Who sets the processor's frequency: governor, turbo, and what the OS reports now."""

from stend.machine.sysfs_topology import CPU, online
from stend.machine.tree import Tree, Unreadable, known


def governors(tree: Tree) -> dict[str, int]:
    """Governor → how many hardware threads it governs."""
    found: dict[str, int] = {}
    for cpu in online(tree):
        if name := known(tree.line, f"{CPU}/cpu{cpu}/cpufreq/scaling_governor"):
            found[name] = found.get(name, 0) + 1
    if not found:
        raise Unreadable(f"{CPU}/cpu*/cpufreq has no governor (usual in a virtual machine)")
    return found


def governor(tree: Tree) -> str:
    """The governor; where there are several, all of them joined by ` + `."""
    return " + ".join(sorted(governors(tree)))


def turbo(tree: Tree) -> bool:
    """Whether the processor may run faster than its nominal frequency."""
    if (off := known(tree.integer, f"{CPU}/intel_pstate/no_turbo")) is not None:
        return off == 0
    if (on := known(tree.integer, f"{CPU}/cpufreq/boost")) is not None:
        return on != 0
    raise Unreadable(f"neither {CPU}/intel_pstate/no_turbo nor {CPU}/cpufreq/boost tells")
