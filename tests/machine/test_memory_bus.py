"""Memory modules and the theoretical bandwidth: from firmware's bytes, which may be anything."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine.made_dmi import END, array, module, structure, table
from machine.made_trees import made
from stend.machine import inspect, memory_bus
from stend.machine.tree import Tree, Unreadable

TWO_CHANNELS = [
    module(device="DIMM 0", bank="P0 CHANNEL A"),
    module(device="DIMM 1", bank="P0 CHANNEL A", megabytes=0),
    module(device="DIMM 0", bank="P0 CHANNEL B"),
    module(device="DIMM 1", bank="P0 CHANNEL B", megabytes=0),
]


def tree(folder, *structures: bytes, files: dict[str, str] | None = None) -> Tree:
    place = folder / memory_bus.DMI.lstrip("/")
    place.parent.mkdir(parents=True)
    place.write_bytes(table(*structures))
    return made(folder, files or {})


def test_modules_are_told_with_count_size_kind_and_speed(tmp_path):
    found = tree(tmp_path, array(), *TWO_CHANNELS, module(8192, speed=2666))
    assert memory_bus.modules(found) == "2 × 16 GiB DDR4-3200, 1 × 8 GiB DDR4-2666"


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (module(65536, kind=0x22, speed=5600), "1 × 64 GiB DDR5-5600"),
        (module(512, kind=0x13, speed=667), "1 × 512 MiB DDR2-667"),
        (module(4096, kind=7, speed=0), "1 × 4 GiB memory of an unknown kind"),
        (module(4096, kind=7, speed=1600), "1 × 4 GiB memory of an unknown kind at 1600 MT/s"),
        (module(0x8000 + 512), "1 × 33280 MiB DDR4-3200"),
        (module(2048, speed=0), "1 × 2 GiB DDR4"),
        (module(2 << 20, kind=0x22, speed=0xFFFF + 10), "1 × 2 TiB DDR5-65545"),
    ],
)
def test_sizes_and_speeds_are_read_from_their_short_and_long_fields(tmp_path, one, said):
    assert memory_bus.modules(tree(tmp_path, one)) == said


def test_the_configured_speed_counts_and_not_the_rated_one(tmp_path):
    slower = [module(speed=3200, configured=2400, bank=f"CHANNEL {c}") for c in "AB"]
    assert memory_bus.bandwidth(tree(tmp_path, *slower)) == 2 * 8 * 2400e6


def test_bandwidth_is_channels_by_width_by_speed(tmp_path):
    assert memory_bus.bandwidth(tree(tmp_path, array(), *TWO_CHANNELS)) == 2 * 8 * 3200e6


def test_two_modules_in_one_channel_count_once(tmp_path):
    both = [module(device=f"ChannelA-DIMM{slot}") for slot in (0, 1)]
    assert memory_bus.bandwidth(tree(tmp_path, *both)) == 8 * 3200e6


def test_the_slowest_module_sets_the_speed(tmp_path):
    mixed = [module(speed=s, device=f"Channel{c}-DIMM0") for s, c in ((3200, "A"), (2666, "B"))]
    assert memory_bus.bandwidth(tree(tmp_path, *mixed)) == 2 * 8 * 2666e6


@pytest.mark.parametrize(
    ("places", "channels"),
    [
        ([("P1-DIMMA1", ""), ("P1-DIMMB1", ""), ("P2-DIMMA1", ""), ("P2-DIMMB1", "")], 4),
        ([("P1-DIMMA1", ""), ("P1-DIMMA2", "")], 1),
        ([("CPU1_DIMM_A1", ""), ("CPU1_DIMM_B1", ""), ("CPU2_DIMM_A1", "")], 3),
        ([("DIMM_P0_A0", ""), ("DIMM_P0_B0", ""), ("DIMM_P1_A0", "")], 3),
        ([("Controller0-ChannelA-DIMM0", "BANK 0"), ("Controller1-ChannelA-DIMM0", "BANK 0")], 2),
        ([("ChannelA-DIMM0", "NODE 0"), ("ChannelA-DIMM0", "NODE 1")], 2),
        (
            [
                ("Node0_Channel0_Dimm0", ""),
                ("Node0_Channel0_Dimm1", ""),
                ("Node0_Channel1_Dimm0", ""),
            ],
            2,
        ),
        ([("ChannelA_Dimm1", ""), ("ChannelB_Dimm1", "")], 2),
    ],
)
def test_makers_names_for_channels_are_understood(tmp_path, places, channels):
    found = tree(tmp_path, *(module(device=device, bank=bank) for device, bank in places))
    assert memory_bus.bandwidth(found) == channels * 8 * 3200e6


@pytest.mark.parametrize(
    "places", [["DIMM 0"], ["A1", "A2"], ["DIMM_A1", "DIMM_A2"], ["PROC 1 DIMM 3"], [""]]
)
def test_a_place_that_names_no_channel_leaves_the_bandwidth_unknown(tmp_path, places):
    found = tree(tmp_path, *(module(device=place, bank="") for place in places))
    with pytest.raises(Unreadable, match="name no channel"):
        memory_bus.bandwidth(found)
    machine = inspect(found)
    assert machine.memory_bandwidth is None
    assert "name no channel" in machine.unknown["memory_bandwidth"]
    assert machine.memory_modules == f"{len(places)} × 16 GiB DDR4-3200"


def edac(*locations: tuple[int, str, int]) -> dict[str, str]:
    files = {}
    for number, (controller, location, size) in enumerate(locations):
        folder = f"{memory_bus.EDAC}/mc{controller}/dimm{number}"
        files |= {f"{folder}/dimm_location": f"{location} \n", f"{folder}/size": f"{size}\n"}
    return files


@pytest.mark.parametrize(
    ("locations", "channels"),
    [
        ([(0, "channel 0 slot 0", 16384), (0, "channel 1 slot 0", 16384)], 2),
        ([(0, "channel 0 slot 0", 16384), (0, "channel 0 slot 1", 16384)], 1),
        ([(0, "channel 0 slot 0", 16384), (1, "channel 0 slot 0", 16384)], 2),
        ([(0, "csrow 0 channel 0", 8192), (0, "csrow 1 channel 0", 8192)], 1),
        ([(0, "channel 0 slot 0", 16384), (0, "channel 1 slot 0", 0)], 1),
    ],
)
def test_the_kernels_driver_tells_the_channels_where_there_is_one(tmp_path, locations, channels):
    modules = [module(device=f"A{n}") for n in range(2)]
    found = tree(tmp_path, *modules, files=edac(*locations))
    assert memory_bus.bandwidth(found) == channels * 8 * 3200e6


def test_more_channels_than_modules_contradict_each_other(tmp_path):
    places = [(0, f"channel {n} slot 0", 16384) for n in range(64)]
    with pytest.raises(Unreadable, match="64 channels with a module, the DMI table of 2 modules"):
        memory_bus.bandwidth(tree(tmp_path, module(), module(), files=edac(*places)))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (module(speed=0, bank="CHANNEL A"), "speed of every"),
        (module(speed=7, bank="CHANNEL A"), "speed of every"),
        (module(width=0, bank="CHANNEL A"), "width of every"),
        (module(width=72, bank="CHANNEL A"), "width of every"),
    ],
)
def test_what_the_firmware_leaves_out_is_never_guessed(tmp_path, broken, said):
    with pytest.raises(Unreadable, match=said):
        memory_bus.bandwidth(tree(tmp_path, broken))


def test_memory_that_is_not_the_systems_is_no_module(tmp_path):
    found = tree(tmp_path, array(), array(0x2000, use=4), module(array=0x2000), module(8192))
    assert memory_bus.modules(found) == "1 × 8 GiB DDR4-3200"


def test_a_short_structure_of_an_old_version_is_read_as_far_as_it_goes():
    old = structure(17, 1, module()[4:0x15], "DIMM 0", "BANK 0")
    (found,) = memory_bus.dmi_modules(table(old))
    assert (found.bytes, found.kind, found.width) == (16 << 30, "DDR4", 64)
    assert found.speed is None


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (b"", "no memory module"),
        (END, "no memory module"),
        (table(module(megabytes=0)), "no memory module"),
        (b"\x11\x02\0\0" + bytes(8), "broken at byte 0"),
        (b"\x11\xff\0\0" + bytes(8), "broken at byte 0"),
        (table(module())[:60], "broken at byte"),
        (b"\x01\x04\0\0words without an end", "broken at byte 0"),
        (table(*[module()] * 4097), "4097 memory modules"),
        (bytes(1 << 21), "2097152 bytes"),
    ],
)
def test_a_broken_table_is_a_reason(broken, said):
    with pytest.raises(Unreadable, match=said):
        memory_bus.dmi_modules(broken)


def test_a_table_that_may_not_be_read_is_a_reason(tmp_path):
    machine = inspect(made(tmp_path, {}))
    assert machine.memory_modules is None
    assert machine.unknown["memory_modules"] == f"there is no {memory_bus.DMI}"


def read(content: bytes) -> None:
    try:
        found = memory_bus.dmi_modules(content)
    except Unreadable:
        return
    for one in found:
        assert one.bytes is None or one.bytes > 0
        assert one.speed is None or 0 < one.speed <= 100_000
        assert (one.device + one.bank).isprintable()


@given(st.binary(max_size=600))
def test_any_bytes_are_modules_or_a_reason(content):
    read(content)


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_damaged_table_is_modules_or_a_reason(seed, faults):
    chance = random.Random(seed)
    content = bytearray(table(array(), *TWO_CHANNELS))
    for _ in range(faults):
        at = chance.randrange(len(content))
        end = at + chance.choice([0, 1, 1, 1, 4, 40])
        content[at:end] = chance.randbytes(chance.choice([0, 1, 1, 1, 2, 30]))
    read(bytes(content))
