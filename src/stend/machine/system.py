"""The operating system: its name, kernel, clock source and processor mitigations."""

import re

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
