"""The processor by /proc/cpuinfo, whose shape differs on every architecture.

x86, Loongson and Elbrus name the model; Arm gives implementer and part numbers, RISC-V the
vendor's JEDEC number and microarchitecture, s390 the machine type. Topology is not here.
"""

import re

from stend.machine.arm_parts import IMPLEMENTERS, PARTS
from stend.machine.tree import Tree, Unreadable, integer, printable, shortened

CPUINFO = "/proc/cpuinfo"

RISCV_VENDORS = {0x489: "SiFive", 0x5B7: "T-Head", 0x31E: "Andes", 0x710: "SpacemiT"}
"""JEDEC numbers of mvendorid: Linux arch/riscv/include/asm/vendorid_list.h."""


def cpuinfo(tree: Tree) -> list[dict[str, str]]:
    """One dictionary a block (mostly: a hardware thread); names are in lower case."""
    blocks = []
    for text in re.split(r"\n\s*\n", tree.text(CPUINFO)):
        pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
        block = {printable(name).lower(): printable(value) for name, value in pairs}
        if block:
            blocks.append(block)
    if not blocks:
        raise Unreadable(f"{CPUINFO} holds no `name : value` line")
    return blocks


def architecture(tree: Tree) -> str:
    """As `uname -m` says it."""
    if tree.architecture:
        return tree.architecture
    return tree.line("/proc/sys/kernel/arch")


def vendor(tree: Tree) -> str:
    """Who made the processor."""
    blocks = cpuinfo(tree)
    if (name := _first(blocks, "vendor_id")) is not None:
        return name
    if (number := _first(blocks, "cpu implementer")) is not None:
        code = _hexadecimal(number)
        return IMPLEMENTERS.get(code, f"implementer {code:#x}")
    if (number := _first(blocks, "mvendorid")) is not None:
        code = _hexadecimal(number)
        return RISCV_VENDORS.get(code, f"JEDEC {code:#x}")
    raise Unreadable(f"{CPUINFO} names no vendor")


def model(tree: Tree) -> str:
    """The model's name; where there are several kinds of core, all of them joined by ` + `."""
    blocks = cpuinfo(tree)
    for names in (_arm_names(blocks), _named(blocks), _s390_types(blocks)):
        if names:
            return " + ".join(names)
    raise Unreadable(f"{CPUINFO} names no model")


def family(tree: Tree) -> str:
    """What tells one stepping from another, in the architecture's own words."""
    blocks = cpuinfo(tree)
    for names in (
        ("cpu family", "model", "stepping", "revision"),
        ("cpu architecture", "cpu variant", "cpu revision"),
        ("isa",),
        ("revision",),
    ):
        block = next((b for b in blocks if names[0] in b), None)
        if block:
            known = [n for n in names if block.get(n)]
            return " ".join(f"{n.removeprefix('cpu ')} {block[n]}" for n in known)
    raise Unreadable(f"{CPUINFO} names no family")


def microcode(tree: Tree) -> str:
    """The microcode's version."""
    found = _first(cpuinfo(tree), "microcode")
    if found is None:
        raise Unreadable(f"{CPUINFO} names no microcode")
    return found


def flags(tree: Tree) -> frozenset[str]:
    """The x86 feature flags as the kernel names them; empty elsewhere."""
    return frozenset((_first(cpuinfo(tree), "flags") or "").split())


def _first(blocks: list[dict[str, str]], name: str) -> str | None:
    return next((b[name] for b in blocks if b.get(name)), None)


def _arm_names(blocks: list[dict[str, str]]) -> list[str]:
    names: dict[str, None] = {}
    for block in blocks:
        if block.get("cpu part"):
            implementer = _hexadecimal(block.get("cpu implementer", ""))
            part = _hexadecimal(block["cpu part"])
            names[PARTS.get((implementer, part), f"part {part:#x}")] = None
    return list(names)


def _named(blocks: list[dict[str, str]]) -> list[str]:
    for name in ("model name", "cpu", "uarch"):
        found = dict.fromkeys(b[name] for b in blocks if b.get(name))
        if found:
            return list(found)
    return []


def _s390_types(blocks: list[dict[str, str]]) -> list[str]:
    lines = (value for b in blocks for name, value in b.items() if name.startswith("processor "))
    types = (re.search(r"machine = (\w+)", line) for line in lines)
    return list(dict.fromkeys(f"IBM type {match[1]}" for match in types if match))


def _hexadecimal(text: str) -> int:
    if not re.fullmatch(r"0x[0-9a-f]{1,16}", text, re.ASCII | re.IGNORECASE):
        raise Unreadable(f"{CPUINFO} holds {shortened(text)} where a number like 0x41 belongs")
    return int(text, 16)


def listed(tree: Tree) -> tuple[int, ...]:
    """Numbers of the hardware threads that /proc/cpuinfo lists."""
    numbers = {
        integer(b["processor"], CPUINFO) for b in cpuinfo(tree) if b.get("processor", "").isdigit()
    }
    if not numbers:
        raise Unreadable(f"{CPUINFO} numbers no processor")
    return tuple(sorted(numbers))
