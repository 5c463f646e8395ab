"""Theoretical memory bandwidth: modules by SMBIOS, channels by EDAC or by their names.

Pure, and never trusting: lengths, strings and numbers are the firmware's word, and a table that
contradicts itself is Unreadable. Offsets and codes: DMTF DSP0134, "System Management BIOS
Reference Specification" 3.7, sections 6.1 (structures), 7.17 (arrays) and 7.18 (modules).

The theoretical bandwidth is channels × bytes a transfer × transfers a second. Where one of the
three can't be read, it is unknown, never guessed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stend.machine.tree import Tree, Unreadable, known, printable

MOST_MODULES = 4096
"""More than any machine has; a longer list is garbage."""

LARGEST = 1 << 20
"""Bytes of a table; those of large servers have some 20,000."""

_ARRAY, _MODULE, _END = 16, 17, 127
_SYSTEM_MEMORY = 3  # use of an array; others are for video or flash
_TYPES = {
    0x12: "DDR", 0x13: "DDR2", 0x14: "DDR2 FB-DIMM", 0x18: "DDR3", 0x1A: "DDR4",
    0x1B: "LPDDR", 0x1C: "LPDDR2", 0x1D: "LPDDR3", 0x1E: "LPDDR4", 0x20: "HBM", 0x21: "HBM2",
    0x22: "DDR5", 0x23: "LPDDR5", 0x24: "HBM3",
}  # fmt: skip
_UNKNOWN = 0xFFFF
_SLOWEST, _FASTEST = 50, 100_000  # MT/s that any memory so far has
_WIDTHS = (8, 16, 32, 64, 128, 256, 512, 1024)


@dataclass(frozen=True, slots=True)
class Module:
    """One module in its place. None is what the firmware doesn't tell, or can't be."""

    bytes: int | None
    kind: str | None
    """DDR4, LPDDR5, …"""
    width: int | None
    """Data bits, without those for error correction."""
    speed: int | None
    """Transfers a second as configured, in millions; where that is unknown, as rated."""
    device: str
    """Where it is, as the firmware calls it: "DIMM_A1"."""
    bank: str


@dataclass(frozen=True, slots=True)
class _Structure:
    kind: int
    handle: int
    body: bytes
    """With its header, so that offsets are those of the specification."""
    strings: tuple[str, ...]

    def number(self, offset: int, size: int) -> int | None:
        """The little-endian number there; None in a structure too short for it."""
        if offset + size > len(self.body):
            return None
        return int.from_bytes(self.body[offset : offset + size], "little")

    def string(self, offset: int) -> str:
        index = self.number(offset, 1) or 0
        return self.strings[index - 1] if 0 < index <= len(self.strings) else ""


def dmi_modules(table: bytes) -> tuple[Module, ...]:
    """The memory modules that are plugged in, in the table's order; Unreadable if it is broken."""
    if len(table) > LARGEST:
        raise Unreadable(f"the DMI table has {len(table)} bytes, more than any machine's")
    structures = list(_structures(table))
    others = {
        s.handle for s in structures if s.kind == _ARRAY and s.number(0x05, 1) != _SYSTEM_MEMORY
    }
    found = tuple(
        _module(s)
        for s in structures
        if s.kind == _MODULE and s.number(0x0C, 2) and s.number(0x04, 2) not in others
    )
    if len(found) > MOST_MODULES:
        raise Unreadable(f"the DMI table names {len(found)} memory modules, more than can be")
    if not found:
        raise Unreadable("the DMI table names no memory module")
    return found


def _structures(table: bytes) -> Iterator[_Structure]:
    """Each structure: a header of four bytes, its body, then strings up to two zero bytes."""
    at = 0
    while at + 4 <= len(table):
        kind, length = table[at], table[at + 1]
        end = table.find(b"\0\0", at + length)
        if length < 4 or at + length > len(table) or (end < 0 and kind != _END):
            raise Unreadable(f"the DMI table is broken at byte {at}")
        if kind == _END:
            return
        strings = table[at + length : end].split(b"\0") if end > at + length else []
        yield _Structure(
            kind,
            int.from_bytes(table[at + 2 : at + 4], "little"),
            table[at : at + length],
            tuple(printable(s.decode("latin-1")) for s in strings),
        )
        at = end + 2


def _module(structure: _Structure) -> Module:
    return Module(
        bytes=_bytes(structure),
        kind=_TYPES.get(structure.number(0x12, 1) or 0),
        width=_width(structure.number(0x0A, 2)),
        speed=_speed(structure, 0x20, 0x58) or _speed(structure, 0x15, 0x54),
        device=structure.string(0x10),
        bank=structure.string(0x11),
    )


def _bytes(structure: _Structure) -> int | None:
    """A word of megabytes, or of kilobytes when its highest bit is set; large ones elsewhere."""
    size = structure.number(0x0C, 2)
    if size is None or size == _UNKNOWN:
        return None
    if size == 0x7FFF:
        return ((structure.number(0x1C, 4) or 0) & 0x7FFFFFFF) << 20 or None
    return ((size & 0x7FFF) << 10 if size & 0x8000 else size << 20) or None


