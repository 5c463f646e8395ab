"""What memory could deliver: modules from the firmware, channels from EDAC or their names.

The theoretical bandwidth is channels × bytes a transfer × transfers a second. Where one of the
three can't be read, it is unknown, never guessed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from stend.machine import dmi
from stend.machine.dmi import Module
from stend.machine.tree import Tree, Unreadable, known

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
    return dmi.modules(tree.binary(DMI))


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
