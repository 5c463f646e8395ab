"""Which messages of the ciphers are measured where, and what is refused."""

import pytest

from stend import native
from stend.benchmarks import registry
from stend.errors import UsageError
from stend.record import Machine
from stend.running.plan import Choice, plan

MACHINE = Machine(usable=(0, 1), memory_available=8 << 30)


def planned(cipher: str, **choice: object) -> list[tuple[object, ...]]:
    cases = plan(registry.find([f"gost.{cipher}"]), MACHINE, Choice(**choice))  # type: ignore[arg-type]
    return [(c.case.mode, c.case.size, c.case.offset, c.case.threads, c.skip) for c in cases]


@pytest.mark.parametrize("cipher", ["kuznyechik", "magma"])
def test_a_quick_run_takes_each_mode_on_one_core_and_large_messages_two_ways(cipher):
    quick = [case[:4] for case in planned(cipher)]
    assert {case for case in quick if case[1] == 16384} == {
        (mode, 16384, 0, 1) for mode in ("ecb", "ctr", "mgm", "cbc")
    }
    assert {case for case in quick if case[1] != 16384} == {
        ("ctr", 64 << 20, 0, 1), ("ctr", 64 << 20, 0, 2), ("ecb-out-of-place", 64 << 20, 0, 1),
    }  # fmt: skip


def test_a_full_run_takes_all_sizes_modes_offsets_and_cores():
    full = planned("kuznyechik", size="full")
    assert {case[1] for case in full} >= {16, 64, 256, 1024, 4096, 16384, 1 << 20, 10**9}
    assert {case[0] for case in full} >= {"ecb-decrypt", "mgm-decrypt", "cbc-decrypt", "omac"}
    assert {case[2:4] for case in full} == {(0, 1), (1, 1), (0, 2)}


@pytest.mark.parametrize("cipher", ["kuznyechik", "magma"])
def test_a_full_run_takes_every_variant_but_the_slow_reference_only_within_the_caches(cipher):
    cases = plan(registry.find([f"gost.{cipher}"]), MACHINE, Choice(size="full"))
    by_size = {
        size: {c.case.variant for c in cases if c.case.size == size} for size in (16384, 64 << 20)
    }
    assert by_size[16384] == {v.name for v in native.gost.variants(cipher)}
    assert by_size[64 << 20] == by_size[16384] - {"reference"}
    asked = plan(registry.find([f"gost.{cipher}"]), MACHINE, Choice(
        settings={"size": ["64MiB"], "mode": ["ctr"]}, variants=["all"]))  # fmt: skip
    assert "reference" in {c.case.variant for c in asked}


@pytest.mark.parametrize(
    ("cipher", "settings", "said"),
    [
        ("kuznyechik", {"size": ["24"]}, "24 bytes are not a whole number of blocks of 16 bytes"),
        ("magma", {"size": ["12"]}, "12 bytes are not a whole number of blocks of 8 bytes"),
        ("magma", {"mode": ["xts"]}, "no mode 'xts' to measure; there are ecb, "),
        ("magma", {"threads": ["3"]}, "this process may use 2"),
        ("magma", {"size": ["64GB"]}, "size=BYTES"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_the_reason(cipher, settings, said):
    with pytest.raises(UsageError, match=said):
        planned(cipher, settings=settings)