def _width(bits: int | None) -> int | None:
    return bits if bits in _WIDTHS else None


def _speed(structure: _Structure, offset: int, extended: int) -> int | None:
    """A word of MT/s; where it is full, the double word of version 3.3."""
    speed = structure.number(offset, 2)
    if speed == _UNKNOWN:
        speed = structure.number(extended, 4)
    return speed if speed and _SLOWEST <= speed <= _FASTEST else None


DMI = "/sys/firmware/dmi/tables/DMI"
EDAC = "/sys/devices/system/edac/mc"

_CHANNEL_IN_NAME = (
    re.compile(r".*?channel[ _-]?(?:[a-z]\b|[a-z](?=[ _-]|dimm)|\d+)", re.IGNORECASE),
    re.compile(r".*?\b(?:P|CPU|PROC|NODE)[ _-]?\d+[ _-]*DIMM[ _-]?[A-Z](?=\d)"),  # P1-DIMMA1
    re.compile(r".*?\bDIMM[ _-]P\d+[ _-][A-Z](?=\d)"),  # DIMM_P0_A0
)
"""How makers name a channel in a module's place; the match is all that tells it from others. A
letter counts where the processor is named beside it: alone, some makers mean the processor."""


def modules(tree: Tree) -> str:
    """The modules that are plugged in, such as `8 × 16 GiB DDR4-3200`."""
    counted = Counter(_described(module) for module in _found(tree))
    return ", ".join(f"{count} × {said}" for said, count in counted.items())


def bandwidth(tree: Tree) -> float:
    """Bytes a second that all channels together could move."""
    found = _found(tree)
    speeds = [module.speed for module in found if module.speed]
    if len(speeds) < len(found):
        raise Unreadable("the DMI table doesn't tell the speed of every memory module")
    widths = [module.width for module in found if module.width]
    if len(widths) < len(found):
        raise Unreadable("the DMI table doesn't tell the data width of every memory module")
    channels = known(_edac_channels, tree)
    if channels and channels > len(found):
        raise Unreadable(
            f"{EDAC} tells of {channels} channels with a module, the DMI table of {len(found)} "
            "modules"
        )
    if channels is None:
        bits = sum(_widths_by_channel(found).values())
    elif len(set(widths)) == 1:
        bits = channels * widths[0]
    else:
        raise Unreadable("the memory modules differ in data width")
    return bits / 8 * min(speeds) * 1e6  # a controller runs all at the slowest one's speed


def _found(tree: Tree) -> tuple[Module, ...]:
    return dmi_modules(tree.binary(DMI))


def _described(module: Module) -> str:
    kind = module.kind or "memory of an unknown kind"
    speed = f"-{module.speed}" if module.kind else f" at {module.speed} MT/s"
    return f"{_size(module.bytes)} {kind}{speed if module.speed else ''}"


def _size(size: int | None) -> str:
    if size is None:
        return "unknown size"
    for unit, one in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20)):
        if size >= one and size % one == 0:
            return f"{size // one} {unit}"
    return f"{size >> 10} KiB"


def _edac_channels(tree: Tree) -> int:
    """Channels that have a module, as the kernel's driver of the memory controller sees them."""
    places = set(_edac_places(tree))
    if not places:
        raise Unreadable(f"{EDAC} tells of no channel")
    return len(places)


def _edac_places(tree: Tree) -> Iterator[tuple[str, str]]:
    """Controller and channel of each module; a location reads `channel 1 slot 0`."""
    for controller in tree.names(EDAC):
        for place in known(tree.names, f"{EDAC}/{controller}") or []:
            path = f"{EDAC}/{controller}/{place}"
            if not re.fullmatch(r"(?:dimm|rank)\d+", place):
                continue
            location = known(tree.line, f"{path}/dimm_location") or ""
            channel = re.search(r"(.*\bchannel \d+)", re.sub(r"csrow \d+ ?", "", location))
            if channel and known(tree.integer, f"{path}/size"):
                yield controller, channel[1]


def _widths_by_channel(found: Sequence[Module]) -> dict[str, int]:
    """The data width of each channel that a module's place names."""
    distinct = len({module.device for module in found}) == len(found)
    widths: dict[str, int] = {}
    for module in found:
        names = [module.device, module.bank] if distinct else [f"{module.bank} {module.device}"]
        channel = next(filter(None, map(_channel, names)), None)
        if channel is None:
            raise Unreadable(
                f"the memory modules' places, such as {module.device!r}, name no channel, and "
                f"{EDAC} tells of none"
            )
        widths[channel] = max(widths.get(channel, 0), module.width or 0)
    return widths


def _channel(name: str) -> str | None:
    for pattern in _CHANNEL_IN_NAME:
        if match := pattern.match(name):
            return match[0].casefold()
    return None
