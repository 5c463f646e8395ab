"""The operating system, and whether the machine is virtual or this process is in a container.

Only the compiled part may ask the processor itself; what the hypervisor leaves in /sys and
/proc is enough. "none" is an answer; Unreadable means that nothing tells.
"""

import re

from stend.machine import processor
from stend.machine.tree import Tree, Unreadable, known, printable

CLOCK_SOURCE = "/sys/devices/system/clocksource/clocksource0"
VULNERABILITIES = "/sys/devices/system/cpu/vulnerabilities"


def host(tree: Tree) -> str:
    """The machine's name."""
    return tree.line("/proc/sys/kernel/hostname")


def kernel(tree: Tree) -> str:
    """`Linux 6.1.0-18-amd64`; falls back to the words of /proc/version."""
    try:
        return f"{tree.line('/proc/sys/kernel/ostype')} {tree.line('/proc/sys/kernel/osrelease')}"
    except Unreadable:
        match = re.match(r"(\w+) version (\S+)", tree.line("/proc/version"))
        if not match:
            raise Unreadable("/proc/version names no kernel") from None
        return f"{match[1]} {match[2]}"


def os_name(tree: Tree) -> str:
    """The distribution, by os-release(5)."""
    for path in ("/etc/os-release", "/usr/lib/os-release"):
        found = re.search(r"^PRETTY_NAME=(.+)$", known(tree.text, path) or "", re.MULTILINE)
        if found and (name := printable(found[1]).strip("\"'")):
            return name
    raise Unreadable("neither /etc/os-release nor /usr/lib/os-release names the system")


def clock_source(tree: Tree) -> str:
    """What the kernel's own clock counts by."""
    return tree.line(f"{CLOCK_SOURCE}/current_clocksource")


def mitigations(tree: Tree) -> dict[str, str]:
    """Vulnerability → what the kernel does about it."""
    found = {}
    for name in tree.names(VULNERABILITIES):
        try:
            found[name] = tree.line(f"{VULNERABILITIES}/{name}")
        except Unreadable as why:
            found[name] = f"unknown: {why}"
    if not found:
        raise Unreadable(f"{VULNERABILITIES} is empty")
    return found


DMI = "/sys/class/dmi/id"

DMI_WORDS = (
    ("VMware", "VMware"),
    ("innotek", "VirtualBox"),
    ("VirtualBox", "VirtualBox"),
    ("Xen", "Xen"),
    ("Amazon EC2", "Amazon EC2"),
    ("Google Compute Engine", "Google Compute Engine"),
    ("Bochs", "Bochs"),
    ("Parallels", "Parallels"),
    ("BHYVE", "bhyve"),
    ("Virtual Machine", "Hyper-V"),
    ("KVM", "KVM"),
    ("OpenStack", "KVM"),
    ("QEMU", "QEMU"),
)
"""What hypervisors write into the firmware's tables, the more telling first."""

CLOCKS = {"kvm-clock": "KVM", "hyperv_clocksource_tsc_page": "Hyper-V", "xen": "Xen"}
"""Clock sources that only a guest of that hypervisor has."""

CONTAINER_WORDS = {
    "kubepods": "kubernetes",
    "libpod": "podman",
    "docker": "docker",
    "lxc": "lxc",
    "containerd": "containerd",
}
"""What container managers call their control groups."""


def virtualisation(tree: Tree) -> str:
    """The hypervisor's name, or "none"."""
    for read in (_by_xen, _by_clock, _by_device_tree, _by_sysinfo, _by_dmi):
        if name := read(tree):
            return name
    flags = known(processor.flags, tree) or frozenset()
    if "hypervisor" in flags:
        return "unnamed hypervisor"
    if flags or _dmi(tree):  # an x86 without the flag, or firmware of a maker of real machines
        return "none"
    raise Unreadable("neither /proc nor /sys tells whether the machine is virtual")


def container(tree: Tree) -> str:
    """The container manager's name, or "none"."""
    for path, name in (("/run/.containerenv", "podman"), ("/.dockerenv", "docker")):
        if tree.has(path):
            return name
    if tree.has("/run/systemd/container"):
        return tree.line("/run/systemd/container")
    groups = tree.text("/proc/self/cgroup")
    for word, name in CONTAINER_WORDS.items():
        if re.search(rf"[/:]{word}[-/.:\n]", groups):
            return name
    return "none"


def _by_xen(tree: Tree) -> str | None:
    found = known(tree.line, "/sys/hypervisor/type")
    return "Xen" if found == "xen" else found


def _by_clock(tree: Tree) -> str | None:
    clocks = known(tree.line, f"{CLOCK_SOURCE}/available_clocksource") or ""
    return next((CLOCKS[c] for c in clocks.split() if c in CLOCKS), None)


def _by_device_tree(tree: Tree) -> str | None:
    found = known(tree.line, "/proc/device-tree/hypervisor/compatible")
    return {"linux,kvm": "KVM", "xen,xen": "Xen"}.get(found.split()[0], found) if found else None


def _by_sysinfo(tree: Tree) -> str | None:
    """On s390 a guest of z/VM or KVM has a line `VM00 Control Program: z/VM 6.4.0`."""
    text = known(tree.text, "/proc/sysinfo") or ""
    found = re.search(r"^VM00 Control Program: (.+)$", text, re.MULTILINE)
    return printable(found[1]) if found else None


def _by_dmi(tree: Tree) -> str | None:
    words = " ".join(_dmi(tree))
    return next((name for word, name in DMI_WORDS if word in words), None)


def _dmi(tree: Tree) -> list[str]:
    names = ("product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version")
    return [found for name in names if (found := known(tree.line, f"{DMI}/{name}"))]
