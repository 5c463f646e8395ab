"""The processor by /proc/cpuinfo, whose shape differs on every architecture.

Sources: the Arm Architecture Reference Manual (implementer codes, register MIDR_EL1), each
core's technical reference manual, and Linux arch/arm64/include/asm/cputype.h.

x86, Loongson and Elbrus name the model; Arm gives implementer and part numbers, RISC-V the
vendor's JEDEC number and microarchitecture, s390 the machine type. Topology is not here.
"""

import re

from stend.machine.tree import Tree, Unreadable, integer, printable, shortened

IMPLEMENTERS = {
    0x41: "Arm",
    0x42: "Broadcom",
    0x43: "Cavium",
    0x46: "Fujitsu",
    0x48: "HiSilicon",
    0x4E: "NVIDIA",
    0x50: "Applied Micro",
    0x51: "Qualcomm",
    0x53: "Samsung",
    0x56: "Marvell",
    0x61: "Apple",
    0x66: "Faraday",
    0x69: "Intel",
    0x6D: "Microsoft",
    0x70: "Phytium",
    0xC0: "Ampere",
}

PARTS = {
    (0x41, 0xC07): "Cortex-A7",
    (0x41, 0xC08): "Cortex-A8",
    (0x41, 0xC09): "Cortex-A9",
    (0x41, 0xC0D): "Cortex-A17",
    (0x41, 0xC0E): "Cortex-A17",
    (0x41, 0xC0F): "Cortex-A15",
    (0x41, 0xD01): "Cortex-A32",
    (0x41, 0xD02): "Cortex-A34",
    (0x41, 0xD03): "Cortex-A53",
    (0x41, 0xD04): "Cortex-A35",
    (0x41, 0xD05): "Cortex-A55",
    (0x41, 0xD06): "Cortex-A65",
    (0x41, 0xD07): "Cortex-A57",
    (0x41, 0xD08): "Cortex-A72",
    (0x41, 0xD09): "Cortex-A73",
    (0x41, 0xD0A): "Cortex-A75",
    (0x41, 0xD0B): "Cortex-A76",
    (0x41, 0xD0C): "Neoverse-N1",
    (0x41, 0xD0D): "Cortex-A77",
    (0x41, 0xD0E): "Cortex-A76AE",
    (0x41, 0xD40): "Neoverse-V1",
    (0x41, 0xD41): "Cortex-A78",
    (0x41, 0xD42): "Cortex-A78AE",
    (0x41, 0xD43): "Cortex-A65AE",
    (0x41, 0xD44): "Cortex-X1",
    (0x41, 0xD46): "Cortex-A510",
    (0x41, 0xD47): "Cortex-A710",
    (0x41, 0xD48): "Cortex-X2",
    (0x41, 0xD49): "Neoverse-N2",
    (0x41, 0xD4A): "Neoverse-E1",
    (0x41, 0xD4B): "Cortex-A78C",
    (0x41, 0xD4C): "Cortex-X1C",
    (0x41, 0xD4D): "Cortex-A715",
    (0x41, 0xD4E): "Cortex-X3",
    (0x41, 0xD4F): "Neoverse-V2",
    (0x41, 0xD80): "Cortex-A520",
    (0x41, 0xD81): "Cortex-A720",
    (0x41, 0xD82): "Cortex-X4",
    (0x41, 0xD83): "Neoverse-V3AE",
    (0x41, 0xD84): "Neoverse-V3",
    (0x41, 0xD85): "Cortex-X925",
    (0x41, 0xD87): "Cortex-A725",
    (0x41, 0xD8E): "Neoverse-N3",
    (0x42, 0x100): "Brahma-B53",
    (0x42, 0x516): "ThunderX2",
    (0x43, 0x0A1): "ThunderX",
    (0x43, 0x0AF): "ThunderX2",
    (0x43, 0x0B8): "ThunderX3",
    (0x46, 0x001): "A64FX",
    (0x46, 0x003): "Monaka",
    (0x48, 0xD01): "TaiShan-v110",
    (0x48, 0xD02): "TaiShan-v120",
    (0x4E, 0x003): "Denver 2",
    (0x4E, 0x004): "Carmel",
    (0x50, 0x000): "X-Gene",
    (0x51, 0x001): "Oryon",
    (0x51, 0x800): "Kryo 2xx Gold",
    (0x51, 0x801): "Kryo 2xx Silver",
    (0x51, 0x802): "Kryo 3xx Gold",
    (0x51, 0x803): "Kryo 3xx Silver",
    (0x51, 0x804): "Kryo 4xx Gold",
    (0x51, 0x805): "Kryo 4xx Silver",
    (0x51, 0xC00): "Falkor",
    (0x61, 0x022): "Icestorm (M1)",
    (0x61, 0x023): "Firestorm (M1)",
    (0x61, 0x032): "Blizzard (M2)",
    (0x61, 0x033): "Avalanche (M2)",
    (0x6D, 0xD49): "Azure Cobalt 100",
    (0x70, 0x303): "FTC310",
    (0x70, 0x660): "FTC660",
    (0x70, 0x661): "FTC661",
    (0x70, 0x662): "FTC662",
    (0x70, 0x663): "FTC663",
    (0x70, 0x664): "FTC664",
    (0x70, 0x862): "FTC862",
    (0xC0, 0xAC3): "Ampere-1",
    (0xC0, 0xAC4): "Ampere-1a",
}


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
